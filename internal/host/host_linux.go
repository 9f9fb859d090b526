package host

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// CPUs counts the CPUs of the system, not those this process may use.
func CPUs() int {
	list, err := os.ReadFile("/sys/devices/system/cpu/online")
	if err != nil {
		return runtime.NumCPU()
	}
	if n := countList(strings.TrimSpace(string(list))); n > 0 {
		return n
	}
	return runtime.NumCPU()
}

// countList counts the members of a list such as "0-3,8", 0 if it is malformed.
func countList(list string) int {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, err1 := strconv.Atoi(first)
		b, err2 := strconv.Atoi(last)
		if err1 != nil || err2 != nil || b < a {
			return 0
		}
		n += b - a + 1
	}
	return n
}

// Memory is the usable RAM in bytes, 0 if it is not known.
func Memory() int64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// MaxRSS is the largest resident set this process had, in bytes. It is read
// from the status file because getrusage starts at the size of the program that
// executed us.
func MaxRSS() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
			return kb * 1024
		}
	}
	return 0
}

// ProcessCPU is the CPU time that a process has used, by its CPU-time clock (see
// clock_getcpuclockid(3)), if that can be read. It is 0 of threads of the kernel that have hardly begun.
func ProcessCPU(pid int) (used time.Duration, known bool) {
	const scheduled = 2 // CPUCLOCK_SCHED of include/linux/posix-timers.h
	var ts unix.Timespec
	if unix.ClockGettime(int32(^pid<<3|scheduled), &ts) != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}

// Arguments are those of a process, joined by NUL, or the title that it has written over them; "" if it has none. Of
// very long ones it is the beginning.
func Arguments(pid uint32) string {
	f, err := os.Open("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/cmdline")
	if err != nil {
		return ""
	}
	defer f.Close()
	text, _ := io.ReadAll(io.LimitReader(f, 4096))
	return strings.TrimRight(string(text), "\x00")
}

// Running reports whether a process exists and has not exited. One that waits
// to be reaped has exited; one whose main thread has ended runs on in its other threads, and so does one
// in which another thread is executing a new program.
func Running(pid uint32) bool {
	state, threads := processState(pid)
	return state != 0 && state != 'X' && (state != 'Z' || threads > 1)
}

// Stopped reports whether a process was stopped by a signal.
func Stopped(pid uint32) bool {
	state, _ := processState(pid)
	return state == 'T'
}

// processState is the letter that ps shows for the main thread, 0 if there is no such process, and how many threads
// there are.
func processState(pid uint32) (state byte, threads int) {
	const numThreads = 20 - 3 // fields of proc_pid_stat(5) behind the state
	fields := processFields(pid)
	if len(fields) <= numThreads {
		return 0, 0
	}
	threads, _ = strconv.Atoi(string(fields[numThreads]))
	return fields[0][0], threads
}

// OfKernel reports whether a process is a thread of the kernel.
func OfKernel(pid uint32) bool {
	const parent, kthreadd = 4 - 3, "2"
	fields := processFields(pid)
	return len(fields) > parent && string(fields[parent]) == kthreadd
}

// processFields are those of proc_pid_stat(5) from the state on; none if there is no such process.
func processFields(pid uint32) [][]byte {
	stat, err := os.ReadFile("/proc/" + strconv.FormatUint(uint64(pid), 10) + "/stat")
	if err != nil {
		return nil
	}
	// The state follows the command name, which may hold anything.
	return bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
}
