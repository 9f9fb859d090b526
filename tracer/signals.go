package tracer

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// Signals decides what signals to the recorder mean:
//
//   - The first SIGINT, SIGTERM, SIGHUP or SIGQUIT goes on to the command (or,
//     without a command, ends the recording); the trace is completed.
//   - The second ends the recording at once, leaving a complete file and the
//     command, should it still run, on its own.
//   - The third has its default effect.
//
// What the terminal sends, it sends to the whole foreground process group, and
// the command is in ours: it has had its SIGINT or SIGQUIT and gets no second.
type Signals struct {
	incoming chan os.Signal
	first    chan struct{} // closed by the first signal
	second   chan struct{} // closed by the second
	number   syscall.Signal

	mu       sync.Mutex
	workload *Workload
}

// ending are the signals that ask for the end. One that was ignored when we
// started stays ignored, as nohup and shells rely on.
var ending = []syscall.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT}

// CatchSignals begins to handle signals. Call Stop when the recording is over.
func CatchSignals() *Signals {
	s := newSignals(make(chan os.Signal, 8))
	atStart := AtStart()
	catchEnding(s.incoming, atStart)
	if !atStart.Has(unix.SIGTSTP) {
		signal.Notify(s.incoming, unix.SIGTSTP)
	}
	// A reader of our output that went away is an error to report, not a reason
	// to die and lose the command's exit status.
	signal.Notify(s.incoming, unix.SIGPIPE)
	return s
}

// catchEnding delivers the signals that ask for the end, but for those to leave
// ignored.
func catchEnding(c chan<- os.Signal, leave ignoredSignals) {
	for _, sig := range ending {
		if !leave.Has(sig) {
			signal.Notify(c, sig)
		} else {
			signal.Ignore(sig) // the runtime has begun to catch it
		}
	}
}

// newSignals handles the signals that arrive on a channel.
func newSignals(incoming chan os.Signal) *Signals {
	s := &Signals{incoming: incoming, first: make(chan struct{}), second: make(chan struct{})}
	go s.handle()
	return s
}

// Stop gives signals their default effect again.
func (s *Signals) Stop() {
	signal.Stop(s.incoming)
	close(s.incoming)
}

// Asked is closed by the first signal.
func (s *Signals) Asked() <-chan struct{} { return s.first }

// forwardTo makes w the receiver of what arrives from now on.
func (s *Signals) forwardTo(w *Workload) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workload = w
}

// interrupted reports whether a signal has asked for the end, and which.
func (s *Signals) interrupted() (syscall.Signal, bool) {
	select {
	case <-s.first:
		return s.number, true
	default:
		return 0, false
	}
}

func (s *Signals) handle() {
	count := 0
	for received := range s.incoming {
		sig := received.(syscall.Signal)
		switch sig {
		case unix.SIGPIPE:
			continue
		case unix.SIGTSTP:
			s.suspend()
			continue
		}
		count++
		if count == 1 {
			s.number = sig
		}
		s.forward(sig)
		switch count {
		case 1:
			close(s.first)
		case 2:
			close(s.second)
			signal.Stop(s.incoming)
		}
	}
}

// forward reports whether the signal was sent to the command.
func (s *Signals) forward(sig syscall.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.workload == nil {
		return false
	}
	fromTerminal := sig == unix.SIGINT || sig == unix.SIGQUIT || sig == unix.SIGTSTP
	if fromTerminal && reachedByTerminal(s.workload.PID()) {
		return false
	}
	return s.workload.Signal(sig) == nil
}

// suspend stops recorder and command together, as Ctrl-Z does, and lets both go
// on together. A command that did not stop (it ignores the signal, or no shell
// is there that could continue it) goes on being recorded.
func (s *Signals) suspend() {
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, unix.SIGCONT)
	defer signal.Stop(continued)
	forwarded := s.forward(unix.SIGTSTP)
	if !s.workloadStops() || len(continued) > 0 {
		return
	}
	_ = unix.Kill(unix.Getpid(), unix.SIGSTOP) // SIGTSTP itself is caught
	<-continued
	if forwarded {
		s.forward(unix.SIGCONT)
	}
}

// workloadStops waits a moment for the command to stop.
func (s *Signals) workloadStops() bool {
	s.mu.Lock()
	w := s.workload
	s.mu.Unlock()
	for range 20 {
		if w == nil || host.Stopped(uint32(w.PID())) {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// reachedByTerminal reports whether a key on the terminal signals both this
// process and pid: they share the foreground process group.
func reachedByTerminal(pid int) bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDONLY|unix.O_NOCTTY, 0)
	if err != nil {
		return false // no controlling terminal
	}
	defer tty.Close()
	foreground, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	if err != nil || foreground != unix.Getpgrp() {
		return false
	}
	theirs, err := unix.Getpgid(pid)
	return err == nil && theirs == foreground
}
