package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/trace/tracefile"
)

type eventsCommand struct {
	*cli.App
	kinds []string
	json  bool
}

func newEventsCommand(a *cli.App) *cobra.Command {
	o := &eventsCommand{App: a}
	c := &cobra.Command{
		Use:   "events FILE",
		Short: "Print every event of a trace, one per line",
		Long:  cli.Help("events"),
		Example: `  iotrace events cp.iotrace | less
  iotrace events --kind request --json cp.iotrace | jq .bytes | sort -n | uniq -c`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			kinds, err := text.ParseKinds(o.kinds)
			if err != nil {
				return cli.Usage(c, err)
			}
			return o.run(args[0], text.EventOptions{Kinds: kinds, JSON: o.json})
		},
	}
	c.Flags().StringSliceVar(&o.kinds, "kind", nil, "print only events of this `KIND`")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON object per line")
	return c
}

func (o *eventsCommand) run(path string, options text.EventOptions) error {
	in, err := openEvents(o.App, path)
	if err != nil {
		return err
	}
	defer in.close()
	err = o.WriteOut(func(w *bufio.Writer) error { return text.PrintEvents(w, in.Reader, options) })
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	in.warn(o.App)
	return nil
}

// eventsInput is a trace that is read from its beginning to its end.
type eventsInput struct {
	*tracefile.Reader
	close func()
}

// openEvents opens a trace, or standard input for "-".
func openEvents(a *cli.App, path string) (*eventsInput, error) {
	in, done := a.In, func() {}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		in, done = f, func() { f.Close() }
	}
	r, err := tracefile.NewReader(in)
	if err != nil {
		done()
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	return &eventsInput{r, done}, nil
}

// warn says what was not there to read.
func (i *eventsInput) warn(a *cli.App) {
	for _, d := range i.Damage() {
		a.Say("iotrace: warning: %v\n", d)
	}
	if _, complete := i.End(); !complete {
		a.Say("iotrace: warning: the recording was interrupted: the trace has no end\n")
	}
}
