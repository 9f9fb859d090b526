package fsusage

import (
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
)

// disks names the devices of requests. A text names them without their numbers
// and without the size of their blocks.
type disks struct {
	sink   trace.Sink
	byName map[string]*disk
}

type disk struct {
	id    trace.DeviceID
	block int64 // bytes; 0 if it must be inferred
	// Requests that begin where the one before ended tell the size of a block.
	next4096, next512   uint64
	votes4096, votes512 int
}

// inventedMajor is the major number of disks of a text, whose numbers are not
// known; it is that of no device.
const inventedMajor = 0xfff

// maxDisks bounds the number of devices of a text.
const maxDisks = 1 << 12

func newDisks(sink trace.Sink, devices []trace.Device) *disks {
	d := &disks{sink: sink, byName: map[string]*disk{}}
	for _, e := range devices {
		d.byName[e.Name] = &disk{id: e.ID, block: e.LogicalBlock}
	}
	return d
}

func (d *disks) get(name string, now int64) (*disk, error) {
	if e := d.byName[name]; e != nil {
		return e, nil
	}
	if len(d.byName) >= maxDisks {
		return &disk{}, nil
	}
	e := &disk{id: trace.MakeDeviceID(inventedMajor, uint32(len(d.byName)+1))}
	d.byName[name] = e
	return e, d.sink.Device(&trace.Device{Time: max(now, 0), ID: e.id, Name: name})
}

// sector converts a block number. Where the size of a block is not known it is
// inferred from requests that follow each other; until one does, it is taken to
// be 4096 bytes, as on every Apple silicon Mac.
func (d *disk) sector(block, bytes int64) uint64 {
	size := d.block
	if size == 0 {
		if at := uint64(block); at == d.next512 && at != d.next4096 {
			d.votes512++
		} else if at == d.next4096 && at != d.next512 {
			d.votes4096++
		}
		d.next512, d.next4096 = uint64(block+bytes/512), uint64(block+bytes/4096)
		if size = 4096; d.votes512 > d.votes4096 {
			size = 512
		}
	}
	return uint64(block) * uint64(size/512)
}

// request writes a disk line: "RdData[AT2]", "WrMeta[S]", "PgIn[ST2]", or a
// cache flush or trim.
func (d *Decoder) request(l *Line, start, end int64) {
	if l.Device == "NOTFOUND" || l.Device == "" && l.Errno == 0 {
		d.count.Skipped++ // a character device such as /dev/null, or no disk
		return
	}
	name := l.Device
	if l.Errno != 0 && name == "" { // the device is not printed then, only the file
		if name = strings.TrimPrefix(l.Path, "/dev/"); name == l.Path {
			name = "unknown"
		}
	}
	disk, err := d.disks.get(name, start)
	d.keep(err)
	pid, recorded := d.process(l, start)
	e := trace.Request{Queued: -1, Issued: start, Completed: max(end, start), Device: disk.id, Bytes: max(l.Bytes, 0),
		Op:  trace.ReqWrite,
		PID: pid, TID: uint32(l.TID), Offset: trace.NoOffset, Bios: 1, Error: int32(macos.Errno(l.Errno))}
	if l.Block >= 0 {
		e.Sector = disk.sector(l.Block, e.Bytes)
	}
	label, flags, _ := strings.Cut(l.Call, "[")
	switch {
	case l.Call == "TrimExtent", strings.Contains(l.Tag, "UNMAP"):
		e.Op = trace.ReqDiscard
	case l.Call == "IOCTL":
		e.Op = trace.ReqFlush
	case strings.HasPrefix(label, "Rd"), label == "PgIn":
		e.Op = trace.ReqRead
	}
	e.Flags = requestFlags(label, flags)
	if recorded {
		e.Owner = pid
	}
	if e.Flags&trace.ReqMeta == 0 && l.Path != "" {
		e.File = d.file(l, pid, end)
		e.Evidence = trace.EvidenceInode
		if writer, shared := d.files.Writer(e.File); shared {
			e.Evidence = trace.EvidenceShared
		} else if !recorded {
			e.Owner = writer
		}
	}
	if !recorded && e.Owner == 0 {
		e.Flags |= trace.ReqForeign
	}
	d.keep(d.sink.Request(&e))
}

// requestFlags reads the letters in brackets: A or S, N for uncached, T and a
// digit for the I/O tier, U, P.
func requestFlags(label, letters string) (f trace.ReqFlags) {
	if strings.Contains(label, "Meta") {
		f |= trace.ReqMeta
	}
	if !strings.HasPrefix(letters, "A") {
		f |= trace.ReqSync
	}
	if strings.Contains(letters, "N") {
		f |= trace.ReqDirect
	}
	if strings.Contains(letters, "T") {
		f |= trace.ReqBackground
	}
	return f
}
