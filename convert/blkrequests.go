package convert

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// queue keeps a bio until the request that it is part of is issued.
func (b *blkparseReader) queue(l *blkLine) error {
	b.keep(b.queued, l.at, l.begun())
	return b.introduce(l)
}

// begun is what a line says of a bio or a request.
func (l *blkLine) begun() begun {
	return begun{trace.Request{Queued: -1, Issued: l.time, Device: l.at.device, Sector: l.at.sector,
		Bytes: int64(l.sectors) * 512, Op: l.op,
		Flags: l.flags, PID: l.pid, TID: l.pid, Offset: trace.NoOffset, Bios: 1}, l.sectors}
}

func (b *blkparseReader) keep(m map[place]begun, at place, r begun) {
	if len(m) >= maxBegun {
		b.forgot += uint64(len(m))
		clear(m)
	}
	m[at] = r
}

// issue begins a request: it takes the bios that it was made of, which lie one
// behind the other. A bio that was split leaves its rest behind.
func (b *blkparseReader) issue(l *blkLine) error {
	r := l.begun()
	if old, ok := b.back[l.at]; ok {
		delete(b.back, l.at)
		r.Queued, r.Bios, r.PID, r.TID, r.Requeues = old.Queued, old.Bios, old.PID, old.TID, old.Requeues+1
	}
	bios := uint32(0)
	for at, left := l.at, l.sectors; ; {
		q, ok := b.queued[at]
		if !ok || q.Issued > l.time || at.empty != (q.sectors == 0) {
			break
		}
		delete(b.queued, at)
		if bios++; r.Queued < 0 || q.Issued < r.Queued {
			r.Queued, r.PID, r.TID = q.Issued, q.PID, q.TID
		}
		used := min(q.sectors, left)
		at.sector += used
		if left -= used; q.sectors > used {
			q.sectors -= used
			b.queued[at] = q
		}
		if left == 0 {
			break
		}
	}
	r.Bios = max(r.Bios, bios)
	b.keep(b.issued, l.at, r)
	return b.introduce(l)
}

// requeue takes back a request that the driver did not accept.
func (b *blkparseReader) requeue(l *blkLine) {
	if r, ok := b.issued[l.at]; ok {
		delete(b.issued, l.at)
		b.keep(b.back, l.at, r)
	}
}

// complete ends a request, or its first part. What was queued and never issued
// is a bio of a device without a queue, such as one of the device mapper.
func (b *blkparseReader) complete(l *blkLine) error {
	r, ok := b.issued[l.at]
	if ok {
		delete(b.issued, l.at)
	} else if r, ok = b.queued[l.at]; ok && r.sectors == l.sectors {
		delete(b.queued, l.at)
		r.Queued = r.Issued
		r.Flags |= trace.ReqBioBased
	} else {
		b.orphans++
		return nil
	}
	if l.sectors < r.sectors {
		rest := r
		rest.sectors -= l.sectors
		rest.Sector += l.sectors
		rest.Bytes = int64(rest.sectors) * 512
		b.keep(b.issued, place{l.at.device, rest.Sector, false}, rest)
		r.Bytes = int64(l.sectors) * 512
	}
	r.Completed = max(l.time, r.Issued)
	r.Error = l.error
	return b.sink.Request(&r.Request)
}

// introduce names the device and the process of a line, once each.
func (b *blkparseReader) introduce(l *blkLine) error {
	if d := l.at.device; !b.devices[d] && len(b.devices) < maxSeen {
		b.devices[d] = true
		if err := b.sink.Device(&trace.Device{Time: l.time, ID: d,
			Name: fmt.Sprintf("%d:%d", d.Major(), d.Minor())}); err != nil {
			return err
		}
	}
	if l.pid == 0 || l.command == "" || b.procs[l.pid] || len(b.procs) >= maxSeen {
		return nil
	}
	b.procs[l.pid] = true
	return b.sink.Process(&trace.Process{Time: l.time, Action: trace.ProcessPresent, PID: l.pid, TID: l.pid,
		Command: l.command})
}
