package dtrace

import (
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"

	"github.com/iotrace/iotrace/tracer/machine"
)

// requests follows the disk requests of a Decoder.
type requests struct {
	d      *decoder
	open   []request // under way
	disks  *machine.Disks
	suffix map[string]trace.FileID // by the last two parts of a path
}

func newRequests(d *decoder, devices []trace.Device) *requests {
	return &requests{d: d, disks: machine.NewDisks(d.cfg.Machine, devices, d.sink.Device),
		suffix: map[string]trace.FileID{}}
}

// request is one of them.
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
func (x *requests) start(r *Record) error {
	for i := range x.open {
		if x.open[i].buffer == r.Buffer || len(x.open) >= maxRequests {
			if err := x.unfinished(i, r); err != nil {
				return err
			}
			break
		}
	}
	dev := trace.MakeDeviceID(r.Major, r.Minor)
	if err := x.disks.Seen(dev, x.d.at(r.Time)); err != nil {
		return err
	}
	x.open = append(x.open, request{buffer: r.Buffer, start: x.d.at(r.Time), device: dev, sector: x.sector(dev, r.Block),
		bytes: r.Bytes, read: r.Read, async: r.Async, pid: r.PID, tid: r.TID, name: r.Path})
	return nil
}

// unfinished gives up a request and counts it as lost.
func (x *requests) unfinished(i int, r *Record) error {
	from := max(x.open[i].start, 0)
	x.d.count.Lost[trace.KindRequest]++
	x.remove(i)
	return x.d.sink.Lost(&trace.Lost{From: from, To: max(x.d.at(r.Time), from), Count: 1,
		Kind: trace.KindRequest, CPU: -1})
}

func (x *requests) remove(i int) {
	x.open[i] = x.open[len(x.open)-1]
	x.open = x.open[:len(x.open)-1]
}

// sector converts a block number: Linux counts in 512 bytes, macOS in blocks of
// the device.
func (x *requests) sector(dev trace.DeviceID, block int64) uint64 {
	if size := x.disks.Block(dev); x.d.cfg.Platform == Darwin && size > 512 {
		return uint64(block) * uint64(size/512)
	}
	return uint64(block)
}

// done completes requests. On macOS a buffer has one beginning and one end. On
// Linux buffers are merged and split on their way down: an end that is not that
// of a buffer belongs to whatever is under way in its range of sectors.
func (x *requests) done(r *Record) error {
	dev := trace.MakeDeviceID(r.Major, r.Minor)
	from := x.sector(dev, r.Block)
	for i := range x.open {
		q := &x.open[i]
		if q.buffer == r.Buffer && (x.d.cfg.Platform == Darwin || q.device == dev && q.sector == from &&
			q.bytes == r.Bytes) {
			return x.complete(i, r)
		}
	}
	if x.d.cfg.Platform == Darwin {
		return nil // it began before the recording
	}
	to := from + uint64(r.Bytes/512)
	for i := 0; i < len(x.open); {
		q := &x.open[i]
		end := q.sector + uint64(q.bytes/512)
		if q.device != dev || end <= from || q.sector >= to {
			i++
			continue
		}
		if q.done += int64(min(end, to)-max(q.sector, from)) * 512; q.done < q.bytes {
			i++
			continue
		}
		if err := x.complete(i, r); err != nil {
			return err
		}
	}
	return nil
}

func (x *requests) complete(i int, r *Record) error {
	q := x.open[i]
	x.remove(i)
	return x.request(&q, r)
}

func (x *requests) request(q *request, r *Record) error {
	e := trace.Request{Queued: -1, Issued: q.start, Completed: x.d.at(r.Time), Device: q.device, Sector: q.sector,
		Bytes: q.bytes, Op: trace.ReqWrite, PID: q.pid, TID: q.tid, Offset: trace.NoOffset, Bios: 1, Error: int32(r.Errno)}
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
	if x.d.cfg.Platform == Darwin {
		e.Error = int32(macos.Errno(r.Errno))
		if r.Residual > 0 && r.Residual <= e.Bytes {
			e.Bytes -= r.Residual
		}
	}
	x.attribute(&e, q.name)
	return x.d.sink.Request(&e)
}

// attribute says whose a request is, and on macOS which file it is for: there
// the name is ??/parent/name, which is looked for among the files in use.
func (x *requests) attribute(e *trace.Request, name string) {
	p := x.d.procs[e.PID]
	recorded := p != nil && p.in
	if recorded {
		e.Owner = e.PID
	}
	if e.PID == x.d.cfg.Self && x.d.cfg.Self != 0 {
		e.Flags |= trace.ReqRecorder
	}
	if part, ok := strings.CutPrefix(name, "??/"); ok {
		if e.File = x.suffix[part]; e.File != 0 {
			e.Evidence = trace.EvidenceInode
			writer, shared := x.d.files.Writer(e.File)
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

// remember makes a file findable by the last two parts of its path, which is
// what macOS says of the file of a request.
func (x *requests) remember(path string, id trace.FileID) {
	if x.d.cfg.Platform != Darwin || id == 0 {
		return
	}
	if len(x.suffix) >= maxSuffixes {
		clear(x.suffix)
	}
	x.suffix[lastTwo(path)] = id
}

func lastTwo(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return path
	}
	return path[strings.LastIndexByte(path[:i], '/')+1:]
}
