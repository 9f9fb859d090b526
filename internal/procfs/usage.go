package procfs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor times in /proc (USER_HZ of the kernel).
const tick = time.Second / 100

// Usage is what the kernel has charged a process with so far, and with it those of its children that it waited for.
type Usage struct {
	User, System  time.Duration // in steps of 10 ms
	Read, Written int64         // bytes, at drives
}

// UsageOf reads what a process has used. Of processes of others that takes root.
func UsageOf(pid uint32) (u Usage, err error) {
	dir := "/proc/" + strconv.FormatUint(uint64(pid), 10)
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return u, fmt.Errorf("reading the times of a process: %w", err)
	}
	io, err := os.ReadFile(dir + "/io")
	if err != nil {
		return u, fmt.Errorf("reading the I/O of a process: %w", err)
	}
	if u.User, u.System, err = times(string(stat)); err != nil {
		return u, fmt.Errorf("%s/stat: %w", dir, err)
	}
	for line := range strings.Lines(string(io)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n, _ := strconv.ParseInt(value, 10, 64)
		switch name {
		case "read_bytes":
			u.Read = n
		case "write_bytes":
			u.Written = n
		}
	}
	return u, nil
}

// times are the fields 14 to 17 of proc_pid_stat(5): of the process, and of its children, in user and kernel mode.
func times(stat string) (user, system time.Duration, err error) {
	const first = 14 - 3 // of the fields after the name, which may hold anything
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < first+4 {
		return 0, 0, fmt.Errorf("%d fields after the name, want %d", len(fields), first+4)
	}
	var n [4]int64
	for i := range n {
		if n[i], err = strconv.ParseInt(fields[first+i], 10, 64); err != nil {
			return 0, 0, err
		}
	}
	return time.Duration(n[0]+n[2]) * tick, time.Duration(n[1]+n[3]) * tick, nil
}
