package workload

import (
	"fmt"
	"os"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

func init() {
	programs["calls"] = calls
	programs["threads"] = threads
}

// calls FILE N reads one byte N times at offset 0 of FILE, and makes no other
// pread64 call on it.
func calls(args []string) error {
	n, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	fd, err := unix.Open(args[0], unix.O_RDONLY, 0)
	if err != nil {
		return fmt.Errorf("opening %s: %w", args[0], err)
	}
	b := make([]byte, 1)
	for range n {
		if _, err := unix.Pread(fd, b, 0); err != nil {
			return err
		}
	}
	return unix.Close(fd)
}

// Of the workload "threads".
const (
	ThreadCount  = 8
	ThreadWrites = 250
	ThreadBlock  = 1000 // bytes
)

// threads DIR runs ThreadCount threads. Thread i writes ThreadWrites blocks to
// DIR/i through a descriptor of its own and as many to DIR/shared through one
// they all share, then reads its file back.
func threads(args []string) error {
	shared, err := os.OpenFile(args[0]+"/shared", os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer shared.Close()
	var wg sync.WaitGroup
	errs := make([]error, ThreadCount)
	for i := range ThreadCount {
		wg.Go(func() { errs[i] = thread(args[0], i, shared) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func thread(dir string, i int, shared *os.File) error {
	name := fmt.Sprintf("%s/%d", dir, i)
	fd, err := unix.Open(name, unix.O_CREAT|unix.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	b := make([]byte, ThreadBlock)
	for n := range ThreadWrites {
		if _, err := unix.Write(fd, b); err != nil {
			return err
		}
		if _, err := shared.WriteAt(b, int64((n*ThreadCount+i)*ThreadBlock)); err != nil {
			return err
		}
	}
	for n := range ThreadWrites {
		if _, err := unix.Pread(fd, b, int64(n*ThreadBlock)); err != nil {
			return err
		}
	}
	return unix.Close(fd)
}
