package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// recordBench runs bench once more, as a command that is being recorded, and takes the results from it through a
// connection. So the recorder is a process of its own, and not part of what it records.
func recordBench(o *benchPrinter, trace string, commandLine func(results int) []string) error {
	beside := resultsName(trace)
	if _, err := os.Stat(beside); err == nil && !o.force {
		return fmt.Errorf("creating %s: %w (choose another name with -o, or replace it with -f)", beside, os.ErrExist)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program itself: %w", err)
	}
	results, err := receive()
	if err != nil {
		return err
	}
	defer results.Close()
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	signals := tracer.CatchSignals()
	recorded, recordErr := tracer.Record(tracer.Options{
		Command: append([]string{self}, commandLine(results.FD)...),
		Open:    func() (tracer.Source, error) { return o.Backends.Open(backends.Automatic, 0, o.Warn) },
		Output:  trace, Owner: user, Force: o.force, Drain: 5 * time.Second, Tool: cli.Tool(), Signals: signals, Warn: o.Warn,
	})
	signals.Stop()
	if recorded == nil {
		return fmt.Errorf("%w\nWithout -o bench runs unrecorded, and without privileges", recordErr)
	}
	if user != nil { // root is no longer needed, least of all to read a file by its name
		recordErr = errors.Join(recordErr, user.Become())
	}
	report := new(baseline.Report)
	if err := results.Read(recorded.Ended, report); err != nil {
		if recorded.ExitCode != 0 { // the command has said why
			err = nil
		}
		return &cli.StatusError{Status: max(recorded.ExitCode, cli.ExitError), Err: errors.Join(recordErr, err)}
	}
	err = errors.Join(recordErr, addTrace(report, recorded.Path), o.keepResults(beside, o.force, report), o.print(report))
	if !o.quiet {
		o.Say("Trace: %s\nResults: %s\n", recorded.Path, beside)
	}
	if err == nil && recorded.ExitCode != 0 {
		return &cli.StatusError{Status: recorded.ExitCode}
	}
	return err
}

// resultsName is the file beside a trace that holds the results.
func resultsName(trace string) string { return strings.TrimSuffix(trace, ".iotrace") + ".bench.json" }
