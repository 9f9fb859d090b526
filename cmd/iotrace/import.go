package main

import (
	"bufio"
	"cmp"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/internal/unit"
)

type importCommand struct {
	*cli.App
	from   string
	output string
	force  bool
	quiet  bool
}

func newImportCommand(a *cli.App) *cobra.Command {
	o := &importCommand{App: a}
	c := &cobra.Command{
		Use:   "import [--from FORMAT] IN...",
		Short: "Make a trace of what another tool recorded",
		Long:  cli.Help("import"),
		Example: `  iotrace import copy.txt.gz                         writes copy.iotrace
  iotrace import --from ktrace -o t.iotrace a.txt b.txt`,
		Annotations: map[string]string{cli.Formats: importFormats().text()},
		Args:        cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			i, err := o.check(args)
			if err != nil {
				return cli.Usage(c, err)
			}
			return o.run(i, args)
		},
	}
	f := c.Flags()
	f.StringVar(&o.from, "from", "",
		"the tool that made the input (default: found out from its content): "+importFormats().names())
	f.StringVarP(&o.output, "output", "o", "",
		"write the trace to `FILE`; - is standard output (default: the input's name with .iotrace)")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print no summary")
	return c
}

// importFormats are the formats that can be read.
func importFormats() (list formatList) {
	for _, i := range formats.Importers {
		list = append(list, format{i.From, i.About})
	}
	return list
}

// check returns the format that --from says, nil if it is to be found out.
func (o *importCommand) check(inputs []string) (*convert.Importer, error) {
	switch {
	case len(inputs) == 0:
		return nil, errors.New("want the file to import")
	case o.output == "" && inputs[0] == "-":
		return nil, errors.New("want -o FILE for what is read from standard input")
	case o.from == "":
		return nil, nil
	}
	n, err := importFormats().find(o.from)
	if err != nil {
		return nil, err
	}
	return formats.Importers[n], formats.Importers[n].Takes(inputs)
}

func (o *importCommand) run(i *convert.Importer, inputs []string) error {
	output := cmp.Or(o.output, conversion.TraceName(inputs[0]))
	if output == "-" && o.Out.IsTerminal() {
		return errors.New(
			"writing trace to standard output: a terminal cannot show a binary trace (use -o FILE, or a pipe)")
	}
	in, err := conversion.Open(inputs, o.In)
	if err != nil {
		return err
	}
	defer in.Close()
	if i == nil {
		if i, err = in.Recognize(formats.Importers); err == nil {
			err = i.Takes(inputs)
		}
		if err != nil {
			return err
		}
		if !o.quiet {
			o.Say("Format: %s\n", i.From)
		}
	}
	var imported *conversion.Result
	err = o.WriteFile(output, o.force, inputs, func(w *bufio.Writer) error {
		imported, err = conversion.Import(w, i, in, cli.Tool())
		return err
	})
	if err != nil || o.quiet {
		return err
	}
	o.Tell(imported.Summary())
	if info, err := os.Stat(output); err == nil && output != "-" {
		o.Say("Trace: %s (%s)\n", output, unit.Bytes(info.Size()))
	}
	return nil
}
