package host

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Monotonic is the system's monotonic clock in ns: the one that tracers stamp
// events with.
func Monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0
	}
	return ts.Nano()
}

// CPUReady is the time that the threads of this process were ready to run while others had the processors, in ns.
// Threads that have ended are not in it.
func CPUReady() int64 {
	files, err := filepath.Glob("/proc/self/task/*/schedstat")
	if err != nil {
		return 0
	}
	sum := int64(0)
	for _, file := range files {
		var ran, waited int64
		if text, err := os.ReadFile(file); err == nil {
			if _, err := fmt.Sscan(string(text), &ran, &waited); err == nil {
				sum += waited
			}
		}
	}
	return sum
}
