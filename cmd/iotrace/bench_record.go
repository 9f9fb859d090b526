package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/tracer"
)

// recordBench runs the same command line once more, as a command that is being
// recorded, and takes the results from it through a file without a name. So
// the recorder is a process of its own, and not part of what it records.
func (a *app) recordBench(o *benchOptions, args []string) error {
	trace := o.output
	results := resultsName(trace)
	if _, err := os.Stat(results); err == nil && !o.force {
		return fmt.Errorf("creating %s: %w (choose another name with -o, or replace it with -f)", results, os.ErrExist)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program itself: %w", err)
	}
	through, err := os.CreateTemp("", "iotrace-results-")
	if err != nil {
		return fmt.Errorf("creating a file for the results: %w", err)
	}
	defer through.Close()
	if err := os.Remove(through.Name()); err != nil {
		return err
	}
	if _, err := unix.FcntlInt(through.Fd(), unix.F_SETFD, 0); err != nil { // the command inherits it
		return err
	}
	signals := tracer.CatchSignals()
	recorded, recordErr := tracer.Record(tracer.Options{
		Command: append([]string{self}, o.commandLine(int(through.Fd()), args)...),
		Open: func() (tracer.Source, error) {
			return a.openBackend(automatic, 0, func(err error) { fmt.Fprintln(a.Err, "iotrace:", err) })
		},
		Output: trace, Force: o.force, Drain: 5 * time.Second, Tool: "iotrace " + versionName(), Signals: signals,
		Warn: func(err error) { fmt.Fprintf(a.Err, "iotrace: %v\n", err) },
	})
	signals.Stop()
	if recorded == nil {
		return fmt.Errorf("%w\nWithout -o bench runs unrecorded, and without privileges", recordErr)
	}
	report, err := readResults(through)
	if err != nil { // the command has said why
		return errors.Join(recordErr, &statusError{status: max(recorded.ExitCode, exitError)})
	}
	err = errors.Join(recordErr, report.AddTrace(recorded.Path))
	err = errors.Join(err, a.writeFile(results, o.force, func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(report)
	}))
	err = errors.Join(err, a.writeBench(o, report))
	if !o.quiet {
		fmt.Fprintf(a.Err, "Trace: %s\nResults: %s\n", recorded.Path, results)
	}
	if err == nil && recorded.ExitCode != 0 {
		return &statusError{status: recorded.ExitCode}
	}
	return err
}

// resultsName is the file beside a trace that holds the results.
func resultsName(trace string) string { return strings.TrimSuffix(trace, ".iotrace") + ".bench.json" }

// commandLine is that of the recorded command: the same patterns, directories
// and limits, the results to a descriptor. The output of this process is left
// to the caller.
func (o *benchOptions) commandLine(fd int, args []string) []string {
	line := []string{"bench", fmt.Sprintf("--results-fd=%d", fd)}
	add := func(set bool, flag string) {
		if set {
			line = append(line, flag)
		}
	}
	for _, d := range o.dirs {
		line = append(line, "--dir="+d)
	}
	for _, s := range o.sizes {
		line = append(line, "--file-sizes="+s)
	}
	add(o.size > 0, fmt.Sprintf("--size=%d", int64(o.size)))
	add(o.runs > 0, fmt.Sprintf("--runs=%d", o.runs))
	add(o.time > 0, "--time="+time.Duration(o.time).String())
	add(o.destroy != "", "--destroy="+o.destroy)
	add(o.seed != 0, fmt.Sprintf("--seed=%d", o.seed))
	add(o.threads, "--threads")
	add(o.keep, "--keep-caches")
	add(o.quiet, "--quiet")
	return append(append(line, "--"), args...)
}

func sendResults(fd int, r *baseline.Report) error {
	f := os.NewFile(uintptr(fd), "results")
	if f == nil {
		return fmt.Errorf("sending the results: no descriptor %d", fd)
	}
	if err := errors.Join(json.NewEncoder(f).Encode(r), f.Close()); err != nil {
		return fmt.Errorf("sending the results: %w", err)
	}
	return nil
}

func readResults(f *os.File) (*baseline.Report, error) {
	if _, err := f.Seek(0, 0); err != nil {
		return nil, err
	}
	var r baseline.Report
	if err := json.NewDecoder(f).Decode(&r); err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	return &r, nil
}
