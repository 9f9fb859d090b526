package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/iotrace/iotrace/trace"
)

// blockUnit is what getrusage(2) counts in, whatever the file system (task_io_get_inblock of the kernel).
const blockUnit = 512

// tick is the unit of processor times in /proc: USER_HZ is 100 on every architecture that iotrace runs on.
const tick = time.Second / 100

// ChargeOf is what the kernel has charged a process with that was waited for, and with it those of its children that it
// had waited for: what drives and processors had to do for them.
func ChargeOf(usage *syscall.Rusage) *trace.Charge {
	return &trace.Charge{ReadBytes: usage.Inblock * blockUnit, WrittenBytes: usage.Oublock * blockUnit,
		User: usage.Utime.Nano(), System: usage.Stime.Nano()}
}

// ChargeSoFar is the same of processes that still run, added up; their times are in steps of 10 ms. One that has ended
// meanwhile counts with the parent that has waited for it, which is therefore read after that. It is nil where it is
// not known of all: the kernel does not count I/O, or none is left.
func ChargeSoFar(running []uint32) *trace.Charge {
	running = slices.Clone(running)
	for len(running) > 0 {
		all, ended, err := sum(running)
		if err == nil {
			return &all
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
			return nil
		}
		if _, err := os.Stat(directory(running[ended])); err == nil {
			return nil // it still runs, but says nothing of its I/O
		}
		running = slices.Delete(running, ended, ended+1)
	}
	return nil
}

// sum adds up what is known of processes, or says of which one nothing is.
func sum(running []uint32) (all trace.Charge, at int, err error) {
	for at, pid := range running {
		c, err := read(directory(pid))
		if err != nil {
			return all, at, err
		}
		all.ReadBytes, all.WrittenBytes = all.ReadBytes+c.ReadBytes, all.WrittenBytes+c.WrittenBytes
		all.User, all.System = all.User+c.User, all.System+c.System
	}
	return all, 0, nil
}

func directory(pid uint32) string { return "/proc/" + strconv.FormatUint(uint64(pid), 10) }

func read(dir string) (c trace.Charge, err error) {
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return c, err
	}
	if c.User, c.System, err = times(string(stat)); err != nil {
		return c, err
	}
	io, err := os.ReadFile(dir + "/io")
	if err != nil {
		return c, err
	}
	if c.ReadBytes, err = counter(string(io), "read_bytes"); err != nil {
		return c, err
	}
	c.WrittenBytes, err = counter(string(io), "write_bytes")
	return c, err
}

// times are the fields 14 to 17 of proc_pid_stat(5): of the process, and of its children, in user and kernel mode.
func times(stat string) (user, system int64, err error) {
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
	return (n[0] + n[2]) * int64(tick), (n[1] + n[3]) * int64(tick), nil
}

// counter is one of proc_pid_io(5).
func counter(text, name string) (int64, error) {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+": "); ok {
			return strconv.ParseInt(value, 10, 64)
		}
	}
	return 0, fmt.Errorf("no %s", name)
}
