//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// asksOfRound is how often a run asks the server: for 4 KiB each time, past the page cache.
const asksOfRound = 400

// blocksOfCost is the size of the file that is read.
const blocksOfCost = 1024

// tookFile is where a run says how long it took.
const tookFile = "/tmp/took"

// cost says how much longer the same reads take while they are recorded, by what is mounted where. Runs with and
// without a recording take turns; the first of a pair is each of them in turn.
func cost(pairs int) (string, error) {
	var found []string
	for _, m := range []struct{ protocol, path string }{{"NFS", mount + "/cost"}, {"SMB", shareMount + "/cost"}} {
		if m.protocol == "SMB" && !shares() {
			continue
		}
		text, err := costOf(m.path, pairs)
		if err != nil {
			return "", fmt.Errorf("%s: %w", m.protocol, err)
		}
		found = append(found, m.protocol+": "+text)
	}
	return strings.Join(found, "; "), nil
}

func costOf(path string, pairs int) (string, error) {
	if err := os.WriteFile(path, make([]byte, blocksOfCost*blockSize), 0o600); err != nil {
		return "", err
	}
	work := []string{self, "asks", path}
	alone := func() (time.Duration, error) { return tookOf(exec.Command(work[0], work[1:]...)) }
	recorded := func() (time.Duration, error) {
		return tookOf(exec.Command("/iotrace", append([]string{"record", "-q", "-f", "-o", "/tmp/cost", "--"}, work...)...))
	}
	if _, err := alone(); err != nil { // the first one fills the caches of the server
		return "", err
	}
	var bare, beside []time.Duration
	var ratios []float64
	for i := range pairs {
		var times [2]time.Duration
		for k := range 2 {
			run, which := alone, (i+k)%2
			if which == 1 {
				run = recorded
			}
			took, err := run()
			if err != nil {
				return "", err
			}
			times[which] = took
		}
		bare, beside = append(bare, times[0]), append(beside, times[1])
		ratios = append(ratios, float64(times[1])/float64(times[0]))
	}
	slices.Sort(bare)
	slices.Sort(beside)
	slices.Sort(ratios)
	each := func(list []time.Duration) time.Duration {
		return (list[len(list)/2] / asksOfRound).Round(time.Microsecond)
	}
	return fmt.Sprintf("%d reads of 4 KiB take %v each alone and %v recorded, %d pairs; ratio of neighbours %.3f (%.3f to "+
		"%.3f)", asksOfRound, each(bare), each(beside), pairs, ratios[len(ratios)/2], ratios[len(ratios)/4],
		ratios[len(ratios)*3/4]), nil
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
