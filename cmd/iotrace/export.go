package main

import (
	"bufio"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/convert"
)

type exportCommand struct {
	*app
	to     string
	output string
	force  bool
}

func newExportCommand(a *app) *cobra.Command {
	o := &exportCommand{app: a}
	c := &cobra.Command{
		Use:     "export --to FORMAT FILE",
		Short:   "Write a trace in the format of another tool",
		Long:    strings.Replace(helpOn("export"), "FORMATS", exportFormats().text(), 1),
		Example: `  iotrace export --to chrome cp.iotrace      writes cp.json, for ui.perfetto.dev`,
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := o.check(args[0])
			if err != nil {
				return usage(c, err)
			}
			return o.run(e, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.to, "to", "", "the format: "+exportFormats().names())
	f.StringVarP(&o.output, "output", "o", "",
		"write to `FILE`; - is standard output (default: the trace's name with the format's ending)")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	return c
}

// exportFormats are the formats that can be written.
func exportFormats() (list formats) {
	for _, e := range convert.Exporters {
		list = append(list, format{e.To, e.About})
	}
	return list
}

func (o *exportCommand) check(input string) (*convert.Exporter, error) {
	n, err := exportFormats().find(o.to)
	switch {
	case o.to == "":
		return nil, fmt.Errorf("want --to and a format (%s)", exportFormats().names())
	case err != nil:
		return nil, err
	case o.output == "" && input == "-":
		return nil, errors.New("want -o FILE for what is read from standard input")
	}
	return convert.Exporters[n], nil
}

func (o *exportCommand) run(e *convert.Exporter, path string) error {
	output := o.output
	if output == "" {
		base := filepath.Base(path)
		output = strings.TrimSuffix(base, filepath.Ext(base)) + e.Suffix
	}
	in, err := openEvents(o.app, path)
	if err != nil {
		return err
	}
	defer in.close()
	err = o.writeFile(output, o.force, func(w *bufio.Writer) error { return e.Export(in.Reader, w) })
	if err == nil {
		in.warn(o.app)
	}
	return err
}
