package course

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/world"
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
	file            *world.File
}

// lanes is the timeline while it is drawn. Events come in the order of starts.
type lanes struct {
	width   int64
	count   int
	end     int64
	detail  []profile.Window
	window  int // of detail, the first that is not over
	room    int // for single events, long ones outside of the windows included
	long    int // for those
	threads map[uint32]*lane
	devices map[trace.DeviceID]*lane
	files   world.Table[lane]
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
	for c := range trace.WaitCause(trace.NumWaitCauses) {
		n = append(n, "wait "+c.String())
	}
	return n
}

// newLanes chooses what gets a lane: devices, then threads and files by how
// much they did.
func newLanes(s *survey.Survey, size ChartSize, end int64) *lanes {
	l := &lanes{
		width: measure.RoundUp(end/tileCount + 1), end: end, detail: s.Density.Windows(size.Items, end), room: 2 * size.Items,
		long: size.Items / 4, threads: map[uint32]*lane{}, devices: map[trace.DeviceID]*lane{},
	}
	l.count = int(end/l.width) + 1
	devices := s.Devices.Heaviest(max(size.Lanes/4, 1))
	for _, d := range devices {
		l.devices[d.ID] = l.add("device", d.Name)
	}
	threads := busiestThreads(s.Threads)
	files := heaviestFiles(s.Files.All)
	room := max(size.Lanes-len(devices), 0)
	forThreads := min(len(threads), max(room-len(files), room/2))
	forFiles := min(len(files), room-forThreads)
	for _, t := range threads[:forThreads] {
		x := l.add("thread", "")
		x.pid, x.tid = t.PID, t.TID
		l.threads[t.TID] = x
	}
	for _, f := range files[:forFiles] {
		l.files.Set(f.Number, l.add("file", f.Path))
	}
	l.hidden = len(threads) - forThreads + len(files) - forFiles
	return l
}

func (l *lanes) add(kind, name string) *lane {
	x := &lane{kind: kind, name: name, tiles: make([]tile, l.count)}
	l.list = append(l.list, x)
	return x
}

func busiestThreads(threads map[uint32]*survey.ThreadSurvey) []*survey.ThreadSurvey {
	list := make([]*survey.ThreadSurvey, 0, len(threads))
	for _, t := range threads {
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b *survey.ThreadSurvey) int {
		return cmp.Or(cmp.Compare(b.Events, a.Events), cmp.Compare(a.TID, b.TID))
	})
	return list
}

func heaviestFiles(all []*world.File) []*world.File {
	var list []*world.File
	for _, f := range all {
		if f.Weight > 0 && f.Data() {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *world.File) int { return cmp.Compare(b.Weight, a.Weight) })
	return list
}

// thread is the lane of a thread, nil if it has none.
func (l *lanes) thread(tid uint32) *lane {
	if tid != l.lastTID {
		l.last, l.lastTID = l.threads[tid], tid
	}
	return l.last
}

// profile returns the finished timeline. Threads get the names of their
// processes.
func (l *lanes) profile(t *world.Processes, files []profile.File) profile.Timeline {
	p := profile.Timeline{EndNS: l.end, TileNS: l.width, Tiles: l.count, Detail: l.detail, What: whatNames,
		Hidden: l.hidden, Marks: []profile.Marker{}}
	if l.room <= 0 {
		p.Detail = []profile.Window{}
	}
	index := map[int]int{} // of files, by their numbers
	for i := range files {
		index[files[i].Number] = i
	}
	for _, x := range l.list {
		if x.kind == "thread" {
			if p := t.Find(x.pid); p != nil {
				x.name = p.Command
			}
			if x.tid != x.pid {
				x.name = fmt.Sprintf("%s (thread %d)", x.name, x.tid)
			}
		}
		p.Lanes = append(p.Lanes, x.profile(index))
	}
	return p
}

func (x *lane) profile(files map[int]int) profile.Lane {
	p := profile.Lane{Kind: x.kind, Name: x.name, PID: x.pid, TID: x.tid}
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
			if n, listed := files[i.file.Number]; listed {
				index = n
			}
		}
		p.Items.File = append(p.Items.File, index)
	}
	return p
}
