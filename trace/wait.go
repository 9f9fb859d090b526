package trace

import "fmt"

// Wait is a time that a thread was off the CPU: blocked, then ready, until it ran again.
type Wait struct {
	// Start is when the thread left the CPU, in ns since the start of the recording.
	Start int64 `name:"start" unit:"ns" table:",delta" column:"2 end"`
	// Duration is how long it was off the CPU, in ns.
	Duration int64     `name:"duration" unit:"ns" column:"3 lasted"`
	PID      uint32    `name:"pid" column:"4"`     // process
	TID      uint32    `name:"tid" column:"1 key"` // thread
	Cause    WaitCause `name:"cause" column:"5"`   // what it waited for

	// Ready is the part at its end in which the thread was woken and waited for a CPU, in ns. It is known if By is.
	Ready int64      `name:"ready" omit:"0" unit:"ns" column:"6"`
	By    WakeSource `name:"by" omit:"0" with:"by_number" column:"7"` // what woke it
	// Waker is the thread that woke it, where By is WokenByThread or WokenByRPC; that completed the request, 0: an
	// interrupt did.
	Waker uint32 `name:"waker" none:"0" column:"8"`
	// Completed is when the request was completed that woke it, where By is WokenByRequest: the Completed of that
	// Request. Where By is WokenByRPC it is the end of that RPC.
	Completed int64     `name:"completed" omit:"0" unit:"ns" column:"9"`
	Flags     WaitFlags `name:"flags" table:"-" column:"10"` // whose it is
}

// End is when the thread ran again.
func (w *Wait) End() int64 { return w.Start + w.Duration }

// Woken is when the thread was woken; its end where that is not known.
func (w *Wait) Woken() int64 { return w.Start + w.Duration - w.Ready }

// Impossible says what about the event cannot be, "" if it is plausible.
func (w *Wait) Impossible() string {
	if why := during(w.Start, w.Duration); why != "" {
		return why
	}
	switch {
	case w.Ready < 0 || w.Ready > w.Duration:
		return fmt.Sprintf("ready for %d of %d ns", w.Ready, w.Duration)
	case w.By.Completion() && (w.Completed < 0 || w.Completed > w.Woken()):
		return fmt.Sprintf("woken at %d ns by a request that was completed at %d ns", w.Woken(), w.Completed)
	}
	return ""
}

// WakeSource says what woke a thread.
type WakeSource uint8

// What wakes threads.
const (
	WokenByUnknown   WakeSource = iota // not recorded
	WokenByThread                      // Waker, in a call or of the kernel's own accord
	WokenByRequest                     // the completion of a request
	WokenByTimer                       // a time that was set before
	WokenByInterrupt                   // another interrupt: a packet, a terminal, another processor
	WokenByRPC                         // the end of an RPC
)

var wakeNames = [...]string{"unknown", "thread", "request", "timer", "interrupt", "rpc"}

// Completion reports whether it is the end of a request or an RPC, which is an event of its own.
func (s WakeSource) Completion() bool { return s == WokenByRequest || s == WokenByRPC }

func (s WakeSource) String() string {
	if int(s) < len(wakeNames) {
		return wakeNames[s]
	}
	return "unknown"
}

// WaitFlags qualify a wait.
type WaitFlags uint8

// The wait flags.
const (
	WaitHelper WaitFlags = 1 << iota // of a thread that is not recorded but woke one that is (see ProcessHelper)
)

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
	WaitStopped                       // stopped by a signal, until another one continued it
	WaitTraced                        // stopped for whoever traces it (ptrace)
	WaitFrozen                        // its control group was frozen
	WaitThaw                          // for a frozen file system, or a suspended device below it, to go on
	numWaitCauses
)

// NumWaitCauses is how many there are, with 0.
const NumWaitCauses = int(numWaitCauses)

// Known is the cause, or none of a later version that has more.
func (c WaitCause) Known() WaitCause {
	if c < numWaitCauses {
		return c
	}
	return 0
}

var waitNames = [numWaitCauses]string{"unknown", "io", "throttle", "call", "other", "ready", "poll", "sleep", "futex",
	"child", "timeout", "stopped", "traced", "frozen", "thaw"}

// Halted reports whether somebody else had halted the thread: whoever woke it has let it go on.
func (c WaitCause) Halted() bool { return c >= WaitStopped && c < numWaitCauses }

// Elsewhere reports whether the thread was blocked outside of the recorded calls.
func (c WaitCause) Elsewhere() bool { return c == WaitOther || c >= WaitPoll }

func (c WaitCause) String() string {
	if int(c) < len(waitNames) {
		return waitNames[c]
	}
	return "unknown"
}
