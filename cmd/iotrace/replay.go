package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/report/text"
)

type replayCommand struct {
	*cli.App
	dir  string
	asap bool
	json bool
}

func newReplayCommand(a *cli.App) *cobra.Command {
	o := &replayCommand{App: a}
	c := &cobra.Command{
		Use:   "replay FILE --dir DIR",
		Short: "Run a recorded workload again, on another disk",
		Long:  cli.Help("replay"),
		Example: `  iotrace replay cp.iotrace --dir /mnt/usb
  iotrace replay cp.iotrace --dir /mnt/usb --asap    without the pauses`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.dir == "":
				return cli.Usage(c, errors.New("no directory to write to: name one with --dir DIR"))
			case args[0] == "-":
				return cli.Usage(c, errors.New("replay reads a file, not standard input"))
			}
			return o.run(args[0])
		},
	}
	c.Flags().StringVarP(&o.dir, "dir", "d", "", "write in `DIR`")
	c.Flags().BoolVar(&o.asap, "asap", false, "leave out the pauses")
	c.Flags().BoolVar(&o.json, "json", false, "print JSON (docs/gap.md)")
	return c
}

func (o *replayCommand) run(path string) error {
	p, err := replay.Load(path) // before rights are given up: the trace may be root's alone
	if err != nil {
		return err
	}
	if err := cli.WorkIn(o.dir); err != nil {
		return err
	}
	stop := cli.Catch()
	defer stop.Release()
	r, err := replay.Run(stop.Context, p, replay.Options{Dir: o.dir, ASAP: o.asap})
	if err != nil {
		return stop.Explain(err, cli.Removed)
	}
	if o.json {
		return cli.PrintJSON(o.Out, r)
	}
	return text.Replay(o.Out, r, o.Style())
}
