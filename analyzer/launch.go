package analyzer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

const (
	quiet      = int64(1e9)  // ns without a read that end a launch
	longLaunch = int64(60e9) // a launch that has not ended by then is no launch any more
	output     = int64(1e6)  // bytes written by which a program is at work
	maxLaunch  = 64          // launches that are listed
)

// launch is the start of a program, from its exec until it has read nothing for
// a while, is at work, or has ended. It is at work when it has written as much
// as only results are (less may be caches and settings), or when it has run
// another program: a shell that begins with its script. Children that run the
// same program are a part of the start.
type launch struct {
	process     *process
	exe         string
	args        []string
	written     int64
	start, last int64 // last: end of the last read
	over        bool
	until       string
	marked      bool // a mark at last is set
	first, sum  timeline.Times
	readCalls   int64
	readBytes   int64
	faults      int64
	faultBytes  int64
	device      flow
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

// exec begins a launch.
func (t *launches) exec(p *process, at int64) {
	if p.launch != nil {
		t.end(p.launch, at, "exec")
	}
	if len(t.list) >= 4096 {
		return
	}
	l := &launch{process: p, exe: p.Exe, args: p.Args, start: at, last: at, files: map[*file]*launched{}}
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
	l.device.add(e.Issued, e.Completed, e.Bytes, e.Error != 0)
	if f != nil {
		l.file(f).device += e.Bytes
	}
	t.active(l, e.Completed)
}

// listLaunches puts the launches into the profile: that of the command, and of
// every program that was read from the disk for long enough to matter.
func (a *analysis) listLaunches(p *Profile) {
	p.Launches = []Launch{}
	list := slices.Clone(a.launches.list)
	slices.SortStableFunc(list, func(a, b *launch) int {
		return cmp.Compare(b.sum.Sub(b.first).Disk, a.sum.Sub(a.first).Disk)
	})
	var command *launch // the last program of the first process: shims run others in their place
	for _, l := range a.launches.list {
		if l.process == a.launches.list[0].process {
			command = l
		}
	}
	for _, l := range list {
		main := l == command
		if len(p.Launches) >= maxLaunch || !main && l.device.bytes < 1<<20 && l.faults < 10 {
			continue
		}
		p.Launches = append(p.Launches, a.launch(l))
	}
	slices.SortStableFunc(p.Launches, func(a, b Launch) int { return cmp.Compare(a.StartNS, b.StartNS) })
}

func (a *analysis) launch(l *launch) Launch {
	if !l.over {
		l.until = "recording"
		if a.last-l.last > quiet {
			l.until = "quiet"
		}
	}
	spent := l.sum.Sub(l.first)
	r := Launch{
		PID: l.process.PID, Exe: l.exe, Args: l.args, StartNS: l.start, WallNS: max(l.last-l.start, 0), Until: l.until,
		DiskNS: spent.Disk, BlockedNS: l.io, CPUNS: spent.Running(), ReadCalls: l.readCalls, ReadBytes: l.readBytes,
		Faults: l.faults, FaultBytes: l.faultBytes, Device: l.device.flow(l.last - l.start), State: "unknown",
	}
	if !a.window.Waits {
		r.DiskNS, r.BlockedNS, r.CPUNS = Unknown, Unknown, Unknown
	}
	if l.until == "exit" && l.process.CPUNS > 0 {
		r.CPUNS = l.process.CPUNS
	}
	r.SavingNS = max(r.DiskNS, 0)
	r.BestNS = r.WallNS - r.SavingNS
	r.Kinds = l.kinds()
	if a.seesRequests() {
		switch used := l.readBytes + l.faultBytes; {
		case r.DiskNS >= 0 && r.DiskNS*50 < r.WallNS: // of what was mapped and in memory nothing is seen
			r.State = "warm"
		case used > 0 && l.device.bytes*2 > used:
			r.State = "cold"
		case l.device.bytes*20 <= used:
			r.State = "warm"
		default:
			r.State = "mixed"
		}
	}
	return r
}

// kinds says what kinds of files a launch read.
func (l *launch) kinds() []LaunchKind {
	sums := map[string]*LaunchKind{}
	for f, x := range l.files {
		k := kindOf(f, l.exe)
		if sums[k] == nil {
			sums[k] = &LaunchKind{Kind: k}
		}
		sums[k].Files++
		sums[k].Bytes += x.bytes
		sums[k].DeviceBytes += x.device
	}
	list := []LaunchKind{}
	for _, k := range sortedKeys(sums) {
		list = append(list, *sums[k])
	}
	slices.SortStableFunc(list, func(a, b LaunchKind) int {
		return cmp.Compare(b.DeviceBytes+b.Bytes, a.DeviceBytes+a.Bytes)
	})
	return list
}

// kindOf sorts a file by its name: the program itself, code it loads, what
// belongs to the system, its data.
func kindOf(f *file, exe string) string {
	name := path.Base(f.path)
	ext := path.Ext(name)
	switch {
	case f.path == exe:
		return "program"
	case ext == ".so" || strings.Contains(name, ".so.") || ext == ".dylib" || ext == ".py" || ext == ".pyc" || ext == ".jar" || ext == ".node":
		return "library"
	case strings.HasPrefix(f.path, "/etc/") || strings.HasPrefix(f.path, "/usr/share/") || strings.HasPrefix(f.path, "/usr/lib/locale/") ||
		strings.HasPrefix(f.path, "/proc/") || strings.HasPrefix(f.path, "/sys/") || strings.HasPrefix(f.path, "/System/"):
		return "system"
	}
	return "data"
}
