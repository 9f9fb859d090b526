package cli

import (
	"os"
	"os/signal"
)

// StatusRequests delivers one value for each SIGUSR1 (and, on macOS, each
// SIGINFO, Ctrl-T) until stop is called.
func StatusRequests() (requests <-chan struct{}, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, statusSignals...)
	out := make(chan struct{})
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
			}
			select {
			case <-done:
				return
			case out <- struct{}{}:
			}
		}
	}()
	return out, func() { signal.Stop(signals); close(done) }
}
