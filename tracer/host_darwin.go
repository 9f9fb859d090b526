package tracer

import (
	"runtime"

	"golang.org/x/sys/unix"
)

func onlineCPUs() int {
	if n, err := unix.SysctlUint32("hw.ncpu"); err == nil {
		return int(n)
	}
	return runtime.NumCPU()
}

// memorySize is the RAM in bytes, 0 if it is not known.
func memorySize() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}

// maxRSS is the largest resident set this process had, in bytes.
func maxRSS() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss // bytes on macOS
}

// running reports whether a process exists and has not exited.
func running(pid uint32) bool {
	const zombie = 5 // SZOMB of sys/proc.h
	info, err := unix.SysctlKinfoProc("kern.proc.pid", int(pid))
	return err == nil && info.Proc.P_stat != zombie
}
