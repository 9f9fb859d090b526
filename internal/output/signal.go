package output

import (
	"os"
	"os/signal"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// pending is what has to be undone before a signal ends the program, the oldest
// first. Of all of it: several files may be written at once, and directories made
// for them.
var pending struct {
	sync.Mutex
	undo    []*func()
	signals chan os.Signal // nil while there is nothing to undo
}

// undoOnSignal has something undone before a signal ends the program, until the
// returned function is called.
func undoOnSignal(undo func()) (stop func()) {
	pending.Lock()
	defer pending.Unlock()
	if pending.signals == nil {
		pending.signals = make(chan os.Signal, 1)
		for _, s := range []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
			if !signal.Ignored(s) {
				signal.Notify(pending.signals, s)
			}
		}
		go endOnSignal(pending.signals)
	}
	entry := &undo
	pending.undo = append(pending.undo, entry)
	return func() {
		pending.Lock()
		defer pending.Unlock()
		pending.undo = slices.DeleteFunc(pending.undo, func(u *func()) bool { return u == entry })
		if len(pending.undo) == 0 && pending.signals != nil {
			signal.Stop(pending.signals)
			close(pending.signals)
			pending.signals = nil
		}
	}
}

// endOnSignal waits for a signal, undoes what is pending, and has the signal end the
// program. Nothing becomes pending, or is done with, from then on.
func endOnSignal(signals chan os.Signal) {
	s, ok := <-signals
	if !ok {
		return
	}
	pending.Lock()
	for _, undo := range slices.Backward(pending.undo) {
		(*undo)()
	}
	signal.Reset(s)
	_ = unix.Kill(os.Getpid(), s.(unix.Signal))
}
