package survey

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// A process that the recorder took for another's, as its start had not come through yet, is none that was not recorded.
func TestHoldersWereNotRecorded(t *testing.T) {
	s := New(trace.Header{})
	s.Batch(&trace.Batch{Processes: []trace.Process{{Time: 5, Action: trace.ProcessFork, PID: 42, TID: 42, Parent: 7}}})
	own := trace.Holder{What: trace.HeldPipe, Inode: 9, PID: 42, Command: "dd"}
	other := trace.Holder{What: trace.HeldLock, Inode: 8, PID: 43, Command: "postgres"}
	s.Ended(trace.End{Holders: []trace.Holder{own, other}}, true, 0)
	p := Profile(s, timeline.Window{}, 0)
	want := profile.Holder{What: "lock", Inode: 8, PID: 43, Command: "postgres"}
	if len(p.Trace.Holders) != 1 || p.Trace.Holders[0] != want {
		t.Errorf("%+v", p.Trace.Holders)
	}
}
