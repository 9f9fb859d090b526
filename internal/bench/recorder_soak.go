//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// early is the minute that the last one is compared with: what a recorder needs in any case it has by then.
const early = 3

// soakMinute is a minute of the flight recorder.
type soakMinute struct {
	resident, anonymous sample // MiB
	entries             int    // of its tables in the kernel
	known               known
	kernel              int64 // bytes of all that it has there
	cpu                 time.Duration
	traces              int     // so far
	load                float64 // the highest of the machine
}

// running is a process that lasts as long as it is measured.
type running struct {
	*exec.Cmd
	out, said bytes.Buffer
	ended     chan struct{}
}

// start has a command run until stop.
func (b *session) start(words ...string) (*running, error) {
	r := &running{Cmd: b.command(words...), ended: make(chan struct{})}
	r.Stdout, r.Stderr = &r.out, &r.said
	if err := r.Start(); err != nil {
		return nil, err
	}
	go func() { _ = r.Wait(); close(r.ended) }()
	return r, nil
}

func (r *running) stop() {
	_ = r.Process.Signal(os.Interrupt)
	<-r.ended
}

// soak has the flight recorder watch a machine on which a program causes some 20,000 events a second, and says how
// much memory it has as time goes by.
func soak(b *session) (err error) {
	if b.minutes <= early {
		return fmt.Errorf("%d minutes: minute %d is compared with a later one", b.minutes, early)
	}
	disk, err := testenv.InMemory("ext4", "soak", 1<<30)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, disk.Close()) }()
	out := filepath.Join(b.dir, "soak")
	if err := os.Mkdir(out, 0o700); err != nil {
		return err
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	recorder, err := b.start(b.tool, "record", "--all", "--quiet", "--keep", "60s", "--when", "request.latency > 100ms",
		"-o", out, "--metrics", address)
	if err != nil {
		return err
	}
	defer recorder.stop()
	load, err := b.start(b.self, makeSoak, disk.Dir)
	if err != nil {
		return err
	}
	defer load.stop()
	var minutes []soakMinute
	for range b.minutes {
		m, err := watchMinute(b, recorder, load, out, address)
		if err != nil {
			return err
		}
		minutes = append(minutes, m)
	}
	text, err := b.command(b.tool, "dump", "--pid", fmt.Sprint(recorder.Process.Pid)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("writing the last minute: %w: %s", err, lastLine(text))
	}
	load.stop()
	return tellSoak(b, minutes, load.out.String(), lastLine(text))
}

// watchMinute looks at the recorder for a minute.
func watchMinute(b *session, recorder, load *running, out, address string) (m soakMinute, err error) {
	pid := recorder.Process.Pid
	before, _ := host.ProcessCPU(pid)
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for range int(time.Minute / (5 * time.Second)) {
		select {
		case <-b.ended.Done():
			return m, b.ended.Err()
		case <-recorder.ended:
			return m, fmt.Errorf("the recorder has ended: %s", lastLine(recorder.said.Bytes()))
		case <-load.ended:
			return m, fmt.Errorf("the load has ended: %s", lastLine(load.said.Bytes()))
		case <-tick.C:
		}
		resident, anonymous, err := memoryOf(pid)
		if err != nil {
			return m, err
		}
		m.resident, m.anonymous = append(m.resident, resident), append(m.anonymous, anonymous)
		m.load = max(m.load, loadAverage())
	}
	after, _ := host.ProcessCPU(pid)
	m.cpu = after - before
	traces, err := filepath.Glob(out + "/*.iotrace")
	if err == nil {
		m.traces = len(traces)
		m.entries, m.kernel, err = tablesOf(pid)
	}
	if err == nil {
		m.known, err = knownAt(b.ended, address)
	}
	return m, err
}

// tellSoak prints the table; made is what the load says it did, file the trace of the last minute.
func tellSoak(b *session, minutes []soakMinute, made, file string) error {
	var reads, files, seconds float64
	if _, err := fmt.Sscan(made, &reads, &files, &seconds); err != nil {
		return fmt.Errorf("reading what the load did, %q: %w", made, err)
	}
	end, err := endOf(file)
	if err != nil {
		return err
	}
	b.printf("\n### Memory of the flight recorder\n\n`iotrace record --all --keep 60s` for %d minutes, beside a program "+
		"that makes %.0f direct reads of 4 KiB a second and writes and removes %.0f new files, on a file system over "+
		"memory. Each figure of memory is the mean of 12 in the minute.\n\n| minute | resident, MiB | anonymous, MiB | "+
		"events kept, MiB | files known | processes known | entries in the kernel | memory there, MiB | %% of a processor | "+
		"traces so far | load |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
		len(minutes), reads/seconds, files/seconds)
	last := len(minutes)
	step := max((last-early)/6, 1)
	for i, m := range minutes {
		if n := i + 1; n == last || n >= early && (n-early)%step == 0 {
			b.printf("| %d | %.1f | %.1f | %.1f | %d | %d | %d | %.0f | %.1f | %d | %.1f |\n", n, m.resident.mean(),
				m.anonymous.mean(), float64(m.known.bytes)/(1<<20), m.known.files, m.known.processes, m.entries,
				float64(m.kernel)/(1<<20), m.cpu.Seconds()/60*100, m.traces, m.load)
		}
	}
	from, to := &minutes[early-1], &minutes[last-1]
	b.printf("\nFrom minute %d to minute %d: resident %+.1f %%, anonymous %+.1f %%, entries %+d. Trace of the "+
		"last minute of the whole machine: %d events (%.0f a second), %d lost.\n", early, last,
		growth(from.resident, to.resident), growth(from.anonymous, to.anonymous), to.entries-from.entries, events(end),
		float64(events(end))/(float64(end.Duration)/1e9), lost(end))
	return nil
}

// growth is by how many per cent the mean of one is above that of another.
func growth(from, to sample) float64 { return 100 * (to.mean()/from.mean() - 1) }

func (s sample) mean() (m float64) {
	for _, x := range s {
		m += x / float64(len(s))
	}
	return m
}
