package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/internal/unit"
)

type mergeCommand struct {
	*cli.App
	names   []string
	offsets []string
	output  string
	force   bool
	quiet   bool
}

func newMergeCommand(a *cli.App) *cobra.Command {
	o := &mergeCommand{App: a}
	c := &cobra.Command{
		Use:   "merge -o OUT FILE FILE...",
		Short: "Put traces of several hosts on one axis of time",
		Long:  cli.Help("merge"),
		Example: `  iotrace merge -o both.iotrace client.iotrace server.iotrace
  iotrace merge -o nodes.iotrace --offset node2.iotrace=+1.2ms node*.iotrace`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			parts, err := o.parts(args)
			if err != nil {
				return cli.Usage(c, err)
			}
			return o.run(parts, args)
		},
	}
	f := c.Flags()
	f.StringVarP(&o.output, "output", "o", "", "write the trace to `OUT`")
	f.StringArrayVar(&o.names, "name", nil, "call the host of a trace by another name: `FILE=NAME`")
	f.StringArrayVar(&o.offsets, "offset", nil,
		"add to the times of a trace what its host's clock was behind: `FILE=TIME`")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing OUT")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary")
	return c
}

func (o *mergeCommand) parts(files []string) ([]conversion.Part, error) {
	switch {
	case len(files) < 2:
		return nil, errors.New("want the traces to merge, two or more")
	case o.output == "" || o.output == "-":
		return nil, errors.New("want the file to write: name it with -o OUT")
	}
	return conversion.Parts(files, o.names, o.offsets)
}

func (o *mergeCommand) run(parts []conversion.Part, files []string) error {
	var merged *conversion.Merged
	err := o.WriteFile(o.output, o.force, files, func(w *bufio.Writer) (err error) {
		merged, err = conversion.Merge(w, parts, cli.Tool())
		return err
	})
	if err != nil || o.quiet {
		return err
	}
	for _, h := range merged.Hosts {
		o.Say("%s: %s, from %s on\n", h.Name, unit.Things(int64(h.Events), "event"), unit.Duration(h.From))
	}
	o.Say("%s\nTrace: %s\n", merged.Clocks, o.output)
	return nil
}
