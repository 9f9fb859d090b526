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

// launches follows the programs that were started.
type launches struct {
	stack *timeline.Stack
	list  []*launch
}

func newLaunches(s *timeline.Stack) *launches {
	return &launches{stack: s}
}

// exec names the program that a process runs from now on; its launch begins
// now if execve read nothing.
func (t *launches) exec(p *process, at int64) {
	if p.launch == nil || p.launch.exec != at {
		t.begin(p, at, at)
	}
	if l := p.launch; l != nil {
		l.exe, l.args = p.Exe, p.Args
	}
}

// begin begins a launch of the program that runs from exec on.
func (t *launches) begin(p *process, at, exec int64) {
	if p.launch != nil {
		t.end(p.launch, at, "exec")
	}
	if len(t.list) >= maxBegins {
		return
	}
	l := &launch{process: p, start: at, last: at, exec: exec, files: map[*file]*launched{}}
	p.launch = l
	t.list = append(t.list, l)
	t.stack.Mark(at, func(sum timeline.Times) { l.first, l.sum = sum, sum })
}

// of returns the running launch of a process, nil if it has none any more.
func (t *launches) of(p *process, at int64) *launch {
	if p == nil || p.launch == nil {
		return nil
	}
	l := p.launch
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
	l.process.launch = nil
}

// exit ends the launch of a process that ends.
func (t *launches) exit(p *process, at int64) {
	if l := t.of(p, at); l != nil {
		t.end(l, at, "exit")
	}
}

// child ends the launch of a process of which a child runs another program.
func (t *launches) child(parent, child *process, at int64) {
	if l := t.of(parent, at); l != nil && child.Exe != l.exe {
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
	t.stack.Mark(at, func(sum timeline.Times) {
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

func (t *launches) read(p *process, f *file, start, end, bytes int64) {
	l := t.of(p, start)
	if l == nil || f == nil || !f.data() {
		return
	}
	l.readCalls++
	l.readBytes += bytes
	l.file(f).bytes += bytes
	t.active(l, end)
}

func (t *launches) fault(e *trace.Fault, p *process, f *file) {
	l := t.of(p, e.Start)
	if l == nil {
		return
	}
	l.faults++
	l.faultBytes += e.Filled
	if f != nil {
		l.file(f)
	}
	t.active(l, e.Start+max(e.Duration, 0))
}

func (t *launches) wait(e *trace.Wait, p *process) {
	if e.Cause != trace.WaitIO {
		return
	}
	if l := t.of(p, e.Start); l != nil {
		l.io += e.Duration
	}
}

func (t *launches) request(e *trace.Request, p *process, f *file) {
	if e.Op != trace.ReqRead {
		return
	}
	l := t.of(p, e.Issued)
	if l == nil {
		return
	}
	l.device.Add(e.Issued, e.Completed, e.Bytes, e.Error != 0)
	if f != nil {
		l.file(f).device += e.Bytes
	}
	t.active(l, e.Completed)
}
