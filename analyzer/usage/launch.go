package usage

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
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
	process     *world.Process
	exe         string
	args        []string
	written     int64
	exec        int64 // when execve was done
	held        int64 // time that execve of the command spent on the disk, which is not in the time stack
	start, last int64 // last: end of the last read
	over        bool
	until       string
	marked      bool // a mark is set
	markedAt    int64
	taken       func(*timeline.Times) // what the mark calls
	first, sum  timeline.Times
	readCalls   int64
	readBytes   int64
	faults      int64
	faultBytes  int64
	device      measure.Flow
	io          int64 // thread time blocked on I/O
	files       map[*world.File]*launched
}

type launched struct{ bytes, device int64 }

// clock knows how much time passed under each label.
type clock interface {
	// Mark calls f with the sums up to a time, once they are known. They are valid until f returns.
	Mark(at int64, f func(*timeline.Times))
}

// Launches follows the programs that were started.
type Launches struct {
	clock clock
	list  []*launch
	by    world.Table[running]

	last     int64 // end of the recording
	waits    bool  // that were recorded
	requests bool
}

// running is the launch of a process that is under way, if there is one.
type running struct{ launch *launch }

func NewLaunches(c clock, s *survey.Survey) *Launches {
	return &Launches{clock: c, last: s.Last, waits: s.SeesWaits(), requests: s.SeesRequests()}
}

// Start begins a launch inside execve.
func (t *Launches) Start(e *world.Start) { t.begin(e.Process, e.At, e.Exec) }

// Life follows the programs that processes run.
func (t *Launches) Life(e *world.Life) {
	switch e.Action {
	case trace.ProcessExec:
		if e.Parent != nil {
			t.child(e.Parent, e.Exe, e.Time)
		}
		t.exec(e)
	case trace.ProcessExit:
		t.exit(e.Who, e.Time)
	}
}

// exec names the program that a process runs from now on; its launch begins
// now if execve read nothing.
func (t *Launches) exec(e *world.Life) {
	r := t.by.Of(e.Who.Number)
	if r.launch == nil || r.launch.exec != e.Time {
		t.begin(e.Who, e.Time, e.Time)
	}
	if l := r.launch; l != nil {
		l.exe, l.args = e.Exe, world.Arguments(e.Args)
	}
}

// begin begins a launch of the program that runs from exec on.
func (t *Launches) begin(p *world.Process, at, exec int64) {
	r := t.by.Of(p.Number)
	if r.launch != nil {
		t.end(r.launch, at, "exec")
	}
	if len(t.list) >= survey.MaxBegins {
		return
	}
	l := &launch{process: p, start: at, last: at, exec: exec, files: map[*world.File]*launched{}}
	l.taken = func(sum *timeline.Times) { t.taken(l, sum) }
	r.launch = l
	t.list = append(t.list, l)
	t.clock.Mark(at, func(sum *timeline.Times) { l.first, l.sum = *sum, *sum })
}

// of returns the running launch of a process, nil if it has none any more.
func (t *Launches) of(p *world.Process, at int64) *launch {
	if p == nil {
		return nil
	}
	r := t.by.Known(p.Number)
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
func (t *Launches) end(l *launch, at int64, until string) {
	l.over, l.until = true, until
	if at > l.last {
		l.last = at
		t.mark(l)
	}
	t.by.Of(l.process.Number).launch = nil
}

// exit ends the launch of a process that ends.
func (t *Launches) exit(p *world.Process, at int64) {
	if l := t.of(p, at); l != nil {
		t.end(l, at, "exit")
	}
}

// child ends the launch of a process of which a child runs another program.
func (t *Launches) child(parent *world.Process, exe string, at int64) {
	if l := t.of(parent, at); l != nil && exe != l.exe {
		t.end(l, at, "child")
	}
}

// wrote ends the launch of a process that has written more than a start does,
// at the beginning of the write that did it.
func (t *Launches) wrote(p *world.Process, at, bytes int64) {
	if l := t.of(p, at); l != nil {
		if l.written += bytes; l.written >= output {
			t.end(l, at, "output")
		}
	}
}

// active notes that a launch read something until a time.
func (t *Launches) active(l *launch, until int64) {
	l.last = max(l.last, until)
	t.mark(l)
}

// mark has the sums taken at the end of the last read.
func (t *Launches) mark(l *launch) {
	if l.marked {
		return
	}
	l.marked, l.markedAt = true, l.last
	t.clock.Mark(l.last, l.taken)
}

// taken notes the sums that were marked; should there be a later read by then, they are taken again at the end of that.
func (t *Launches) taken(l *launch, sum *timeline.Times) {
	if l.marked = false; l.last > l.markedAt {
		t.mark(l)
		return
	}
	l.sum = *sum
}

func (l *launch) file(f *world.File) *launched {
	x := l.files[f]
	if x == nil {
		x = new(launched)
		l.files[f] = x
	}
	return x
}

// Data adds data moved to or from files that hold data.
func (t *Launches) Data(x *world.Access) {
	if x.Reads {
		if l := t.of(x.Process, x.Start); l != nil {
			l.readCalls++
			l.readBytes += x.Bytes
			l.file(x.File).bytes += x.Bytes
			t.active(l, x.End)
		}
	}
	if x.Writes {
		t.wrote(x.Process, x.Start, x.Bytes)
	}
}

// Fault adds a page fault that had to wait.
func (t *Launches) Fault(e *world.Fault) {
	l := t.of(e.Process, e.Start)
	if l == nil {
		return
	}
	l.faults++
	l.faultBytes += e.Filled
	if e.File != nil {
		l.file(e.File)
	}
	t.active(l, e.Start+max(e.Duration, 0))
}

// Wait adds a time off the CPU.
func (t *Launches) Wait(e *world.Wait) {
	if e.Cause != trace.WaitIO {
		return
	}
	if l := t.of(e.Process, e.Start); l != nil {
		l.io += e.Duration
	}
}

// Request adds a read that the workload asked for.
func (t *Launches) Request(e *world.Request) {
	switch {
	case !e.Ours:
		t.held(e)
	case e.Direct:
		t.request(e)
	}
}

func (t *Launches) request(e *world.Request) {
	if e.Op != trace.ReqRead {
		return
	}
	l := t.of(e.Process, e.Issued)
	if l == nil {
		return
	}
	l.device.Add(e.Issued, e.Completed, e.Bytes, e.Error != 0)
	if e.File != nil {
		l.file(e.File).device += e.Bytes
	}
	t.active(l, e.Completed)
}

// held counts what the command's own execve read to its launch: it is recorded
// only from its exec on, so its requests are among those of others, and its
// waits for them are not recorded.
func (t *Launches) held(e *world.Request) {
	if e.Process == nil || e.Op != trace.ReqRead || e.Flags&trace.ReqRecorder != 0 {
		return
	}
	r := t.by.Known(e.Process.Number)
	if r == nil || r.launch == nil || e.Issued >= r.launch.exec {
		return
	}
	r.launch.held += max(min(e.Completed, r.launch.exec)-max(world.QueuedAt(e.Request), r.launch.last), 0)
	t.request(e)
}
