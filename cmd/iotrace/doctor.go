package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/backends"
	"github.com/iotrace/iotrace/tracer/diagnosis"
)

type doctorCommand struct {
	*app
	json     bool
	selfTest bool
	backend  string
}

func newDoctorCommand(a *app) *cobra.Command {
	o := &doctorCommand{app: a}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what can be recorded here",
		Long:  helpOn("doctor"),
		Example: `  sudo iotrace doctor
  sudo iotrace doctor --self-test`,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkBackend(a.backends, o.backend); err != nil {
				return usage(c, err)
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
	d := diagnosis.Make(o.backends, tool())
	if o.selfTest {
		err := d.Test(func() (tracer.Source, error) { return o.backends.Open(o.backend, 0, o.warn) })
		if err != nil {
			return fmt.Errorf("self-test: %w", err)
		}
	}
	var err error
	if o.json {
		err = printJSON(o.Out, d)
	} else {
		err = diagnosis.Print(o.Out, d)
	}
	if err == nil && !d.OK() {
		err = &statusError{status: exitError}
	}
	return err
}
