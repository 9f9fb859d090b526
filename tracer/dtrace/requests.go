package dtrace

import (
	"strings"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/macos"
)

// request is a disk request under way.
type request struct {
	buffer uint64
	start  int64
	device trace.DeviceID
	sector uint64
	bytes  int64
	done   int64 // bytes whose end was seen
	read   bool
	async  bool
	pid    uint32
	tid    uint32
	name   string
}

// start notes a request. If it uses the buffer of another that is still under
// way, the end of that one was not told: DTrace on Linux skips a probe that
// fires while another runs on the same CPU.
func (d *Decoder) start(r *record) error {
	for i := range d.open {
		if d.open[i].buffer == r.buffer || len(d.open) >= maxRequests {
			if err := d.unfinished(i, r); err != nil {
				return err
			}
			break
		}
	}
	dev := trace.MakeDeviceID(r.major, r.minor)
	d.open = append(d.open, request{buffer: r.buffer, start: d.at(r.time), device: dev, sector: d.sector(dev, r.block), bytes: r.bytes,
		read: r.read, async: r.async, pid: r.pid, tid: r.tid, name: r.path})
	return nil
}

// unfinished gives up a request and counts it as lost.
func (d *Decoder) unfinished(i int, r *record) error {
	from := max(d.open[i].start, 0)
	d.count.Lost[trace.KindRequest]++
	d.remove(i)
	return d.sink.Lost(&trace.Lost{From: from, To: max(d.at(r.time), from), Count: 1, Kind: trace.KindRequest, CPU: -1})
}

func (d *Decoder) remove(i int) {
	d.open[i] = d.open[len(d.open)-1]
	d.open = d.open[:len(d.open)-1]
}

// sector converts a block number: Linux counts in 512 bytes, macOS in blocks of
// the device.
func (d *Decoder) sector(dev trace.DeviceID, block int64) uint64 {
	if size := d.blocks[dev]; d.cfg.Platform == Darwin && size > 512 {
		return uint64(block) * uint64(size/512)
	}
	return uint64(block)
}

// done completes requests. On macOS a buffer has one beginning and one end. On
// Linux buffers are merged and split on their way down: an end that is not that
// of a buffer belongs to whatever is under way in its range of sectors.
func (d *Decoder) done(r *record) error {
	dev := trace.MakeDeviceID(r.major, r.minor)
	from := d.sector(dev, r.block)
	for i := range d.open {
		q := &d.open[i]
		if q.buffer == r.buffer && (d.cfg.Platform == Darwin || q.device == dev && q.sector == from && q.bytes == r.bytes) {
			return d.complete(i, r)
		}
	}
	if d.cfg.Platform == Darwin {
		return nil // it began before the recording
	}
	to := from + uint64(r.bytes/512)
	for i := 0; i < len(d.open); {
		q := &d.open[i]
		end := q.sector + uint64(q.bytes/512)
		if q.device != dev || end <= from || q.sector >= to {
			i++
			continue
		}
		if q.done += int64(min(end, to)-max(q.sector, from)) * 512; q.done < q.bytes {
			i++
			continue
		}
		if err := d.complete(i, r); err != nil {
			return err
		}
	}
	return nil
}

func (d *Decoder) complete(i int, r *record) error {
	q := d.open[i]
	d.remove(i)
	return d.request(&q, r)
}

func (d *Decoder) request(q *request, r *record) error {
	e := trace.Request{Queued: -1, Issued: q.start, Completed: d.at(r.time), Device: q.device, Sector: q.sector, Bytes: q.bytes,
		Op: trace.ReqWrite, PID: q.pid, TID: q.tid, Offset: trace.NoOffset, Bios: 1, Error: int32(r.errno)}
	if e.Issued < 0 {
		return nil
	}
	switch {
	case q.read:
		e.Op = trace.ReqRead
	case q.bytes == 0: // a flush is a write of nothing
		e.Op = trace.ReqFlush
	}
	if !q.async {
		e.Flags |= trace.ReqSync
	}
	if d.cfg.Platform == Darwin {
		e.Error = int32(macos.Errno(r.errno))
		if r.residual > 0 && r.residual <= e.Bytes {
			e.Bytes -= r.residual
		}
	}
	d.attribute(&e, q.name)
	return d.sink.Request(&e)
}

// attribute says whose a request is, and on macOS which file it is for: there
// the name is ??/parent/name, which is looked for among the files in use.
func (d *Decoder) attribute(e *trace.Request, name string) {
	p := d.procs[e.PID]
	recorded := p != nil && p.in
	if recorded {
		e.Owner = e.PID
	}
	if e.PID == d.cfg.Self && d.cfg.Self != 0 {
		e.Flags |= trace.ReqRecorder
	}
	if part, ok := strings.CutPrefix(name, "??/"); ok {
		if e.File = d.suffix[part]; e.File != 0 {
			e.Evidence = trace.EvidenceInode
			writer, shared := d.files.Writer(e.File)
			if shared && e.Op == trace.ReqWrite {
				e.Evidence = trace.EvidenceShared
			}
			if !recorded {
				e.Owner = writer
			}
		}
	}
	if !recorded && e.File == 0 {
		e.Flags |= trace.ReqForeign
	}
}
