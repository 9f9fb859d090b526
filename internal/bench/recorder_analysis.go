//go:build linux

package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// analysis measures what is done with two long recordings: a storm of calls, and many requests in flight.
func analysis(b *session) error {
	storm, libaio := b.dir+"/long.iotrace", b.dir+"/libaio.iotrace"
	record := []string{b.tool, "record", "--quiet", "-f", "-o"}
	if _, err := ddCall(b, append(record, storm, "--"), 5<<20); err != nil {
		return err
	}
	names, files := []string{"storm of calls"}, []string{storm}
	if installed("fio") {
		words := append(append(append([]string{}, record...), libaio, "--"), fioJob(b, "libaio", 32, 30)...)
		if text, err := b.command(words...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w: %s", words, err, lastLine(text))
		}
		names, files = append(names, "libaio, 32 reads in flight"), append(files, libaio)
	}
	b.printf("\n### Analysis\n\nMedians of %d runs.\n\n| recording | events, million | command | s | million events/s | "+
		"MiB resident |\n|---|---|---|---|---|---|\n", analyses)
	for i, file := range files {
		end, err := endOf(file)
		if err != nil {
			return err
		}
		out := b.dir + "/out"
		for _, c := range []struct {
			name  string
			words []string
		}{
			{"show", []string{"show", file}},
			{"report", []string{"report", "-f", "-o", out, file}},
			{"export --to parquet", []string{"export", "--to", "parquet", "-o", out + "-tables", file}},
		} {
			took, resident, err := analyze(b, c.words)
			if err != nil {
				return err
			}
			millions := float64(events(end)) / 1e6
			b.printf("| %s | %.1f | `%s` | %.2f | %.1f | %.0f |\n", names[i], millions, c.name, took, millions/took, resident)
		}
	}
	st, err := os.Stat(b.dir + "/out")
	if err == nil {
		b.printf("\nThe last page has %.2f MB.\n", float64(st.Size())/1e6)
	}
	return err
}

// analyses is how often each command runs.
const analyses = 3

// analyze returns how long a command takes, in seconds, and how much of it is resident, in MiB.
func analyze(b *session, words []string) (took, resident float64, err error) {
	var times, sizes sample
	for range analyses {
		os.RemoveAll(b.dir + "/out-tables")
		cmd := b.command(append([]string{b.tool}, words...)...)
		began := time.Now()
		if text, err := cmd.CombinedOutput(); err != nil {
			return 0, 0, fmt.Errorf("%v: %w: %s", words, err, lastLine(text))
		}
		times = append(times, time.Since(began).Seconds())
		sizes = append(sizes, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1024)
	}
	return times.median(), sizes.median(), nil
}

// start measures what a recording takes besides: loading the probes, and writing the trace.
func start(b *session) error {
	file := b.dir + "/start.iotrace"
	var took sample
	for range b.rounds {
		began := time.Now()
		if text, err := b.command(b.tool, "record", "--quiet", "-f", "-o", file, "--", "true").CombinedOutput(); err != nil {
			return fmt.Errorf("recording true: %w: %s", err, lastLine(text))
		}
		took = append(took, time.Since(began).Seconds())
	}
	b.printf("\n### Beginning and end\n\n`iotrace record true` takes %.2f s (%.2f to %.2f), %d runs.\n", took.median(),
		took.quantile(.25), took.quantile(.75), len(took))
	return nil
}
