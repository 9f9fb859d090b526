package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/experiment"
)

// consent waits for a yes.
func consent(ctx context.Context, a *cli.App) error {
	fmt.Fprint(a.Err, "Go on? [y/N] ")
	line := make(chan string, 1)
	go func() {
		text, err := bufio.NewReader(a.In).ReadString('\n')
		if err != nil && text == "" {
			fmt.Fprintln(a.Err)
		}
		line <- text
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(a.Err)
		return ctx.Err()
	case text := <-line:
		if answer := strings.ToLower(strings.TrimSpace(text)); answer == "y" || answer == "yes" {
			return nil
		}
	}
	return errors.New("the experiment was not made (answer y, or use --yes)")
}

// experimentRuns makes the runs of an experiment and adds what they mean to the report. Interrupted, it says how to go
// on.
func experimentRuns(a *cli.App, quiet bool, stop *cli.Interrupt, x *experiment.Experiment, r *gap.Report) error {
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
	left := fmt.Sprintf("%s, %d runs are kept in %s: the same command goes on with them", cli.Removed, runs, path)
	return stop.Explain(err, left)
}
