package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

const (
	quiet      = int64(1e9)  // ns without a read that end a launch
	longLaunch = int64(60e9) // a launch that has not ended by then is no launch any more
	output     = int64(1e6)  // bytes written by which a program is at work
	maxLaunch  = 64          // launches that are listed
)

// launch is the start of a program, from what execve reads for it until it has
// read nothing for a while, is at work, or has ended. It is at work when it has written as much
// as only results are (less may be caches and settings), or when it has run
// another program: a shell that begins with its script. Children that run the
// same program are a part of the start.
type launch struct {
	process     *process
	exe         string
	args        []string
	written     int64
	exec        int64 // when execve was done
	held        int64 // time that execve of the command spent on the disk, which is not in the time stack
	start, last int64 // last: end of the last read
	over        bool
	until       string
	marked      bool // a mark at last is set
	first, sum  timeline.Times
	readCalls   int64
	readBytes   int64
	faults      int64
	faultBytes  int64
	device      measure.Flow
	io          int64 // thread time blocked on I/O
	files       map[*file]*launched
}

type launched struct{ bytes, device int64 }

// clock knows how much time passed under each label.
type clock interface {
	// Mark calls f with the sums up to a time, once they are known.
	Mark(at int64, f func(timeline.Times))
}

// launches follows the programs that were started.
type launches struct {
	clock clock
	list  []*launch
	by    table[running]

	last     int64 // end of the recording
	waits    bool  // that were recorded
	requests bool
}

// running is the launch of a process that is under way, if there is one.
type running struct{ launch *launch }

func newLaunches(c clock, s *survey) *launches {
	return &launches{clock: c, last: s.last, waits: s.seesWaits(), requests: s.seesRequests()}
}

// Start begins a launch inside execve.
func (t *launches) Start(e *start) { t.begin(e.process, e.at, e.exec) }

// Life follows the programs that processes run.
func (t *launches) Life(e *life) {
	switch e.Action {
	case trace.ProcessExec:
		if e.parent != nil {
			t.child(e.parent, e.Exe, e.Time)
		}
		t.exec(e)
	case trace.ProcessExit:
		t.exit(e.who, e.Time)
	}
}

// exec names the program that a process runs from now on; its launch begins
// now if execve read nothing.
func (t *launches) exec(e *life) {
	r := t.by.of(e.who.number)
	if r.launch == nil || r.launch.exec != e.Time {
		t.begin(e.who, e.Time, e.Time)
	}
	if l := r.launch; l != nil {
		l.exe, l.args = e.Exe, arguments(e.Args)
	}
}

// begin begins a launch of the program that runs from exec on.
func (t *launches) begin(p *process, at, exec int64) {
	r := t.by.of(p.number)
	if r.launch != nil {
		t.end(r.launch, at, "exec")
	}
	if len(t.list) >= maxBegins {
		return
	}
	l := &launch{process: p, start: at, last: at, exec: exec, files: map[*file]*launched{}}
	r.launch = l
	t.list = append(t.list, l)
	t.clock.Mark(at, func(sum timeline.Times) { l.first, l.sum = sum, sum })
}

// of returns the running launch of a process, nil if it has none any more.
func (t *launches) of(p *process, at int64) *launch {
	if p == nil {
		return nil
	}
	r := t.by.known(p.number)
	if r == nil || r.launch == nil {
		return nil
	}
	l := r.launch
	if at-l.last > quiet {
		t.end(l, l.last, "quiet")
		return nil
	}
	if at-l.start > longLaunch {
		t.end(l, l.last, "limit")
		return nil
	}
	return l
}

// end ends a launch; the sums for its last read are or will be marked.
func (t *launches) end(l *launch, at int64, until string) {
	l.over, l.until = true, until
	if at > l.last {
		l.last = at
		t.mark(l)
	}
	t.by.of(l.process.number).launch = nil
}

// exit ends the launch of a process that ends.
func (t *launches) exit(p *process, at int64) {
	if l := t.of(p, at); l != nil {
		t.end(l, at, "exit")
	}
}

// child ends the launch of a process of which a child runs another program.
func (t *launches) child(parent *process, exe string, at int64) {
	if l := t.of(parent, at); l != nil && exe != l.exe {
		t.end(l, at, "child")
	}
}

// wrote ends the launch of a process that has written more than a start does,
// at the beginning of the write that did it.
func (t *launches) wrote(p *process, at, bytes int64) {
	if l := t.of(p, at); l != nil {
		if l.written += bytes; l.written >= output {
			t.end(l, at, "output")
		}
	}
}

// active notes that a launch read something until a time.
func (t *launches) active(l *launch, until int64) {
	l.last = max(l.last, until)
	t.mark(l)
}

// mark has the sums taken at the end of the last read; should there be a later
// one by then, again at that.
func (t *launches) mark(l *launch) {
	if l.marked {
		return
	}
	l.marked = true
	at := l.last
	t.clock.Mark(at, func(sum timeline.Times) {
		l.marked, l.sum = false, sum
		if l.last > at {
			t.mark(l)
		}
	})
}

func (l *launch) file(f *file) *launched {
	x := l.files[f]
	if x == nil {
		x = new(launched)
		l.files[f] = x
	}
	return x
}

// Data adds data moved to or from files that hold data.
func (t *launches) Data(x *access) {
	if x.reads {
		if l := t.of(x.process, x.start); l != nil {
			l.readCalls++
			l.readBytes += x.bytes
			l.file(x.file).bytes += x.bytes
			t.active(l, x.end)
		}
	}
	if x.writes {
		t.wrote(x.process, x.start, x.bytes)
	}
}

// Fault adds a page fault that had to wait.
func (t *launches) Fault(e *fault) {
	l := t.of(e.process, e.Start)
	if l == nil {
		return
	}
	l.faults++
	l.faultBytes += e.Filled
	if e.file != nil {
		l.file(e.file)
	}
	t.active(l, e.Start+max(e.Duration, 0))
}

// Wait adds a time off the CPU.
func (t *launches) Wait(e *wait) {
	if e.Cause != trace.WaitIO {
		return
	}
	if l := t.of(e.process, e.Start); l != nil {
		l.io += e.Duration
	}
}

// Request adds a read at a topmost device.
func (t *launches) Request(e *request) {
	switch {
	case !e.ours:
		t.held(e)
	case e.device.level == 1:
		t.request(e)
	}
}

func (t *launches) request(e *request) {
	if e.Op != trace.ReqRead {
		return
	}
	l := t.of(e.process, e.Issued)
	if l == nil {
		return
	}
	l.device.Add(e.Issued, e.Completed, e.Bytes, e.Error != 0)
	if e.file != nil {
		l.file(e.file).device += e.Bytes
	}
	t.active(l, e.Completed)
}

// held counts what the command's own execve read to its launch: it is recorded
// only from its exec on, so its requests are among those of others, and its
// waits for them are not recorded.
func (t *launches) held(e *request) {
	if e.process == nil || e.Op != trace.ReqRead || e.Flags&trace.ReqRecorder != 0 {
		return
	}
	r := t.by.known(e.process.number)
	if r == nil || r.launch == nil || e.Issued >= r.launch.exec {
		return
	}
	r.launch.held += max(min(e.Completed, r.launch.exec)-max(queuedAt(e.Request), r.launch.last), 0)
	t.request(e)
}
