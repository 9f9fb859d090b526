package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// moments follows what happened when: the time stack, starts of programs,
// curves and charts.
type moments struct {
	survey   *survey
	stack    *timeline.Stack
	sum      timeline.Times
	trend    *trend
	speeds   *speeds
	overall  *overall
	launches *launches
	starters *processes // of launches; the processes of the profile are another table
	charts   *charts
	begins   []begin // still to come
}

func newMoments(s *survey, opt Options, w timeline.Window) *moments {
	m := &moments{survey: s, overall: newOverall(), speeds: newSpeeds(s), starters: newProcesses(), begins: s.begins}
	m.trend = newTrend(opt.Bins, max(w.End, s.last, 1))
	m.charts = newCharts(s, opt, m.trend)
	w.Bin = func(l timeline.Label, from, to int64) {
		m.trend.label(l, from, to)
		m.charts.label(l, from, to)
	}
	m.stack = timeline.NewStack(w)
	m.launches = newLaunches(m.stack)
	return m
}

// Process follows threads and starts of programs.
func (m *moments) Process(e *trace.Process) {
	m.reached(e.Time)
	m.starters.event(e)
	switch e.Action {
	case trace.ProcessFork:
		m.stack.Begin(e.PID, e.TID, e.Time)
	case trace.ProcessExec:
		m.stack.Begin(e.PID, e.PID, e.Time)
		p := m.starters.get(e.PID, e.Time)
		if parent := m.starters.byPID[p.Parent]; parent != nil && parent != p {
			m.launches.child(parent, p, e.Time)
		}
		m.launches.exec(p, e.Time)
	case trace.ProcessExit:
		m.stack.Exit(e.PID, 0, e.Time)
		m.launches.exit(m.starters.get(e.PID, e.Time), e.Time)
	}
}

// Syscall adds a call.
func (m *moments) Syscall(e *trace.Syscall) {
	m.reached(e.Start)
	f, f2 := m.survey.files.file(e.File), m.survey.files.file(e.File2)
	m.stack.Call(e.PID, e.TID, class(e.Op, f, f2), e.Start, max(e.Start, e.End()))
	if m.charts != nil {
		m.charts.lanes.call(e, f, f2)
	}
	if e.Op.MovesData() {
		x := callAccess(e, f, f2)
		m.data(&x, m.starters.get(e.PID, e.Start))
	}
}

// AsyncOp adds an asynchronous operation.
func (m *moments) AsyncOp(e *trace.AsyncOp) {
	m.reached(e.Submit)
	f := m.survey.files.file(e.File)
	x := asyncAccess(e, f)
	if m.charts != nil {
		m.charts.lanes.async(e, f)
	}
	if e.Op.MovesData() {
		if !x.direct() {
			m.stack.Buffered(x.start, x.end)
		}
		m.data(&x, m.starters.get(e.PID, e.Submit))
	}
}

// data adds an access to files that hold data.
func (m *moments) data(x *access, p *process) {
	reads, writes := x.counts()
	if reads {
		m.launches.read(p, x.file, x.start, x.end, x.bytes)
		m.speeds.read.add(x.start, x.end, x.bytes, x.direct())
	}
	if writes {
		m.launches.wrote(p, x.start, x.bytes)
		m.speeds.write.add(x.start, x.end, x.bytes, x.direct())
	}
	if reads || writes {
		m.overall.access(x)
		m.charts.access(x, reads, writes)
	}
}

// Fault adds a page fault that had to wait.
func (m *moments) Fault(e *trace.Fault) {
	m.reached(e.Start)
	f := m.survey.files.file(e.File)
	m.stack.Call(e.PID, e.TID, timeline.OtherClass, e.Start, e.Start+max(e.Duration, 0))
	m.launches.fault(e, m.starters.get(e.PID, e.Start), f)
	if m.charts != nil {
		m.charts.lanes.fault(e, f)
	}
}

// Wait adds a time off the CPU.
func (m *moments) Wait(e *trace.Wait) {
	m.reached(e.Start)
	m.stack.Wait(e.PID, e.TID, cause(e.Cause), e.Start, e.Start+max(e.Duration, 0))
	m.launches.wait(e, m.starters.get(e.PID, e.Start))
	if m.charts != nil {
		m.charts.lanes.wait(e)
	}
}

// Queued adds the time a request waited in the block layer.
func (m *moments) Queued(e *trace.Request) {
	m.reached(e.Queued)
	if !others(e) {
		m.stack.Queued(e.TID, e.Queued, e.Issued)
	}
}

// Request adds a block request.
func (m *moments) Request(e *trace.Request) {
	m.reached(e.Issued)
	if others(e) {
		m.held(e)
		m.trend.foreign[m.trend.at(e.Completed)] += e.Bytes
		return
	}
	d := m.survey.devices.byID[e.Device]
	m.speeds.request(e)
	m.stack.Request(e.TID, direction(e.Op), e.Issued, max(e.Issued, e.Completed))
	if d != nil && d.level == 1 {
		m.overall.request(e)
		m.launches.request(e, m.starters.byPID[requester(e)], m.survey.files.file(e.File))
	}
	if m.charts != nil {
		m.charts.curves.request(e)
		m.charts.lanes.request(e, m.survey.files.file(e.File))
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
