package usage

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// TimeStack gives every instant a label. The stack is made beforehand:
// others take marks of it, or see its labels pass.
type TimeStack struct {
	*timeline.Stack
	survey *survey.Survey
	path   pathKinds // nil where there is none
}

// pathKinds knows the time of each kind where the critical path is recorded, and the part of Ready in which a processor
// woke up.
type pathKinds interface {
	Kinds() (sum [timeline.NumKinds]int64, waking int64)
}

// NewTimeStack makes a collector.
func NewTimeStack(stack *timeline.Stack, s *survey.Survey) TimeStack {
	return TimeStack{Stack: stack, survey: s}
}

// Along has the time divided by the critical path.
func (c TimeStack) Along(p pathKinds) TimeStack {
	c.path = p
	return c
}

// Life follows threads.
func (c TimeStack) Life(e *world.Life) {
	switch e.Action {
	case trace.ProcessFork:
		c.Begin(e.PID, e.TID, e.Time)
	case trace.ProcessPresent:
		if c.survey.ComputingFirst(e.PID) {
			c.Begin(e.PID, e.PID, e.Time)
		}
	case trace.ProcessExec:
		c.Begin(e.PID, e.PID, e.Time)
	case trace.ProcessExit:
		c.Exit(e.PID, 0, e.Time)
	}
}

// Call adds a call.
func (c TimeStack) Call(e *world.Call) {
	c.Stack.Call(e.PID, e.TID, class(e), e.Start, max(e.Start, e.End()))
}

// Async adds an asynchronous operation that goes through the page cache.
func (c TimeStack) Async(e *world.Async) {
	if e.Op.MovesData() && e.Flags&trace.FlagDirect == 0 {
		c.Buffered(e.Submit, max(e.Submit, e.Complete))
	}
}

// Fault adds a page fault that had to wait.
func (c TimeStack) Fault(e *world.Fault) {
	c.Stack.Call(e.PID, e.TID, timeline.OtherClass, e.Start, e.Start+max(e.Duration, 0))
}

// Wait adds a time off the CPU.
func (c TimeStack) Wait(e *world.Wait) {
	c.Stack.Wait(e.PID, e.TID, cause(e.Cause), e.Start, e.Start+max(e.Duration, 0))
}

// Queued adds the time a request waited in the block layer.
func (c TimeStack) Queued(e *world.Request) { c.Stack.Queued(e.TID, e.Queued, e.Issued) }

// Request adds a block request.
func (c TimeStack) Request(e *world.Request) {
	if e.Ours {
		c.Stack.Request(e.TID, direction(e.Op), e.Issued, max(e.Issued, e.Completed))
	}
}

// Finish says how long each label held.
func (c TimeStack) Finish(p *profile.Profile) {
	sum := c.Stack.Finish()
	var parts []profile.StackPart
	if c.path != nil {
		parts, sum.Label, sum.Waking = alongPath(c.path)
	}
	t := profile.TimeStack{TotalNS: c.End - c.Start, WallNS: c.Wall - c.Start, WakingNS: sum.Waking, Parts: parts,
		ThreadNS: sum.ThreadTimes()}
	for l, ns := range sum.Label {
		s := profile.StackSlice{Label: timeline.Label(l).String(), Group: labelTexts[l].group, NS: ns,
			Text: labelTexts[l].text}
		if text, ok := withoutRequests[timeline.Label(l)]; ok && !c.survey.SeesRequests() {
			s.Text = text
		}
		if text, ok := withoutCalls[timeline.Label(l)]; ok && !c.survey.SeesCalls() {
			s.Text = text
		}
		if t.TotalNS > 0 {
			s.Share = float64(ns) / float64(t.TotalNS)
		}
		t.Slices = append(t.Slices, s)
	}
	p.TimeStack = t
}

// alongPath is the time on the path: of each kind, under each label, and that in which a processor woke up.
func alongPath(p pathKinds) (parts []profile.StackPart, sum [timeline.NumLabels]int64, waking int64) {
	kinds, waking := p.Kinds()
	for i, ns := range kinds {
		k := timeline.Kind(i)
		if sum[k.Label()] += ns; ns > 0 {
			parts = append(parts, profile.StackPart{Label: k.Label().String(), Within: k.Within(), NS: ns})
		}
	}
	return parts, sum, waking
}

// labelTexts says what each label means, and which group it belongs to.
var labelTexts = [timeline.NumLabels]struct{ group, text string }{
	timeline.DeviceBoth:  {"device", "device busy with reads and writes"},
	timeline.DeviceRead:  {"device", "device reading"},
	timeline.DeviceWrite: {"device", "device writing"},
	timeline.DeviceOther: {"device", "device flushing or discarding"},
	timeline.Queued:      {"device", "queued in the I/O scheduler"},
	timeline.Throttled:   {"call", "throttled: too many dirty pages"},
	timeline.Sync:        {"call", "in fsync, waiting for the file system"},
	timeline.PageCache:   {"call", "copying to or from the page cache"},
	timeline.Metadata:    {"call", "metadata calls (open, stat, mkdir, fallocate)"},
	timeline.OtherCall:   {"call", "other system calls"},
	timeline.CPU:         {"outside", "user CPU (outside of I/O calls)"},
	timeline.Ready:       {"outside", "runnable, waiting for a CPU"},
	timeline.IOWait:      {"call", "waiting for I/O, device idle (throttled, or not recorded)"},
	timeline.Blocked:     {"call", "blocked in a call: a lock, the file system's journal, a pipe"},
	timeline.Waiting:     {"outside", "all threads sleeping (not in I/O)"},
	timeline.Outside:     {"outside", "outside of recorded calls"},
	timeline.Draining:    {"after", "write-back after exit"},
}

// withoutRequests are the texts where it is not seen whether there were requests.
var withoutRequests = map[timeline.Label]string{
	timeline.Sync:      "in fsync and the like",
	timeline.PageCache: "in read and write calls",
}

// withoutCalls is the text where calls are not seen.
var withoutCalls = map[timeline.Label]string{timeline.Outside: "no request in flight"}

// class is what kind of call the time stack takes a call for.
func class(e *world.Call) timeline.Class {
	f, f2 := e.File, e.File2
	data := f != nil && f.Data() || f2 != nil && f2.Data()
	if e.Op.MovesData() && !data && e.Awaits {
		return timeline.AskedCall
	}
	return timeline.ClassOf(e.Op, data)
}

// direction of a request, for the time stack and for flows.
func direction(op trace.ReqOp) timeline.Direction {
	switch op {
	case trace.ReqRead:
		return timeline.Read
	case trace.ReqWrite:
		return timeline.Write
	}
	return timeline.OtherRequest
}

func cause(c trace.WaitCause) timeline.Cause {
	switch c {
	case trace.WaitIO:
		return timeline.WaitIO
	case trace.WaitThrottle:
		return timeline.WaitThrottle
	case trace.WaitCall:
		return timeline.WaitCall
	case trace.WaitReady:
		return timeline.WaitReady
	}
	return timeline.WaitOther
}
