package path

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// The same request counts as the device's time, or not, by whose thread waits for it.
func TestLabel(t *testing.T) {
	read, sync := Call{Op: trace.OpRead, In: true}, Call{Op: trace.OpSync, In: true}
	for _, c := range []struct {
		name  string
		key   Key
		whose Whose
		want  timeline.Label
	}{
		{"a read of the workload", Key{What: Service, Request: Request{Op: trace.ReqRead}, Call: read},
			Workload, timeline.DeviceRead},
		{"the journal's flush", Key{What: Service, Request: Request{Op: trace.ReqFlush}, Call: sync},
			Kernel, timeline.DeviceOther},
		{"a daemon's read", Key{What: Service, Request: Request{Op: trace.ReqRead}, Call: read}, Others, timeline.Blocked},
		{"a daemon that runs", Key{What: Runs, Call: read}, Others, timeline.Blocked},
		{"the journal that runs", Key{What: Runs, Call: sync}, Kernel, timeline.Sync},
		{"write-back that a write waits for", Key{What: Unseen, Call: Call{Op: trace.OpWrite, In: true}}, Kernel,
			timeline.Throttled},
		{"write-back that umount waits for", Key{What: Unseen}, Kernel, timeline.Sync},
		{"what is typed that poll waits for", Key{What: Unseen, Call: Call{Polls: true}}, Kernel, timeline.Waiting},
		{"another program that is waited for in poll", Key{What: Unseen}, Others, timeline.Waiting},
		{"a sleep", Key{What: Sleeps}, Workload, timeline.Waiting},
		{"a lock", Key{What: Unknown, Call: Call{Op: trace.OpLock, In: true}}, Workload, timeline.Blocked},
		{"a limit", Key{What: Queued, Call: read}, Workload, timeline.Queued},
	} {
		if got := Label(&c.key, c.whose, true); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
