package host

import "golang.org/x/sys/unix"

// Monotonic is the system's uptime clock in ns: mach_absolute_time, which
// tracers stamp events with, in another unit.
func Monotonic() int64 {
	const clockUptimeRaw = 8
	var ts unix.Timespec
	if err := unix.ClockGettime(clockUptimeRaw, &ts); err != nil {
		return 0
	}
	return ts.Nano()
}

// CPUReady is not known on macOS.
func CPUReady() int64 { return 0 }
