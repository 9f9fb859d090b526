//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// asked is how many requests a second fio is told to make, and for how long each run lasts.
const (
	asked   = 10_000
	seconds = 2
)

// The scripts do what the tools of these names do, which take kprobes, with tracepoints.
const (
	snoop = `tracepoint:block:block_rq_issue { @s[args->dev, args->sector] = nsecs; @p[args->dev, args->sector] = pid;
	@c[args->dev, args->sector] = comm; }
tracepoint:block:block_rq_complete /@s[args->dev, args->sector]/ { printf("%d %s %d %d %s %d %d %d\n", nsecs / 1000,
	@c[args->dev, args->sector], @p[args->dev, args->sector], args->dev, args->rwbs, args->sector, args->nr_sector,
	(nsecs - @s[args->dev, args->sector]) / 1000); delete(@s[args->dev, args->sector]);
	delete(@p[args->dev, args->sector]); delete(@c[args->dev, args->sector]); }`
	sums = `tracepoint:block:block_rq_issue { @s[args->dev, args->sector] = nsecs; @p[args->dev, args->sector] = pid;
	@c[args->dev, args->sector] = comm; }
tracepoint:block:block_rq_complete /@s[args->dev, args->sector]/ { $p = @p[args->dev, args->sector];
	@io[$p, @c[args->dev, args->sector]] = count(); @bytes[$p] = sum(args->nr_sector * 512);
	@us[$p] = sum((nsecs - @s[args->dev, args->sector]) / 1000); delete(@s[args->dev, args->sector]);
	delete(@p[args->dev, args->sector]); delete(@c[args->dev, args->sector]); }
interval:s:1 { print(@io, 20); print(@bytes, 20); print(@us, 20); clear(@io); clear(@bytes); clear(@us); }`
)

// watcher is a tool that shows what happens at disks.
type watcher struct {
	name  string
	words []string
	cost  map[string]sample
	why   error // it does not run here
}

// live compares tools that look at the disks of a whole machine while fio makes requests at a fixed rate: their own
// processor time, that of their programs in the kernel, and what fio and they take more together than fio alone.
func live(b *session) error {
	if !installed("fio") {
		b.printf("\n### Looking on\n\nfio is not installed.\n")
		return nil
	}
	restore, err := countPrograms()
	if err != nil {
		return err
	}
	defer restore()
	watchers := []*watcher{
		{name: "`iotrace top --batch`", words: []string{b.tool, "top", "--batch"}},
		{name: "`iotrace record --all --keep 60s`", words: []string{b.tool, "record", "--all", "--quiet", "--keep", "60s",
			"--when", "request.latency > 1h", "-o", b.dir}},
		{name: "`biosnoop` (libbpf-tools)", words: []string{"biosnoop"}},
		{name: "`biotop` (libbpf-tools)", words: []string{"biotop", "-C", "1"}},
		{name: "`biolatency` (libbpf-tools)", words: []string{"biolatency", "1"}},
		{name: "biosnoop's lines, by bpftrace", words: testenv.WithTracefs("bpftrace", "-e", snoop)},
		{name: "biotop's sums, by bpftrace", words: testenv.WithTracefs("bpftrace", "-e", sums)},
	}
	job := append(fioJob(b, "libaio", 8, seconds), fmt.Sprint("--rate_iops=", asked))
	if err := b.command(append(job, "--create_only=1")...).Run(); err != nil {
		return err
	}
	for range b.rounds {
		for _, w := range watchers {
			if w.why == nil {
				w.why = w.compare(b, job)
			}
			if b.ended.Err() != nil {
				return b.ended.Err()
			}
		}
	}
	tell(b, watchers)
	return nil
}

// countPrograms has the kernel count the time of programs.
func countPrograms() (restore func(), err error) {
	const setting = "/proc/sys/kernel/bpf_stats_enabled"
	before, err := os.ReadFile(setting)
	if err == nil {
		err = os.WriteFile(setting, []byte("1"), 0)
	}
	return func() { _ = os.WriteFile(setting, bytes.TrimSpace(before), 0) }, err
}

// compare adds a pair of runs: without the tool and with it.
func (w *watcher) compare(b *session, job []string) error {
	bare, _, err := fioTime(b, job)
	if err != nil {
		return err
	}
	c := b.command(w.words...)
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	defer func() { _ = c.Process.Signal(os.Interrupt); <-ended }()
	if err := attached(b, c.Process.Pid, ended); err != nil {
		return fmt.Errorf("%w: %s", err, lastLine(said.Bytes()))
	}
	cpu, _ := host.ProcessCPU(c.Process.Pid)
	programs, _ := ran(c.Process.Pid)
	with, requests, err := fioTime(b, job)
	if err != nil {
		return err
	}
	cpuAfter, known := host.ProcessCPU(c.Process.Pid)
	programsAfter, _ := ran(c.Process.Pid)
	if !known {
		return errors.New("it ended while it was watched")
	}
	own, inside := cpuAfter-cpu, programsAfter-programs
	w.add("own", float64(own.Microseconds())/requests)
	w.add("programs", float64(inside.Microseconds())/requests)
	w.add("both", float64((own+inside).Microseconds())/requests)
	w.add("ratio", float64(with+own)/float64(bare))
	w.add("requests", requests/seconds)
	return nil
}

func (w *watcher) add(what string, x float64) {
	if w.cost == nil {
		w.cost = map[string]sample{}
	}
	w.cost[what] = append(w.cost[what], x)
}

// fioTime runs fio; it returns its processor time and how many requests it made.
func fioTime(b *session, job []string) (cpu time.Duration, requests float64, err error) {
	c := b.command(job...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return 0, 0, err
	}
	r, err := readsOf(out.Bytes())
	return c.ProcessState.UserTime() + c.ProcessState.SystemTime(), r.IOPS * seconds, err
}

// attached waits until the programs of a process run when something is written.
func attached(b *session, pid int, ended <-chan struct{}) error {
	for range 200 {
		c := exec.Command("dd", "if=/dev/zero", "of="+b.dir+"/nudge", "bs=4k", "count=1", "conv=fsync", "status=none")
		if err := c.Run(); err != nil {
			return err
		}
		if _, runs := ran(pid); runs > 0 {
			time.Sleep(time.Second) // it prints its head, and frees what it needed to begin
			return nil
		}
		select {
		case <-ended:
			return errors.New("it has ended")
		case <-time.After(100 * time.Millisecond):
		}
	}
	return errors.New("it did not attach within 20 s")
}

// ran is for how long the programs ran that a process has descriptors of, and how often.
func ran(pid int) (time.Duration, int64) {
	seen := map[int64]bool{}
	var sum, runs int64
	for _, d := range descriptors(pid) {
		id := d["prog_id"]
		if _, program := d["run_time_ns"]; program && !seen[id] { // links have the number alone
			seen[id] = true
			sum, runs = sum+d["run_time_ns"], runs+d["run_cnt"]
		}
	}
	return time.Duration(sum), runs
}

// descriptors are the numbers that the kernel tells of each descriptor of a process, by name.
func descriptors(pid int) (list []map[string]int64) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fdinfo/*", pid))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		values := map[string]int64{}
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(line, ":")
			var n int64
			if _, err := fmt.Sscan(value, &n); err == nil {
				values[name] = n
			}
		}
		list = append(list, values)
	}
	return list
}

// tell prints the table.
func tell(b *session, watchers []*watcher) {
	b.printf("\n### Looking on\n\n`fio` asks for %d direct reads of 4 KiB a second, 8 at a time, for %d s; each tool "+
		"looks at the whole machine, %d pairs of runs without and with it. µs of processor time a request: its own, that "+
		"of its programs in the kernel, both. The ratio is of the processor time of fio and the tool to that of fio alone, "+
		"which has the programs that run within its calls.\n\n", asked, seconds, b.rounds)
	b.printf("| tool | requests a second | own, µs | programs, µs | both, µs | with / without |\n" +
		"|---|---|---|---|---|---|\n")
	for _, w := range watchers {
		if w.why != nil {
			fmt.Fprintf(os.Stderr, "  %s left out: %v\n", w.name, w.why)
			continue
		}
		c, both, ratio := w.cost, w.cost["both"], w.cost["ratio"]
		b.printf("| %s | %.0f | %.2f | %.2f | %.2f (%.2f to %.2f) | %.2f (%.2f to %.2f) |\n", w.name,
			c["requests"].median(), c["own"].median(), c["programs"].median(), both.median(), both.quantile(.25),
			both.quantile(.75), ratio.median(), ratio.quantile(.25), ratio.quantile(.75))
	}
	for _, w := range watchers {
		if w.why != nil {
			b.printf("\n%s does not run here.\n", w.name)
		}
	}
}
