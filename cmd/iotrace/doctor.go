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

const doctorHelp = `Doctor tries what each backend needs to record on this machine, with the
privileges it is run with, and says what is missing and what to do about it.
Nothing is recorded or changed.

With --self-test it then records a small workload in the current directory with
the first backend that works, or with the one of --backend, and says for each
thing the workload did whether it was recorded as it was done.

Record takes the first backend that works; the last lines say which. What it does
not show is listed as "not seen", with what would.

With --json: "records" says whether anything can be recorded and "uses" with
which backend; each of "backends" has "works" and "checks", and each check
"name", "ok", "required", "found" and "remedy"; "self_test" has the "backend" and
its "checks".

Exit status: 0 if something can be recorded and the self-test, if asked for,
passed; 1 if not, 2 for a wrong command line.`

func newDoctorCommand(a *app) *cobra.Command {
	o := &doctorCommand{app: a}
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Find out what can be recorded here",
		Long:  doctorHelp,
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
