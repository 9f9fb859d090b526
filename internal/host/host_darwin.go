package host

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

func CPUs() int {
	if n, err := unix.SysctlUint32("hw.ncpu"); err == nil {
		return int(n)
	}
	return runtime.NumCPU()
}

// Memory is the RAM in bytes, 0 if it is not known.
func Memory() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}

// MaxRSS is the largest resident set this process had, in bytes.
func MaxRSS() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss // bytes on macOS
}

// ProcessCPU is not known: macOS has no CPU-time clock of other processes.
func ProcessCPU(int) (used time.Duration, known bool) { return 0, false }

// Arguments are not asked of macOS.
func Arguments(uint32) string { return "" }

// The states of sys/proc.h.
const (
	procStopped = 4 // SSTOP
	procZombie  = 5 // SZOMB
)

// Running reports whether a process exists and has not exited. One that waits
// to be reaped has exited.
func Running(pid uint32) bool {
	state := processState(pid)
	return state != 0 && state != procZombie
}

// Stopped reports whether a process was stopped by a signal.
func Stopped(pid uint32) bool { return processState(pid) == procStopped }

// processState is p_stat, 0 if there is no such process.
func processState(pid uint32) int8 {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", int(pid))
	if err != nil {
		return 0
	}
	return info.Proc.P_stat
}
