package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/experiment"
	"github.com/iotrace/iotrace/internal/interrupt"
)

// consent waits for a yes.
func consent(a *cli.App) error {
	fmt.Fprint(a.Err, "Go on? [y/N] ")
	answer, err := bufio.NewReader(a.In).ReadString('\n')
	if answer = strings.ToLower(strings.TrimSpace(answer)); answer == "y" || answer == "yes" {
		return nil
	}
	if err != nil && answer == "" {
		fmt.Fprintln(a.Err)
	}
	return errors.New("the experiment was not made (answer y, or use --yes)")
}

// experimentRuns makes the runs of an experiment and adds what they mean to the report. Interrupted, it says how to go
// on.
func experimentRuns(a *cli.App, quiet bool, x *experiment.Experiment, r *gap.Report) error {
	stop := interrupt.Catch()
	defer stop.Release()
	end := func() {}
	if !quiet {
		end = cli.ShowProgress(a.Err, x.Progress)
	}
	err := x.Measure(stop.Context)
	end()
	if errors.Is(err, experiment.ErrBudget) { // the answer without it stands
		r.Refuse(err)
		return nil
	}
	if err == nil {
		err = x.Conclude(stop.Context, r)
	}
	runs, path := x.Kept()
	left := fmt.Sprintf("%s, %d runs are kept in %s: the same command goes on with them", interrupt.Removed, runs, path)
	return stop.Explain(err, left)
}
