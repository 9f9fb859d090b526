package path

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// Whatever the events are, each instant is in one segment, and the next begins where one ends.
func TestConnected(t *testing.T) {
	const end = 100
	thread := rapid.OneOf(rapid.Uint32Range(1, 5), rapid.Uint32Range(150, 152), rapid.Just[uint32](250))
	moment := rapid.Int64Range(0, end+20)
	actions := rapid.SampledFrom([]trace.ProcessAction{trace.ProcessFork, trace.ProcessExit, trace.ProcessHelper})
	event := rapid.Custom(func(t *rapid.T) any {
		id, a, b := thread.Draw(t, "thread"), moment.Draw(t, "a"), moment.Draw(t, "b")
		a, b = min(a, b), max(a, b)
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return call(id, trace.OpRead, a, b)
		case 1:
			return trace.Fault{TID: id, Start: a, Duration: b - a}
		case 2:
			return trace.Request{TID: id, Queued: max(-1, a-5), Issued: a, Completed: b}
		case 3:
			return trace.Process{TID: id, PID: id, Parent: thread.Draw(t, "parent"), Time: a,
				Action: actions.Draw(t, "action")}
		}
		w := trace.Wait{TID: id, Start: a, Duration: b - a, Waker: thread.Draw(t, "waker"),
			By:    trace.WakeSource(rapid.IntRange(0, 5).Draw(t, "by")),
			Cause: trace.WaitCause(rapid.IntRange(0, 10).Draw(t, "cause"))}
		w.Ready = rapid.Int64Range(0, w.Duration).Draw(t, "ready")
		w.Completed = rapid.Int64Range(0, w.Woken()).Draw(t, "completed")
		return w
	})
	rapid.Check(t, func(t *rapid.T) {
		wall := rapid.Int64Range(0, end).Draw(t, "wall")
		list := drained(Span{0, wall, end}, rapid.SliceOfN(event, 0, 40).Draw(t, "events")...)
		at := int64(0)
		for _, s := range list {
			if s.From != at || (s.What == Drains) != (s.From >= wall) || s.To <= s.From || s.Depth > maxDepth {
				t.Fatalf("at %d: %s", at, text(list))
			}
			at = s.To
		}
		if at != end {
			t.Fatalf("the path ends at %d: %s", at, text(list))
		}
	})
}
