package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer/backends"
)

// run is the program: it returns the exit code.
func run(args []string, s cli.Streams, b backends.List) int {
	s, end := cli.Guard(s)
	defer end() // an error is one of the stream, on which nothing more can be said
	a := &cli.App{Streams: s, Backends: b, Names: args}
	root := newRoot(a)
	root.SetArgs(withoutCommand(args))
	c, err := root.ExecuteC()
	code := cli.ExitCode(err)
	silent := (*cli.StatusError)(nil)
	switch {
	case err == nil, errors.As(err, &silent) && silent.Err == nil:
	case wantsJSON(c):
		_ = cli.PrintJSONLine(s.Err, jsonError{Kind: "error", Code: code, Message: err.Error()})
	default:
		a.Tell("iotrace: " + a.Explain(err) + "\n")
	}
	return code
}

// newRoot lists the commands. A new one is a file with its constructor, and a line here.
func newRoot(a *cli.App) *cobra.Command {
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
			if asked, err := c.Flags().GetBool("version"); err != nil || asked {
				_, err := io.WriteString(a.Out, cli.VersionText())
				return err
			}
			if len(args) == 0 {
				return c.Help()
			}
			return unknownCommand(c, args[0])
		},
	}
	// As cobra would. It prints with a template, and who can execute one calls methods by their names: the linker then
	// keeps every exported method of the program.
	root.Flags().BoolP("version", "v", false, "version for iotrace")
	_ = root.Flags().SetAnnotation("version", cobra.FlagSetByCobraAnnotation, []string{"true"})
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return cli.Usage(c, err) })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newRecordCommand(a),
		newDumpCommand(a),
		newShowCommand(a),
		newReportCommand(a),
		newDiffCommand(a),
		newBenchCommand(a),
		newGapCommand(a),
		newReplayCommand(a),
		newWhatIfCommand(a),
		newTopCommand(a),
		newEventsCommand(a),
		newImportCommand(a),
		newExportCommand(a),
		newMergeCommand(a),
		newDoctorCommand(a),
		newVersionCommand(a),
	)
	for _, c := range root.Commands() {
		cli.CheckArguments(c)
	}
	return root
}

// withoutCommand leaves of what begins with --version the flags: whoever asks for it gets it, whatever command follows.
func withoutCommand(args []string) []string {
	if len(args) == 0 || args[0] != "--version" && args[0] != "-v" {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !strings.HasPrefix(arg, "-") })
}

func unknownCommand(root *cobra.Command, name string) error {
	err := fmt.Errorf("unknown command %q", name)
	root.SuggestionsMinimumDistance = 2
	if like := root.SuggestionsFor(name); len(like) > 0 {
		err = fmt.Errorf("%w (did you mean %s?)", err, strings.Join(like, ", "))
	}
	return cli.Usage(root, err)
}

// jsonError is the last line on standard error of a command that failed and was asked for JSON.
type jsonError struct {
	Kind    string `json:"kind"` // "error"
	Code    int    `json:"code"` // the exit code
	Message string `json:"message"`
}

func wantsJSON(c *cobra.Command) bool {
	flag := c.Flags().Lookup("json")
	return flag != nil && flag.Value.String() == "true"
}
