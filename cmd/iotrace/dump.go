package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer/flight"
)

func newDumpCommand(a *cli.App) *cobra.Command {
	pid := 0
	c := &cobra.Command{
		Use:   "dump [flags]",
		Short: "Have a flight recorder write a trace now",
		Long:  cli.Help("dump"),
		Example: `  sudo iotrace dump
  sudo iotrace show "$(sudo iotrace dump)"`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if pid < 0 {
				return cli.Usage(c, fmt.Errorf("%d is not a process ID", pid))
			}
			path, err := flight.Dump(c.Context(), pid)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.Out, path)
			return err
		},
	}
	c.Flags().IntVarP(&pid, "pid", "p", 0, "ask the recorder with this `PID`, if several run")
	return c
}
