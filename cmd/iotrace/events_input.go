package main

import (
	"fmt"
	"os"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/trace/tracefile"
)

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
