package main

import (
	"fmt"

	"github.com/iotrace/iotrace/tracer"
)

// series say what to record, and how often.
type series struct {
	// Recording is that of each run, Output the name that the numbers of the runs are added to. It needs Signals.
	Recording tracer.Options
	Runs      int
	Warmups   int    // runs before, which are not recorded
	Prepare   string // a command line of the shell, run before each run and warm-up; "" for none
	// GoOn accepts a run whose command has failed.
	GoOn bool
	// Begin, if set, is told of each run before it begins: "run 2 of 5".
	Begin func(run string)
}

// recordSeries makes the runs, one after the other. It ends with the first that cannot be made, whose command fails or
// that a signal interrupts, and returns those that were made, with an error unless they speak for themselves.
func recordSeries(o series) ([]*tracer.Result, error) {
	names := traceNames(o.Recording.Output, o.Runs)
	if err := vacant(names, o.Recording.Force); err != nil {
		return nil, err
	}
	for i := range o.Warmups {
		if err := o.warmUp(fmt.Sprintf("warm-up %d of %d", i+1, o.Warmups)); err != nil {
			return nil, err
		}
	}
	var made []*tracer.Result
	for i, name := range names {
		run := fmt.Sprintf("run %d of %d", i+1, o.Runs)
		result, err := o.record(name, run)
		if result != nil {
			made = append(made, result)
		}
		if err != nil && o.Runs > 1 {
			err = fmt.Errorf("%s: %w", run, err)
		}
		if err != nil || result.ExitCode != 0 && !o.GoOn {
			return made, err
		}
	}
	return made, nil
}

func (o *series) record(name, run string) (*tracer.Result, error) {
	if err := o.prepare(run); err != nil {
		return nil, err
	}
	r := o.Recording
	r.Output = name
	return tracer.Record(r)
}

func (o *series) warmUp(run string) error {
	if err := o.prepare(run); err != nil {
		return fmt.Errorf("%s: %w", run, err)
	}
	r := o.Recording
	status, err := tracer.RunUnrecorded(tracer.Command{Args: r.Command, User: r.User}, r.Signals)
	if err == nil && status != 0 && !o.GoOn {
		err = fmt.Errorf("the command ended with status %d", status)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", run, err)
	}
	return nil
}

// prepare announces a run and does what is to be done before it, as the user, with standard error as standard output:
// standard output is the command's.
func (o *series) prepare(run string) error {
	if o.Begin != nil {
		o.Begin(run)
	}
	if o.Prepare == "" {
		return nil
	}
	shell := tracer.Command{Args: []string{"sh", "-c", o.Prepare}, User: o.Recording.User, StdoutToStderr: true}
	status, err := tracer.RunUnrecorded(shell, o.Recording.Signals)
	if err == nil && status != 0 {
		err = fmt.Errorf("it ended with status %d", status)
	}
	if err != nil {
		return fmt.Errorf("preparing with %q: %w", o.Prepare, err)
	}
	return nil
}
