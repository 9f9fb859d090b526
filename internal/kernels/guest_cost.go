//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// asksOfRound is how often a run asks the server: for 4 KiB each time, past the page cache.
const asksOfRound = 200

// blocksOfCost is the size of the file that is read.
const blocksOfCost = 1024

// tookFile is where a run says how long it took.
const tookFile = "/tmp/took"

// Ways in which a run is recorded: not at all, without what is asked of servers, and with it.
const (
	alone = iota
	without
	with
	numWays
)

// cost says how much longer the same reads take while they are recorded, and how much of that is for what is asked of
// servers, by what is mounted where. The ways take turns, each time in another order.
func cost(rounds int) (string, error) {
	var found []string
	for _, m := range []struct{ protocol, path, module string }{
		{"NFS", mount + "/cost", "sunrpc"}, {"SMB", shareMount + "/cost", "cifs"},
	} {
		if m.protocol == "SMB" && !canShare() {
			continue
		}
		text, err := costOf(m.path, m.module, rounds)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.protocol, err)
		}
		found = append(found, m.protocol+": "+text)
	}
	return strings.Join(found, "; "), nil
}

func costOf(path, module string, rounds int) (string, error) {
	if err := os.WriteFile(path, make([]byte, blocksOfCost*blockSize), 0o600); err != nil {
		return "", err
	}
	if _, err := costly(path, module, alone); err != nil { // the first one fills the caches of the server
		return "", err
	}
	var times [numWays][]time.Duration
	for i := range rounds {
		for k := range numWays {
			way := (i + k) % numWays
			took, err := costly(path, module, way)
			if err != nil {
				return "", err
			}
			times[way] = append(times[way], took)
		}
	}
	ratio := func(x, y int) float64 {
		var list []float64
		for i := range rounds {
			list = append(list, float64(times[x][i])/float64(times[y][i]))
		}
		slices.Sort(list)
		return list[rounds/2]
	}
	return fmt.Sprintf("%d reads of 4 KiB, %d rounds: recorded without what is asked %.3f times as long, with it %.3f "+
		"times that", asksOfRound, rounds, ratio(without, alone), ratio(with, without)), nil
}

// costly does the reads in one of the ways, and says how long they took.
func costly(path, module string, way int) (took time.Duration, err error) {
	asking := []string{self, "asks", path}
	if way == alone {
		return tookOf(exec.Command(asking[0], asking[1:]...))
	}
	if way == without {
		if err := hide(module); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, unix.Unmount(types, 0)) }()
	}
	return tookOf(exec.Command("/iotrace", append([]string{"record", "-q", "-f", "-o", "/tmp/cost", "--"}, asking...)...))
}

// types is where the kernel shows its types and those of its modules.
const types = "/sys/kernel/btf"

// hide has a recording find no types of a module, so that it has no probes for it.
func hide(module string) error {
	list, err := os.ReadDir(types)
	if err != nil {
		return err
	}
	others := "/tmp/types-without-" + module
	if err := os.MkdirAll(others, 0o755); err != nil {
		return err
	}
	for _, e := range list {
		if e.Name() == module {
			continue
		}
		content, err := os.ReadFile(filepath.Join(types, e.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(others, e.Name()), content, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return unix.Mount(others, types, "", unix.MS_BIND, "")
}

// tookOf runs a command and reads how long its work took.
func tookOf(c *exec.Cmd) (time.Duration, error) {
	if out, err := c.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(tookFile)
	if err != nil {
		return 0, err
	}
	ns, err := strconv.ParseInt(string(text), 10, 64)
	return time.Duration(ns), err
}

// asks reads a file at random places, and says how long that took.
func asks(path string) error {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECT, 0)
	if err != nil {
		return err
	}
	buf, err := unix.Mmap(-1, 0, blockSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	began := time.Now()
	for range asksOfRound {
		if n, err := unix.Pread(fd, buf, rand.Int64N(blocksOfCost)*blockSize); n != blockSize {
			return errors.Join(fmt.Errorf("read %d bytes", n), err)
		}
	}
	return os.WriteFile(tookFile, strconv.AppendInt(nil, int64(time.Since(began)), 10), 0o600)
}
