package analyzer

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// Analyze reads the trace at path, "-" for standard input, and says what
// happened in it. Damage, losses and a missing end are warnings of the
// profile; an error means that there is no trace to read. The trace is read
// twice, in streams: memory does not depend on its length.
func Analyze(path string, opt Options) (*Profile, error) {
	if path == "-" {
		return analyzeStream(os.Stdin, opt)
	}
	return analyze(path, path, opt)
}

// analyzeStream keeps what can be read only once in a file.
func analyzeStream(in io.Reader, opt Options) (p *Profile, err error) {
	spool, err := os.CreateTemp(opt.TempDir, "iotrace-*.iotrace")
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(spool.Name())) }()
	_, err = io.Copy(spool, in)
	if err = errors.Join(err, spool.Close()); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	return analyze(spool.Name(), "-", opt)
}

func analyze(path, name string, opt Options) (*Profile, error) {
	s := newSurvey()
	if err := reading(path, s.read); err != nil {
		return nil, err
	}
	a := newAnalysis(s, opt.withDefaults())
	if err := reading(path, a.read); err != nil {
		return nil, err
	}
	p := a.profile()
	p.Trace.File = name
	return p, nil
}

func reading(path string, read func(*trace.FileReader) error) error {
	r, err := trace.OpenFile(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := read(r); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value     *int
		otherwise int
	}{
		{&o.MaxFiles, 1000}, {&o.MaxCopies, 1000}, {&o.MaxSlices, 1000}, {&o.Bins, 600}, {&o.Lanes, 32}, {&o.Items, 20_000},
	} {
		if *d.value <= 0 {
			*d.value = d.otherwise
		}
	}
	return o
}

// analysis is the second reading: it sees every event in the order of starts.
type analysis struct {
	*survey
	opt       Options
	window    timeline.Window
	order     *timeline.Order
	stack     *timeline.Stack
	layers    []*layer
	calls     *callTable
	processes *processes
	reads     flow // of data, by calls and asynchronous operations
	writes    flow
	overall   *overall
	launches  *launches
	faults    flow
	metaCalls int64
	syncs     int64
	sum       timeline.Times
	trend     *trend
	speeds    *speeds
	charts    *charts
	books     *books
}

func newAnalysis(s *survey, opt Options) *analysis {
	a := &analysis{
		survey: s, opt: opt, window: s.window(), calls: newCallTable(s.header.Calls), processes: newProcesses(),
		overall: newOverall(), layers: s.devices.arrange(), books: newBooks(),
	}
	a.trend = newTrend(opt.Bins, max(a.window.End, s.last, 1))
	a.window.Bin = a.trend.label
	a.charts = newCharts(s, opt, a.trend)
	a.speeds = newSpeeds(s)
	a.stack = timeline.NewStack(a.window)
	a.launches = newLaunches(a.stack)
	a.order = timeline.NewOrder(&s.late, a, func(b *trace.Batch) { batches.Put(b) })
	return a
}

// read reads the trace again.
func (a *analysis) read(r *trace.FileReader) error {
	if err := stream(r, a.order.Add); err != nil {
		return err
	}
	a.order.Finish()
	a.sum = a.stack.Finish()
	return nil
}

// Process follows processes and threads.
func (a *analysis) Process(e *trace.Process) {
	a.processes.event(e)
	switch e.Action {
	case trace.ProcessFork:
		a.stack.Begin(e.PID, e.TID, e.Time)
	case trace.ProcessExec:
		a.stack.Begin(e.PID, e.PID, e.Time)
		p := a.processes.get(e.PID, e.Time)
		if parent := a.processes.byPID[p.Parent]; parent != nil && parent != p {
			a.launches.child(parent, p, e.Time)
		}
		a.launches.exec(p, e.Time)
	case trace.ProcessExit:
		a.stack.Exit(e.PID, 0, e.Time)
		a.launches.exit(a.processes.get(e.PID, e.Time), e.Time)
	}
}

// Syscall adds a call to everything that counts calls.
func (a *analysis) Syscall(e *trace.Syscall) {
	f, f2 := a.files.file(e.File), a.files.file(e.File2)
	p := a.processes.get(e.PID, e.Start)
	end := max(e.Start, e.End())
	a.stack.Call(e.PID, e.TID, class(e.Op, f, f2), e.Start, end)
	a.calls.syscall(e)
	p.call(e)
	if a.charts != nil {
		a.charts.lanes.call(e, f, f2)
	}
	bytes, failed := e.Bytes(), e.Result < 0
	if f != nil {
		s := f.stat()
		s.user(e.PID)
		s.op(e.Op, e.Duration, bytes, failed)
	}
	if f2 != nil && f2 != f {
		s := f2.stat()
		s.user(e.PID)
		s.op(e.Op, e.Duration, bytes, failed)
	}
	switch {
	case e.Op.MovesData():
		a.data(&access{
			op: e.Op, tid: e.TID, start: e.Start, end: end, bytes: bytes, asked: e.Requested, failed: failed, flags: e.Flags, filled: e.Filled,
			file: f, at: e.Offset, file2: f2, at2: e.Offset2,
		}, p)
	case e.Op.Metadata():
		a.metaCalls++
		if !failed && f != nil {
			a.books.metadata(e, f, p)
		}
	case failed || f == nil:
	case e.Op == trace.OpMmap:
		a.books.mmap(e, f, p)
	case e.Op == trace.OpClone || e.Op == trace.OpCloneRange || e.Op == trace.OpCopyfile:
		a.books.clone(e, f, f2, p)
	case e.Op.Durability():
		a.syncs++
	}
}

// AsyncOp adds an asynchronous operation.
func (a *analysis) AsyncOp(e *trace.AsyncOp) {
	f := a.files.file(e.File)
	p := a.processes.get(e.PID, e.Submit)
	end := max(e.Submit, e.Complete)
	a.calls.async(e)
	if a.charts != nil {
		a.charts.lanes.async(e, f)
	}
	p.async.add(e.Submit, end, e.Bytes(), e.Result < 0)
	if e.Op.MovesData() && e.Flags&trace.FlagDirect == 0 {
		a.stack.Buffered(e.Submit, end)
	}
	if f != nil {
		s := f.stat()
		s.user(e.PID)
		s.op(e.Op, end-e.Submit, e.Bytes(), e.Result < 0)
	}
	if e.Op.MovesData() {
		a.data(&access{
			op: e.Op, tid: e.TID, start: e.Submit, end: end, bytes: e.Bytes(), asked: e.Requested, failed: e.Result < 0, flags: e.Flags,
			file: f, at: e.Offset, api: e.API,
		}, p)
	}
}

// access is a call or an asynchronous operation that moves data.
type access struct {
	op           trace.Op
	tid          uint32 // that called, or submitted
	start, end   int64
	bytes, asked int64
	failed       bool
	api          trace.AsyncAPI // 0 for a call
	flags        trace.IOFlags
	filled       int64
	file, file2  *file
	at, at2      int64
}

// data adds an access to its files, its process and the whole. Only files that
// hold data count for the whole: not pipes, sockets and terminals.
func (a *analysis) data(x *access, p *process) {
	reads, writes := false, false
	if f := x.file; f != nil && x.op.Reads() {
		f.stat().input(x.start, x.end, x.at, x.bytes, x.failed)
		if f.data() {
			a.launches.read(p, f, x.start, x.end, x.bytes)
			f.stats.jump(f, p.PID, x)
			a.reads.add(x.start, x.end, x.bytes, x.failed)
			p.read.add(x.start, x.end, x.bytes, x.failed)
			reads = true
			if x.flags&trace.FlagDirect == 0 {
				f.stats.cached += x.bytes
				f.stats.filled += x.filled
				if x.file2 != nil { // the destination's pages are in it too
					f.stats.filled -= min(x.filled, x.bytes)
				}
			}
		}
	}
	out, at := x.file2, x.at2
	if x.op == trace.OpWrite {
		out, at = x.file, x.at
	}
	if out != nil {
		out.stat().output(x.start, x.end, at, x.bytes, x.failed)
		if out.data() {
			a.launches.wrote(p, x.start, x.bytes)
			a.writes.add(x.start, x.end, x.bytes, x.failed)
			p.write.add(x.start, x.end, x.bytes, x.failed)
			writes = true
		}
	}
	a.books.access(x, p)
	if out != nil {
		out.size = max(out.size, at+x.bytes)
	}
	if reads || writes {
		a.overall.access(x)
		a.overall.modes.add(x, reads, writes)
		a.charts.access(x, reads, writes)
		if reads {
			a.speeds.read.add(x.start, x.end, x.bytes, x.flags&trace.FlagDirect != 0)
		}
		if writes {
			a.speeds.write.add(x.start, x.end, x.bytes, x.flags&trace.FlagDirect != 0)
		}
	}
}

// Fault adds a page fault that had to wait.
func (a *analysis) Fault(e *trace.Fault) {
	end := e.Start + max(e.Duration, 0)
	a.stack.Call(e.PID, e.TID, timeline.OtherClass, e.Start, end)
	p := a.processes.get(e.PID, e.Start)
	p.faults++
	p.faultTime += e.Duration
	a.faults.add(e.Start, end, e.Filled, false)
	f := a.files.file(e.File)
	if f != nil {
		s := f.stat()
		s.user(e.PID)
		s.fault(e)
	}
	a.launches.fault(e, p, f)
	if a.charts != nil {
		a.charts.lanes.fault(e, f)
	}
}

// Wait adds a time off the CPU.
func (a *analysis) Wait(e *trace.Wait) {
	a.stack.Wait(e.PID, e.TID, cause(e.Cause), e.Start, e.Start+max(e.Duration, 0))
	p := a.processes.get(e.PID, e.Start)
	p.wait(e)
	a.launches.wait(e, p)
	if a.charts != nil {
		a.charts.lanes.wait(e)
	}
}

// Queued adds the time a request waited in the block layer.
func (a *analysis) Queued(start, end int64, flags trace.ReqFlags) {
	if flags&(trace.ReqForeign|trace.ReqRecorder) == 0 {
		a.stack.Queued(start, end)
	}
}

// Request adds a block request.
func (a *analysis) Request(e *trace.Request) {
	d := a.devices.get(e.Device)
	d.request(e)
	if others(e) {
		a.trend.foreign[a.trend.at(e.Completed)] += e.Bytes
		return
	}
	a.speeds.request(e)
	a.stack.Request(direction(e.Op), e.Issued, max(e.Issued, e.Completed))
	if d.level == 1 {
		a.overall.request(e)
		a.requester(e)
	}
	if a.charts != nil {
		a.charts.curves.request(e)
		a.charts.lanes.request(e, a.files.file(e.File))
	}
	pieces(e, func(id trace.FileID, _, bytes int64) {
		if f := a.files.file(id); f != nil && (f.top == d || f.other && d.level == 1) {
			f.stat().request(e, bytes)
		}
	})
}

// requester adds a request to the process it was done for.
func (a *analysis) requester(e *trace.Request) {
	pid := e.Owner
	if pid == 0 {
		pid = e.PID
	}
	p := a.processes.byPID[pid]
	a.launches.request(e, p, a.files.file(e.File))
	switch {
	case p == nil:
	case e.Op == trace.ReqRead:
		p.devRead += e.Bytes
	case e.Op == trace.ReqWrite:
		p.devWrite += e.Bytes
	}
}

// class is what kind of call the time stack takes a call for.
func class(op trace.Op, f, f2 *file) timeline.Class {
	switch {
	case op.MovesData():
		if f != nil && f.data() || f2 != nil && f2.data() {
			return timeline.DataCall
		}
		return timeline.OtherClass
	case op.Durability():
		return timeline.SyncCall
	case op == trace.OpUringEnter || op == trace.OpAIOSubmit || op == trace.OpAIOGetEvents:
		return timeline.AsyncCall
	case op.Metadata(), op == trace.OpClone, op == trace.OpCloneRange, op == trace.OpMmap, op == trace.OpMunmap:
		return timeline.MetaCall
	}
	return timeline.OtherClass
}
