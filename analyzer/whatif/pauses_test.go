package whatif

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// A program without its pauses does not sleep; it waits for a server, or for who holds a lock, as long as before.
func TestPauses(t *testing.T) {
	const ms = int64(1e6)
	for cause, left := range map[trace.WaitCause]int64{
		trace.WaitSleep: 20 * ms, trace.WaitOther: 20 * ms, trace.WaitFutex: 20 * ms,
		trace.WaitPoll: 100 * ms, trace.WaitCall: 100 * ms,
	} {
		end := trace.End{Duration: 100 * ms, CommandEnd: 100 * ms, Durable: -1}
		r := loaded(t, end, func(w *tracefile.Writer) {
			must(t, w.Syscall(&trace.Syscall{Start: ms, Duration: ms, PID: 1, TID: 1, Op: trace.OpRead, Result: 10}))
			must(t, w.Wait(&trace.Wait{Start: 10 * ms, Duration: 80 * ms, PID: 1, TID: 1, Cause: cause}))
			must(t, w.Process(&trace.Process{Time: 100 * ms, Action: trace.ProcessExit, PID: 1, TID: 1}))
		})
		if got := r.Predict(Change{Change: program.Change{NoThink: true}}).Wall; got != left {
			t.Errorf("after a wait for %v it takes %d ns, want %d", cause, got, left)
		}
	}
}
