//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"
)

func reads(n int) error {
	fd, err := unix.Open("/dev/zero", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	var b [1]byte
	for range n {
		if _, err := unix.Pread(fd, b[:], 0); err != nil {
			return err
		}
	}
	return nil
}

const readers = 3

// storm runs programs that read as fast as they can, all on one processor.
func storm(n string) error {
	runtime.LockOSThread()
	var one unix.CPUSet
	one.Set(0)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	var all [readers]*exec.Cmd
	for i := range all {
		all[i] = exec.Command(self, "reads", n)
		if err := all[i].Start(); err != nil {
			return err
		}
	}
	for _, c := range all {
		if err := c.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// stormCheck compares the calls of three programs on one processor with what they made.
func stormCheck(each int64, buffer string) (string, []string, error) {
	others, err := idleCalls()
	if err != nil {
		return "", nil, err
	}
	p, err := record(buffer, "storm", strconv.FormatInt(each, 10))
	if err != nil {
		return "", nil, err
	}
	made := readers * each
	recorded, rest, lost := p.calls("pread64"), p.calls("")-p.calls("pread64"), p.Lost.Kinds["syscall"]
	found := fmt.Sprintf("%d reads recorded, %d calls lost, %d others recorded", recorded, lost, rest)
	rest += recorded + lost - made // all calls that are not reads
	if recorded > made || recorded+lost < made || rest < others-slack || rest > others+slack ||
		lost == 0 && recorded != made {
		return found, nil, fmt.Errorf("but %d reads were made, and %d other calls without them", made, others)
	}
	return found, nil, nil
}

// idleCalls is how many calls the programs make beside their reads.
var idleCalls = sync.OnceValues(func() (int64, error) {
	p, err := record("64MiB", "storm", "0")
	return p.calls(""), err
})

// slack is by how many calls two starts of Go programs may differ.
const slack = 60
