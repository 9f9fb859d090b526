//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/replay"
)

// benchTry checks the ranking of iotrace whatif --try methods against programs that copy by these methods (cp, dd,
// several dd at once). The devices differ in what is slow about them.
func benchTry() error {
	c := check{}
	flag.StringVar(&c.tool, "iotrace", "./iotrace", "the `binary` to check")
	flag.IntVar(&c.runs, "runs", 5, "of each program, and rounds of each trial")
	flag.Parse()
	if flag.NArg() != 1 {
		return errUsage
	}
	return c.all(flag.Arg(0))
}

// tryDevices are what copies are tried on.
var tryDevices = []struct {
	name  string
	model testenv.Model
}{
	{"0.5 ms for each request", testenv.Model{Read: 500 * time.Microsecond, Write: 500 * time.Microsecond}},
	{"4 ms for each request", testenv.Model{Read: 4 * time.Millisecond, Write: 4 * time.Millisecond}},
	{"one request at a time, 1 ms", testenv.Model{Read: time.Millisecond, Write: time.Millisecond, Alone: true}},
	{"a link of 200 MB/s", testenv.Model{Link: 200e6}},
	{"XFS, 2 ms for each request", testenv.Model{Read: 2 * time.Millisecond, Write: 2 * time.Millisecond,
		FileSystem: "xfs"}},
}

// tryPrograms copy in to out by a method each.
var tryPrograms = []struct{ method, command string }{
	{"read_write", "dd if=in of=out bs=128k status=none"},
	{"read_write_1M", "dd if=in of=out bs=1M status=none"},
	{"copy_file_range", "cp in out"}, // coreutils 9.0 and later; it clones where the kernel call does
	{"direct", "dd if=in of=out bs=1M iflag=direct oflag=direct status=none"},
	{"threads", eight("")},
	{"direct_threads", eight("iflag=direct oflag=direct")},
	{"clone", "cp --reflink=always in out"},
}

// eight dd at once copy a part each.
func eight(flags string) string {
	return "fallocate -l 64M out; for i in 0 1 2 3 4 5 6 7; do " +
		"dd if=in of=out bs=1M count=8 skip=$((8*i)) seek=$((8*i)) conv=notrunc " + flags + " status=none & done; wait"
}

// tryMemory is what a device and the page cache need, in bytes.
const tryMemory = 8 << 30

type check struct {
	tool string
	runs int
}

func (c *check) all(dir string) (err error) {
	if c.tool, err = filepath.Abs(c.tool); err != nil {
		return err
	}
	ended, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	_, restore := KeepMemory() // what is in the page cache costs the same each time then
	defer restore()
	release, err := Fragment(ended, tryMemory)
	if err != nil {
		return err
	}
	defer release()
	fmt.Print("| device | methods | pairs that differ by 10 % or more | in the same order | fastest |\n" +
		"|---|---|---|---|---|\n")
	for i := range tryDevices {
		if ended.Err() != nil {
			return ended.Err()
		}
		d := &tryDevices[i]
		if err := c.device(dir, d.name, &d.model); err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
	}
	return nil
}

func (c *check) device(dir, name string, m *testenv.Model) (err error) {
	temp, err := os.MkdirTemp(dir, "iotrace-tries-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	mounted, end, err := testenv.StartModel(temp, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	trace := filepath.Join(temp, "cp.iotrace")
	tried, err := c.trial(mounted, trace)
	if err != nil {
		return err
	}
	took := map[string]time.Duration{}
	for _, p := range tryPrograms {
		if d, err := c.program(mounted, p.command); err == nil {
			took[p.method] = d
		}
	}
	report(name, tried, took)
	return nil
}

// trial records a copy, and lets iotrace try all methods.
func (c *check) trial(dir, trace string) (map[string]time.Duration, error) {
	for _, line := range []string{"head -c 64M /dev/urandom >in", "sync -f .", "echo 3 >/proc/sys/vm/drop_caches",
		c.tool + " record -q -f -o " + trace + " -- cp --reflink=never in out", "rm out"} {
		if out, err := shell(dir, line); err != nil {
			return nil, fmt.Errorf("%s: %w: %s", line, err, out)
		}
	}
	out, err := shell(dir, fmt.Sprintf("%s whatif %s --try methods --dir . --runs %d --json", c.tool, trace, c.runs))
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	var t replay.Trial
	if err := json.Unmarshal(out, &t); err != nil {
		return nil, err
	}
	tried := map[string]time.Duration{}
	for _, m := range replay.Methods() {
		for i := range t.Results {
			if r := &t.Results[i]; r.Name == m.String() {
				tried[m.Name] = time.Duration(replay.Median(t.Counts(r)))
			}
		}
	}
	return tried, nil
}

// program is the median time of a command from cold caches until its data is safe.
func (c *check) program(dir, command string) (time.Duration, error) {
	var all []time.Duration
	for range c.runs {
		if out, err := shell(dir, "rm -f out; sync -f .; echo 3 >/proc/sys/vm/drop_caches"); err != nil {
			return 0, fmt.Errorf("%w: %s", err, out)
		}
		begun := time.Now()
		if out, err := shell(dir, command+" && sync -f ."); err != nil {
			return 0, fmt.Errorf("%s: %w: %s", command, err, out)
		}
		all = append(all, time.Since(begun))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}

func shell(dir, line string) ([]byte, error) {
	c := exec.Command("sh", "-c", line)
	c.Dir = dir
	c.Stderr = os.Stderr
	return c.Output()
}

// report compares the order of each two methods.
func report(name string, tried, took map[string]time.Duration) {
	methods := slices.DeleteFunc(replay.Methods(), func(m replay.Method) bool {
		return tried[m.Name] == 0 || took[m.Name] == 0
	})
	pairs, same := 0, 0
	for i, a := range methods {
		for _, b := range methods[:i] {
			if x, y := float64(took[a.Name]), float64(took[b.Name]); max(x, y) < 1.1*min(x, y) {
				continue
			}
			pairs++
			if (took[a.Name] < took[b.Name]) == (tried[a.Name] < tried[b.Name]) {
				same++
			}
		}
	}
	fmt.Printf("| %s | %d | %d | %d | %s; tried: %s |\n", name, len(methods), pairs, same, fastest(took, methods),
		fastest(tried, methods))
	var detail []string
	for _, m := range methods {
		detail = append(detail, fmt.Sprintf("%s %d and %d ms", m.Name, took[m.Name].Milliseconds(),
			tried[m.Name].Milliseconds()))
	}
	fmt.Fprintln(os.Stderr, name+": "+strings.Join(detail, ", "))
}

func fastest(times map[string]time.Duration, methods []replay.Method) string {
	best := ""
	for _, m := range methods {
		if best == "" || times[m.Name] < times[best] {
			best = m.Name
		}
	}
	return best
}
