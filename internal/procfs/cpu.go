package procfs

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// tick is the unit of /proc/PID/stat: USER_HZ is 100 on every architecture of Linux that Go runs on.
const tick = time.Second / 100

// The places of utime and stime behind the name of the program, which may hold anything (proc(5)).
const (
	userTime   = 11
	systemTime = 12
)

// CPU is the time that a process has used the processors for, with its threads that have ended, in steps of 10 ms.
func CPU(pid uint32) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return parseCPU(text)
}

func parseCPU(stat []byte) (used time.Duration, err error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) <= systemTime {
		return 0, fmt.Errorf("reading the CPU time of a process: %q has too few fields", stat)
	}
	for _, f := range fields[userTime : systemTime+1] {
		ticks, err := strconv.ParseInt(string(f), 10, 53)
		if err != nil {
			return 0, fmt.Errorf("reading the CPU time of a process: %w", err)
		}
		used += time.Duration(ticks) * tick
	}
	return used, nil
}
