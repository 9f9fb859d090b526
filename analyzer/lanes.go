package analyzer

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// tileCount bounds the aggregates of a lane.
const tileCount = 1024

// lane is one row of the timeline.
type lane struct {
	kind, name string
	pid, tid   uint32
	tiles      []tile
	items      []item
}

type tile struct {
	count, busy, waits, read, write, longest int64

	lead int64 // time in the tile of the event that fills most of it, waits left out
	what int   // of that event, plus one
}

type item struct {
	start, duration int64
	what            int
	bytes, offset   int64
	file            *file
}

// lanes is the timeline while it is drawn. Events come in the order of starts.
type lanes struct {
	width   int64
	count   int
	end     int64
	detail  []Window
	window  int // of detail, the first that is not over
	room    int // for single events, long ones outside of the windows included
	long    int // for those
	threads map[uint32]*lane
	devices map[trace.DeviceID]*lane
	last    *lane // of the thread looked up last
	lastTID uint32
	list    []*lane
	hidden  int
}

// The numbers of what an item is: operations of calls first, then those of
// requests, then faults and waits.
var (
	whatNames = names()
	whatReq   = slices.Index(whatNames, "request unknown")
	whatFault = slices.Index(whatNames, "fault")
	whatWait  = slices.Index(whatNames, "wait unknown")
)

func names() []string {
	var n []string
	for op := trace.OpOther; op.String() != "unknown"; op++ {
		n = append(n, op.String())
	}
	for op := trace.ReqOp(0); op <= trace.ReqOther; op++ {
		n = append(n, "request "+op.String())
	}
	n = append(n, "fault")
	for c := trace.WaitCause(0); c <= trace.WaitOther; c++ {
		n = append(n, "wait "+c.String())
	}
	return n
}

// newLanes chooses what gets a lane: devices, then threads and files by how
// much they did.
func newLanes(s *survey, opt Options, end int64) *lanes {
	l := &lanes{
		width: roundUp(end/tileCount + 1), end: end, detail: s.density.windows(opt.Items, end), room: 2 * opt.Items,
		long: opt.Items / 4, threads: map[uint32]*lane{}, devices: map[trace.DeviceID]*lane{},
	}
	l.count = int(end/l.width) + 1
	devices := s.devices.heaviest(max(opt.Lanes/4, 1))
	for _, d := range devices {
		l.devices[d.ID] = l.add("device", d.Name)
	}
	threads := busiestThreads(s.threads)
	files := heaviestFiles(s.files.all)
	room := max(opt.Lanes-len(devices), 0)
	forThreads := min(len(threads), max(room-len(files), room/2))
	forFiles := min(len(files), room-forThreads)
	for _, t := range threads[:forThreads] {
		x := l.add("thread", "")
		x.pid, x.tid = t.pid, t.tid
		l.threads[t.tid] = x
	}
	for _, f := range files[:forFiles] {
		f.lane = l.add("file", f.path)
	}
	l.hidden = len(threads) - forThreads + len(files) - forFiles
	return l
}

func (l *lanes) add(kind, name string) *lane {
	x := &lane{kind: kind, name: name, tiles: make([]tile, l.count)}
	l.list = append(l.list, x)
	return x
}

func busiestThreads(threads map[uint32]*threadSurvey) []*threadSurvey {
	list := make([]*threadSurvey, 0, len(threads))
	for _, t := range threads {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *threadSurvey) int {
		return cmp.Or(cmp.Compare(b.events, a.events), cmp.Compare(a.tid, b.tid))
	})
	return list
}

func heaviestFiles(all []*file) []*file {
	var list []*file
	for _, f := range all {
		if f.weight > 0 && f.data() {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *file) int { return cmp.Compare(b.weight, a.weight) })
	return list
}

// heaviest are the n devices that moved most of the workload's bytes.
func (t *devices) heaviest(n int) []*device {
	var list []*device
	for _, d := range t.all {
		if d.used {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *device) int {
		return cmp.Compare(b.readBytes+b.writeBytes, a.readBytes+a.writeBytes)
	})
	return list[:min(n, len(list))]
}

// thread is the lane of a thread, nil if it has none.
func (l *lanes) thread(tid uint32) *lane {
	if tid != l.lastTID {
		l.last, l.lastTID = l.threads[tid], tid
	}
	return l.last
}

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

func (l *lanes) call(e *trace.Syscall, f, f2 *file) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: int(e.Op), bytes: e.Bytes(), offset: e.Offset, file: f}
	l.access(e.TID, i, e.Op, f2)
}

func (l *lanes) async(e *trace.AsyncOp, f *file) {
	i := item{start: e.Submit, duration: max(e.Complete-e.Submit, 0), what: int(e.Op), bytes: e.Bytes(), offset: e.Offset, file: f}
	l.access(0, i, e.Op, nil)
}

func (l *lanes) access(tid uint32, i item, op trace.Op, f2 *file) {
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
	if f := i.file; f != nil && f.lane != nil {
		if f2 != nil {
			write = 0
		}
		l.put(f.lane, i, read, write, single)
	}
	if f2 != nil && f2.lane != nil {
		l.put(f2.lane, i, 0, i.bytes, single)
	}
}

func (l *lanes) fault(e *trace.Fault, f *file) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: whatFault, bytes: e.Filled, offset: e.Offset, file: f}
	single := l.single(i.start, i.duration)
	if x := l.thread(e.TID); x != nil {
		l.put(x, i, e.Filled, 0, single)
	}
	if f != nil && f.lane != nil {
		l.put(f.lane, i, e.Filled, 0, single)
	}
}

func (l *lanes) wait(e *trace.Wait) {
	i := item{start: e.Start, duration: max(e.Duration, 0), what: whatWait + int(min(e.Cause, trace.WaitOther)), offset: -1}
	if x := l.thread(e.TID); x != nil {
		l.put(x, i, 0, 0, l.single(i.start, i.duration))
	}
}

func (l *lanes) request(e *trace.Request, f *file) {
	x := l.devices[e.Device]
	if x == nil {
		return
	}
	i := item{
		start: e.Issued, duration: max(e.Completed-e.Issued, 0), what: whatReq + int(min(e.Op, trace.ReqOther)),
		bytes: e.Bytes, offset: int64(e.Sector) * 512, file: f,
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

// profile returns the finished timeline. Threads get the names of their
// processes.
func (l *lanes) profile(t *processes) Timeline {
	p := Timeline{EndNS: l.end, TileNS: l.width, Tiles: l.count, Detail: l.detail, What: whatNames, Hidden: l.hidden, Marks: []Marker{}}
	if l.room <= 0 {
		p.Detail = []Window{}
	}
	for _, x := range l.list {
		if x.kind == "thread" {
			x.name = t.get(x.pid, 0).Command
			if x.tid != x.pid {
				x.name = fmt.Sprintf("%s (thread %d)", x.name, x.tid)
			}
		}
		p.Lanes = append(p.Lanes, x.profile())
	}
	return p
}

func (x *lane) profile() Lane {
	p := Lane{Kind: x.kind, Name: x.name, PID: x.pid, TID: x.tid}
	for i, t := range x.tiles {
		if t == (tile{}) {
			continue
		}
		p.Tiles.At = append(p.Tiles.At, int64(i))
		p.Tiles.Count = append(p.Tiles.Count, t.count)
		p.Tiles.Busy = append(p.Tiles.Busy, t.busy)
		p.Tiles.Wait = append(p.Tiles.Wait, t.waits)
		p.Tiles.What = append(p.Tiles.What, t.what-1)
		p.Tiles.Lead = append(p.Tiles.Lead, t.lead)
		p.Tiles.Read = append(p.Tiles.Read, t.read)
		p.Tiles.Write = append(p.Tiles.Write, t.write)
		p.Tiles.Max = append(p.Tiles.Max, t.longest)
	}
	for _, i := range x.items {
		p.Items.Start = append(p.Items.Start, i.start)
		p.Items.Dur = append(p.Items.Dur, i.duration)
		p.Items.What = append(p.Items.What, i.what)
		p.Items.Bytes = append(p.Items.Bytes, i.bytes)
		p.Items.Offset = append(p.Items.Offset, i.offset)
		index := -1
		if i.file != nil {
			index = i.file.index
		}
		p.Items.File = append(p.Items.File, index)
	}
	return p
}
