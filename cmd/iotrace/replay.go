package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/internal/interrupt"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/report/text"
)

type replayCommand struct {
	*app
	dir  string
	asap bool
	json bool
}

func newReplayCommand(a *app) *cobra.Command {
	o := &replayCommand{app: a}
	c := &cobra.Command{
		Use:   "replay FILE --dir DIR",
		Short: "Run a recorded workload again, on another disk",
		Long:  helpOn("replay"),
		Example: `  iotrace replay cp.iotrace --dir /mnt/usb
  iotrace replay cp.iotrace --dir /mnt/usb --asap    without the pauses`,
		Args: oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.dir == "":
				return usage(c, errors.New("no directory to write to: name one with --dir DIR"))
			case args[0] == "-":
				return usage(c, errors.New("replay reads a file, not standard input"))
			}
			return o.run(args[0])
		},
	}
	c.Flags().StringVarP(&o.dir, "dir", "d", "", "write in `DIR`")
	c.Flags().BoolVar(&o.asap, "asap", false, "leave out the pauses")
	c.Flags().BoolVar(&o.json, "json", false, "print JSON (docs/json.md)")
	return c
}

func (o *replayCommand) run(path string) error {
	if err := workIn(o.dir); err != nil {
		return err
	}
	p, err := replay.Load(path)
	if err != nil {
		return err
	}
	stop := interrupt.Catch()
	defer stop.Release()
	r, err := replay.Run(stop.Context, p, replay.Options{Dir: o.dir, ASAP: o.asap})
	if err != nil {
		return stop.Explain(err, interrupt.Removed)
	}
	if o.json {
		return printJSON(o.Out, r)
	}
	return text.Replay(o.Out, r, o.style())
}
