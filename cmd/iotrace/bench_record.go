package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/kinship"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

// recordBench runs bench once more, as a command that is being recorded, and takes the results from it through a
// connection. So the recorder is a process of its own, and not part of what it records.
func recordBench(o *benchOutput, trace string, commandLine func(results int) []string) error {
	beside := resultsName(trace)
	if _, err := os.Stat(beside); err == nil && !o.force {
		return fmt.Errorf("creating %s: %w (choose another name with -o, or replace it with -f)", beside, os.ErrExist)
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program itself: %w", err)
	}
	results, err := receiveResults()
	if err != nil {
		return err
	}
	defer results.close()
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	signals := tracer.CatchSignals()
	recorded, recordErr := tracer.Record(tracer.Options{
		Command: append([]string{self}, commandLine(results.fd)...),
		Open:    func() (tracer.Source, error) { return o.backends.Open(backends.Automatic, 0, o.warn) },
		Output:  trace, Owner: user, Force: o.force, Drain: 5 * time.Second, Tool: tool(), Signals: signals, Warn: o.warn,
	})
	signals.Stop()
	if recorded == nil {
		return fmt.Errorf("%w\nWithout -o bench runs unrecorded, and without privileges", recordErr)
	}
	report, err := results.read(recorded.End.CommandEnd >= 0)
	if err != nil { // the command has said why
		return errors.Join(recordErr, &statusError{status: max(recorded.ExitCode, exitError)})
	}
	err = errors.Join(recordErr, report.AddTrace(recorded.Path), keepResults(o, beside, report), o.print(report))
	if !o.quiet {
		o.say("Trace: %s\nResults: %s\n", recorded.Path, beside)
	}
	if err == nil && recorded.ExitCode != 0 {
		return &statusError{status: recorded.ExitCode}
	}
	return err
}

func keepResults(o *benchOutput, file string, r *baseline.Report) error {
	return o.writeFile(file, o.force, func(w *bufio.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// resultsName is the file beside a trace that holds the results.
func resultsName(trace string) string { return strings.TrimSuffix(trace, ".iotrace") + ".bench.json" }

// sendResults hands the results to the recorder, if that is this process's parent.
func sendResults(fd int, r *baseline.Report) error {
	if err := kinship.Verify(fd); err != nil {
		return fmt.Errorf("sending the results: %w", err)
	}
	f := os.NewFile(uintptr(fd), "results")
	if err := errors.Join(json.NewEncoder(f).Encode(r), f.Close()); err != nil {
		return fmt.Errorf("sending the results: %w", err)
	}
	return nil
}

// resultsReceiver takes the results of the command that is recorded.
type resultsReceiver struct {
	fd     int // what the command inherits
	ours   *os.File
	theirs *os.File
	text   chan []byte
}

func receiveResults() (*resultsReceiver, error) {
	ours, theirs, err := kinship.Pair()
	if err != nil {
		return nil, err
	}
	fd, err := tracer.Inherit(theirs)
	if err != nil {
		return nil, errors.Join(err, ours.Close(), theirs.Close())
	}
	r := &resultsReceiver{fd: fd, ours: ours, theirs: theirs, text: make(chan []byte, 1)}
	go func() {
		text, _ := io.ReadAll(ours)
		r.text <- text
	}()
	return r, nil
}

func (r *resultsReceiver) close() {
	r.theirs.Close()
	r.ours.Close()
}

// read waits for the results of a command that has ended; of one that goes on it
// takes what is there.
func (r *resultsReceiver) read(ended bool) (*baseline.Report, error) {
	r.theirs.Close()
	if !ended {
		_ = unix.Shutdown(int(r.ours.Fd()), unix.SHUT_RD)
	}
	var report baseline.Report
	if err := json.Unmarshal(<-r.text, &report); err != nil {
		return nil, fmt.Errorf("reading the results: %w", err)
	}
	return &report, nil
}
