package course

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// single reports whether an event is to be shown singly.
func (l *lanes) single(start, duration int64) bool {
	for l.window < len(l.detail) && l.detail[l.window].ToNS <= start {
		l.window++
	}
	if l.room <= 0 {
		return false
	}
	if l.window < len(l.detail) && l.detail[l.window].FromNS <= start {
		return true
	}
	if duration >= 2*l.width && l.long > 0 {
		l.long--
		return true
	}
	return false
}

// put draws an event onto a lane.
func (l *lanes) put(x *lane, i item, read, write int64, single bool) {
	first := int(min(max(i.start, 0)/l.width, int64(l.count-1)))
	t := &x.tiles[first]
	t.count++
	t.longest = max(t.longest, i.duration)
	t.read += read
	t.write += write
	end := min(i.start+i.duration, l.end)
	for from := i.start; ; first++ {
		to := min(end, int64(first+1)*l.width)
		x.tiles[first].busy += max(to-from, 0)
		if part := max(to-from, 0); i.what >= whatWait {
			x.tiles[first].waits += part
		} else if t := &x.tiles[first]; t.what == 0 || part > t.lead {
			t.lead, t.what = part, i.what+1
		}
		if to >= end || first == l.count-1 {
			break
		}
		from = to
	}
	if single {
		x.items = append(x.items, i)
		l.room--
	}
}

func (l *lanes) call(e *world.Call) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: int(e.Op), bytes: e.Bytes(), offset: e.Offset,
		file: e.File}
	l.access(e.TID, i, e.Op, e.File2)
}

func (l *lanes) async(e *world.Async) {
	i := item{start: e.Submit, duration: max(e.Complete-e.Submit, 0), what: int(e.Op), bytes: e.Bytes(), offset: e.Offset,
		file: e.File}
	l.access(0, i, e.Op, e.File2)
}

func (l *lanes) access(tid uint32, i item, op trace.Op, f2 *world.File) {
	if i.what >= whatReq {
		i.what = int(trace.OpOther)
	}
	single := l.single(i.start, i.duration)
	read, write := int64(0), int64(0)
	if op.Reads() {
		read = i.bytes
	}
	if op == trace.OpWrite || f2 != nil && op.MovesData() {
		write = i.bytes
	}
	if x := l.thread(tid); x != nil {
		l.put(x, i, read, write, single)
	}
	if x := l.of(i.file); x != nil {
		if f2 != nil {
			write = 0
		}
		l.put(x, i, read, write, single)
	}
	if x := l.of(f2); x != nil {
		l.put(x, i, 0, i.bytes, single)
	}
}

func (l *lanes) fault(e *world.Fault) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: whatFault, bytes: e.Filled, offset: e.Offset,
		file: e.File}
	single := l.single(i.start, i.duration)
	if x := l.thread(e.TID); x != nil {
		l.put(x, i, e.Filled, 0, single)
	}
	if x := l.of(e.File); x != nil {
		l.put(x, i, e.Filled, 0, single)
	}
}

func (l *lanes) wait(e *world.Wait) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: whatWait + int(e.Cause.Known()), offset: -1}
	if x := l.thread(e.TID); x != nil {
		l.put(x, i, 0, 0, l.single(i.start, i.duration))
	}
}

func (l *lanes) request(e *world.Request) {
	x := l.devices[e.Request.Device]
	if x == nil {
		return
	}
	i := item{
		start: e.Issued, duration: max(e.Completed-e.Issued, 0), what: whatReq + int(min(e.Op, trace.ReqOther)),
		bytes: e.Bytes, offset: int64(e.Sector) * 512, file: e.File,
	}
	read, write := int64(0), int64(0)
	switch e.Op {
	case trace.ReqRead:
		read = e.Bytes
	case trace.ReqWrite:
		write = e.Bytes
	}
	l.put(x, i, read, write, l.single(i.start, i.duration))
}

// of is the lane of a file, nil if it has none.
func (l *lanes) of(f *world.File) *lane {
	if f == nil {
		return nil
	}
	return l.files.Known(f.Number)
}
