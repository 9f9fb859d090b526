package backends

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/trace"
)

// argument as the first makes this program the workload.
const argument = "__selftest"

// RunSelfTest makes this process the workload, if it was started as that; it
// then does not return. Otherwise it does nothing. The program must call it
// first thing in main.
func RunSelfTest() {
	if len(os.Args) != 4 || os.Args[1] != argument {
		return
	}
	fd, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = host.VerifyParent(fd)
	}
	if err == nil {
		err = errors.Join(unix.Close(fd), work(os.Args[3]))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "iotrace: self-test:", visible.Error(err))
		os.Exit(1)
	}
	os.Exit(exitStatus)
}

// exitStatus tells the end of the workload from that of a program that failed.
const exitStatus = 7

// block is what most of its calls move.
const block = 4096

// pause is how long it then waits for nothing but the time, and pauses how often: on a busy machine a thread may lose
// its processor between setting the timer and waiting for it, so that it waits for less.
const (
	pause  = 20 * time.Millisecond
	pauses = 3
)

// work makes each of the expected calls once, by system calls of their own.
func work(dir string) error {
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b file")
	fd, err := unix.Open(a, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	data := make([]byte, 3*block)
	for i := range data {
		data[i] = byte(i * 7)
	}
	steps := []func() error{
		func() error { return whole(unix.Write(fd, data[:block]))(block) },
		func() error { return whole(unix.Write(fd, data[:2*block]))(2 * block) },
		func() error { return whole(unix.Pwrite(fd, data[:block], 1<<20))(block) },
		func() error { _, err := unix.Seek(fd, 512, 0); return err },
		func() error { return whole(unix.Read(fd, data[:block]))(block) },
		func() error { return whole(unix.Pread(fd, data[:1000], 2*block))(1000) },
		func() error { return fullSync(fd) },
		func() error { return unix.Ftruncate(fd, 5*block) },
		func() error { return unix.Close(fd) },
		func() error { return unix.Rename(a, b) },
		func() error { var st unix.Stat_t; return unix.Stat(b, &st) },
		func() error { return unix.Mkdir(filepath.Join(dir, "d"), 0o755) },
		func() error { return clone(b, filepath.Join(dir, "d", "clone")) },
		func() error { return unix.Unlink(b) },
		rest,
	}
	for i, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

// rest pauses several times, by a call of its own each: a sleep of Go begins with work of its scheduler, and a thread
// may already wait for something else when it does.
func rest() error {
	for range pauses {
		t := unix.NsecToTimeval(int64(pause))
		if _, err := unix.Select(0, nil, nil, nil, &t); err != nil && err != unix.EINTR {
			return fmt.Errorf("pausing for %v: %w", pause, err)
		}
	}
	return nil
}

// whole turns a short transfer into an error.
func whole(n int, err error) func(want int) error {
	return func(want int) error {
		if err == nil && n != want {
			return fmt.Errorf("%d of %d bytes moved", n, want)
		}
		return err
	}
}

// expectation is a call that must be among the recorded ones.
type expectation struct {
	name      string
	op        trace.Op
	path      string // below the directory; of File
	path2     string // of File2
	offset    int64  // NoOffset if it does not matter
	requested int64
	result    int64
	needs     trace.LimitCode // a limit that excuses its absence
}

// expected are the calls of work.
var expected = func() []expectation {
	const none = trace.NoOffset
	return append([]expectation{
		{name: "open", op: trace.OpOpen, path: "a", offset: none},
		{name: "write at the beginning", op: trace.OpWrite, path: "a", offset: 0, requested: block, result: block},
		{name: "write that follows", op: trace.OpWrite, path: "a", offset: block, requested: 2 * block, result: 2 * block},
		{name: "pwrite", op: trace.OpWrite, path: "a", offset: 1 << 20, requested: block, result: block},
		{name: "lseek", op: trace.OpSeek, path: "a", offset: 512, result: 512},
		{name: "read behind it", op: trace.OpRead, path: "a", offset: 512, requested: block, result: block},
		{name: "pread", op: trace.OpRead, path: "a", offset: 2 * block, requested: 1000, result: 1000},
		{name: "sync", op: trace.OpSync, path: "a", offset: none},
		{name: "ftruncate", op: trace.OpTruncate, path: "a", offset: none, requested: 5 * block},
		{name: "close", op: trace.OpClose, path: "a", offset: none},
		{name: "rename", op: trace.OpRename, path: "a", path2: "b file", offset: none},
		{name: "stat", op: trace.OpStat, path: "b file", offset: none},
		{name: "mkdir", op: trace.OpMkdir, path: "d", offset: none},
		{name: "unlink", op: trace.OpUnlink, path: "b file", offset: none},
	}, expectedHere...)
}()
