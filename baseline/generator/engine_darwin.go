package generator

import "github.com/iotrace/iotrace/internal/uring"

// ringAvailable: threads do the work on macOS.
func ringAvailable() error { return uring.ErrUnavailable }

func ringLoop(_ *worker, _ *phase, ready func(), _ <-chan struct{}) error {
	ready()
	return uring.ErrUnavailable
}
