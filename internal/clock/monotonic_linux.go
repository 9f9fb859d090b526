package clock

import "golang.org/x/sys/unix"

// Monotonic is the system's monotonic clock in ns: the one that tracers stamp
// events with.
func Monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0
	}
	return ts.Nano()
}
