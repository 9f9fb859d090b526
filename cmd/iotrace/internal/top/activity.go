package top

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// activityOptions say how the intervals are cut, and what the system is asked. Questions that are nil are not asked.
type activityOptions struct {
	From  int64 // when the first interval begins, on the clock of the events
	Every int64 // ns of an interval

	// Process describes a process by its number. It is asked for those that no event has described, and for
	// threads of the kernel, which change their names without telling.
	Process func(pid uint32) (trace.Process, bool)
	// InFlight is how many requests a device has been given and has not completed, negative if that is not known.
	InFlight func(trace.DeviceID) int
}

// activity is what was seen so far. Its methods must not be called at the same time.
type activity struct {
	options   activityOptions
	closed    int64     // intervals that were taken
	open      []*window // those that follow, the first of them first
	devices   *devices
	processes *processes
	files     *files
	systems   map[trace.DeviceID]*moved // bytes of calls since the start, by the number of the file system
	lost      uint64                    // events, as the stream tells
}

// newActivity makes one that has seen nothing.
func newActivity(o activityOptions) *activity {
	return &activity{options: o, devices: newDevices(), processes: newProcesses(o.Process), files: newFiles(),
		systems: map[trace.DeviceID]*moved{}}
}

// maxOpen bounds the intervals that may be open at once: an event that lies further ahead counts in the last of them.
const maxOpen = 16

// window is one interval while it is open.
type window struct {
	from, to  int64
	devices   map[trace.DeviceID]*deviceUse
	processes map[uint32]*processUse
	files     map[*file]*fileUse
	pairs     map[pair]*pairUse
	own       moved  // requests of the recorder itself
	slow      []slow // the longest requests
	least     int64  // ns that a further one has to have taken
	events    int64

	omittedProcesses, omittedFiles map[any]bool
}

// pair is a process and a file that it used.
type pair struct {
	pid  uint32
	file *file
}

// moved is an amount in both directions.
type moved struct{ read, write int64 }

func newWindow(from, to int64) *window {
	return &window{from: from, to: to, devices: map[trace.DeviceID]*deviceUse{}, processes: map[uint32]*processUse{},
		files: map[*file]*fileUse{}, pairs: map[pair]*pairUse{},
		omittedProcesses: map[any]bool{}, omittedFiles: map[any]bool{}}
}

// at is the interval in which something ended. What ended before the first that is open counts in that: the sum over
// all intervals is right.
func (a *activity) at(ended int64) *window {
	n := 0
	if from := a.begin(0); ended >= from {
		n = int(min((ended-from)/a.options.Every, maxOpen-1))
	}
	for len(a.open) <= n {
		a.open = append(a.open, newWindow(a.begin(len(a.open)), a.begin(len(a.open)+1)))
	}
	w := a.open[n]
	return w
}

// begin is when an interval begins, the first open one being 0.
func (a *activity) begin(n int) int64 { return a.options.From + (a.closed+int64(n))*a.options.Every }

// each calls f for the open intervals that a time lies in.
func (a *activity) each(from, to int64, f func(w *window, from, to int64)) {
	for _, w := range a.open {
		if start, end := max(from, w.from), min(to, w.to); start < end {
			f(w, start, end)
		}
	}
}

// Next is when the interval ends that Take would return.
func (a *activity) Next() int64 { return a.begin(1) }

// maxOf bounds what is told apart within an interval; what comes on top is counted under one heading.
const (
	maxProcesses = 10_000
	maxFiles     = 50_000
	maxPairs     = 50_000
)

// process is what a process did in an interval. Number 0 stands for all further ones.
func (w *window) process(pid uint32) *processUse {
	u := w.processes[pid]
	if u == nil && len(w.processes) >= maxProcesses && pid != others {
		note(w.omittedProcesses, pid)
		return w.process(others)
	}
	if u == nil {
		u = &processUse{}
		w.processes[pid] = u
	}
	return u
}

// file is what was done to a file in an interval; nil beyond those that are told apart.
func (w *window) file(f *file) *fileUse {
	u := w.files[f]
	if u == nil && len(w.files) >= maxFiles {
		note(w.omittedFiles, f)
		return nil
	}
	if u == nil {
		u = &fileUse{}
		w.files[f] = u
	}
	return u
}

// note counts what is left out, as far as that can be counted in bounded memory.
func note(omitted map[any]bool, what any) {
	if len(omitted) < 1<<16 {
		omitted[what] = true
	}
}

// pair is what a process did with a file; nil beyond those that are told apart.
func (w *window) pair(pid uint32, f *file) *pairUse {
	key := pair{pid, f}
	u := w.pairs[key]
	if u == nil && len(w.pairs) < maxPairs {
		u = &pairUse{}
		w.pairs[key] = u
	}
	return u
}

// device is what a device did in an interval.
func (w *window) device(id trace.DeviceID) *deviceUse {
	u := w.devices[id]
	if u == nil {
		u = &deviceUse{}
		w.devices[id] = u
	}
	return u
}

// maxSystems bounds the file systems that are told apart.
const maxSystems = 4096

// on is what calls moved in a file system since the start.
func (a *activity) on(fileSystem trace.DeviceID) *moved {
	m := a.systems[fileSystem]
	if m == nil && len(a.systems) >= maxSystems {
		return &moved{}
	}
	if m == nil {
		m = &moved{}
		a.systems[fileSystem] = m
	}
	return m
}

// cover is the time that some of many spans lie in, each instant counted once. Spans come nearly in the order in which
// they end.
type cover struct {
	spans [][2]int64 // apart from one another, in order
	ns    int64      // of spans that were folded up
	floor int64      // where these end
}

// maxSpans bounds the spans that are kept apart.
const maxSpans = 4096

// add adds a span.
func (c *cover) add(from, to int64) {
	if from = max(from, c.floor); from >= to {
		return
	}
	end := len(c.spans)
	for end > 0 && c.spans[end-1][0] > to {
		end--
	}
	first := end
	for first > 0 && c.spans[first-1][1] >= from {
		first--
		from, to = min(from, c.spans[first][0]), max(to, c.spans[first][1])
	}
	c.spans = slices.Replace(c.spans, first, end, [2]int64{from, to})
	if len(c.spans) > maxSpans {
		c.fold(maxSpans / 2)
	}
}

// fold counts the first n spans, to which nothing can be added any more.
func (c *cover) fold(n int) {
	for _, s := range c.spans[:n] {
		c.ns += s[1] - s[0]
	}
	c.floor = c.spans[n-1][1]
	c.spans = slices.Delete(c.spans, 0, n)
}

// total is the time in all.
func (c *cover) total() int64 {
	ns := c.ns
	for _, s := range c.spans {
		ns += s[1] - s[0]
	}
	return ns
}
