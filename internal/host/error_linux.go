package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// ClockError is how far the clock on the wall may be off, by the kernel's account of what NTP or PTP told it (maxerror
// of adjtimex(2)); 0 if nobody keeps it.
func ClockError() time.Duration {
	var t unix.Timex
	if state, err := unix.Adjtimex(&t); err != nil || state == unix.TIME_ERROR || t.Status&unix.STA_UNSYNC != 0 {
		return 0
	}
	return time.Duration(t.Maxerror) * time.Microsecond
}
