package trace

// Wait is a time a thread spent off the CPU.
type Wait struct {
	Start    int64
	Duration int64
	PID      uint32
	TID      uint32
	Cause    WaitCause
}

// Impossible says what about the event cannot be, "" if it is plausible.
func (w *Wait) Impossible() string { return during(w.Start, w.Duration) }

// WaitCause says what a thread waited for.
type WaitCause uint8

// The causes of a wait.
const (
	WaitIO       WaitCause = 1 + iota // marked by the kernel as waiting for I/O
	WaitThrottle                      // held back by balance_dirty_pages
	WaitCall                          // blocked inside a recorded call, not on I/O (a lock, a full pipe)
	WaitOther                         // blocked elsewhere, where the recording does not tell
	WaitReady                         // for a processor: it could have run, others did (or a quota forbade it)
	WaitPoll                          // until one of some descriptors is ready: poll, select, epoll
	WaitSleep                         // for a time
	WaitFutex                         // for another thread
	WaitChild                         // for a child process to end
	WaitTimeout                       // as WaitPoll, and none of them was until the time given was over
)

var waitNames = [...]string{"unknown", "io", "throttle", "call", "other", "ready", "poll", "sleep", "futex", "child",
	"timeout"}

// Elsewhere reports whether the thread was blocked outside of the recorded calls.
func (c WaitCause) Elsewhere() bool { return c == WaitOther || c >= WaitPoll }

func (c WaitCause) String() string {
	if int(c) < len(waitNames) {
		return waitNames[c]
	}
	return "unknown"
}
