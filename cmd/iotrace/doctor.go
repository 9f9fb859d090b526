package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
)

type doctorCommand struct {
	*cli.App
	json     bool
	selfTest bool
	backend  string
}

func newDoctorCommand(a *cli.App) *cobra.Command {
	o := &doctorCommand{App: a}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what can be recorded here",
		Long:  cli.Help("doctor"),
		Example: `  sudo iotrace doctor
  sudo iotrace doctor --self-test`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkBackend(a.Backends, o.backend); err != nil {
				return cli.Usage(c, err)
			}
			return o.run()
		},
	}
	f := c.Flags()
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.selfTest, "self-test", false, "record a known workload and compare")
	f.StringVar(&o.backend, "backend", backends.Automatic, "the backend to test")
	return c
}

func (o *doctorCommand) run() error {
	d := backends.Diagnose(o.Backends, cli.Tool())
	if o.selfTest {
		err := d.Test(func() (tracer.Source, error) { return o.Backends.Open(o.backend, 0, o.Warn) })
		if err != nil {
			return fmt.Errorf("self-test: %w", err)
		}
	}
	var err error
	if o.json {
		err = cli.PrintJSON(o.Out, d)
	} else {
		err = backends.PrintDiagnosis(o.Out, d)
	}
	if err == nil && !d.OK() {
		err = &cli.StatusError{Status: cli.ExitError}
	}
	return err
}
