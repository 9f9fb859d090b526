package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/internal/ui"
	"github.com/iotrace/iotrace/internal/visible"
)

// app is what every command is made from.
type app struct {
	ui.Streams
	backends []backend
}

// say prints a message for people, which may have names in it.
func (a *app) say(format string, args ...any) {
	fmt.Fprint(a.Err, visible.Lines(fmt.Sprintf(format, args...)))
}

func (a *app) warn(err error) { a.say("iotrace: %v\n", err) }

// newRoot lists the commands. A new one is a file with its constructor, and a
// line here.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "iotrace",
		Short: "Record what a workload does to its disk, and see why it is slower than the benchmark",
		Long: `iotrace records the system calls and block requests of a command and all its
children, and explains what they did to the disk and why that took its time.`,
		Example: `  iotrace doctor                               what can be recorded here
  sudo iotrace record -- cp big.iso /mnt/usb/  record a copy, print a summary
  iotrace report cp-*.iotrace                  one HTML page with everything`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return unknownCommand(c, args[0])
		},
	}
	root.Version = versionName()
	root.SetVersionTemplate(versionText())
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, err) })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newRecordCommand(a),
		newShowCommand(a),
		newReportCommand(a),
		newDiffCommand(a),
		newBenchCommand(a),
		newGapCommand(a),
		newReplayCommand(a),
		newEventsCommand(a),
		newImportCommand(a),
		newExportCommand(a),
		newDoctorCommand(a),
		newVersionCommand(a),
	)
	for _, c := range root.Commands() {
		checkArguments(c)
	}
	return root
}
