package host

import (
	"time"

	"golang.org/x/sys/unix"
)

// epoch is the zero of Now, and epochMonotonic the same on the clock of the
// system.
var (
	epoch          = time.Now()
	epochMonotonic = offset(Monotonic, Now) // also if this process loses its processor now
)

// OnSystemClock turns a time of Now into one of the system's monotonic clock.
func OnSystemClock(t int64) int64 { return epochMonotonic + t }

// Now is a monotonic time in ns. It costs one read of the clock.
func Now() int64 { return int64(time.Since(epoch)) }

// CPUClock is the CPU time of this process so far, in ns.
func CPUClock() int64 {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return r.Utime.Nano() + r.Stime.Nano()
}
