package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/convert/formats"
	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/trace/tracefile"
)

type exportCommand struct {
	*cli.App
	to     string
	output string
	force  bool
	conversion.Choice
}

func newExportCommand(a *cli.App) *cobra.Command {
	o := &exportCommand{App: a}
	c := &cobra.Command{
		Use:   "export --to FORMAT FILE...",
		Short: "Write a trace in the format of another tool",
		Long:  cli.Help("export"),
		Example: `  iotrace export --to perfetto cp.iotrace  writes cp.pftrace, for ui.perfetto.dev
  iotrace export --to parquet -o tables *.iotrace  adds each to those in tables`,
		Annotations: map[string]string{cli.Formats: exportFormats().text()},
		Args:        cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			e, err := o.check(args)
			if err != nil {
				return cli.Usage(c, err)
			}
			if e.Folder != nil {
				return o.folder(e, args)
			}
			return o.run(e, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.to, "to", "", "the format: "+exportFormats().names())
	f.StringVarP(&o.output, "output", "o", "",
		"write to `FILE`, of tables to that directory; - is standard output "+
			"(default: the trace's name with the format's ending)")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing FILE")
	anonymizing(f, &o.Choice)
	return c
}

// exportFormats are the formats that can be written.
func exportFormats() (list formatList) {
	for _, e := range formats.Exporters {
		list = append(list, format{e.To, e.About})
	}
	return list
}

func (o *exportCommand) check(inputs []string) (*formats.Exporter, error) {
	if o.to == "" {
		return nil, fmt.Errorf("want --to and a format (%s)", exportFormats().names())
	}
	if successor := formats.Dropped[o.to]; successor != "" {
		return nil, fmt.Errorf("format %q is gone: take %s", o.to, successor)
	}
	n, err := exportFormats().find(o.to)
	if err != nil {
		return nil, err
	}
	if len(inputs) == 0 {
		return nil, noTrace("want the trace file to read")
	}
	e := formats.Exporters[n]
	return e, e.Takes(inputs, o.output)
}

// folder adds traces to a directory. One that fails does not keep the others out.
func (o *exportCommand) folder(e *formats.Exporter, paths []string) error {
	dir, err := o.Tree(cmp.Or(o.output, tracefile.Name(paths[0])+e.Suffix), paths)
	if err != nil {
		return err
	}
	run := &conversion.Run{
		Folder: e.Folder,
		To:     output.Destination{Files: dir, Replace: o.force},
		Of:     o.Of,
		Added:  func(_ string, r *tracefile.Reader) { (&eventsInput{Reader: r}).warn(o.App) },
	}
	end := cli.ShowProgress(o.Err, func() string { return run.State().Line() })
	err = errors.Join(run.All(paths), dir.Close())
	end()
	if s := run.State(); s.Present > 0 {
		o.Say("iotrace: %d of %d traces were in %s already (-f writes them again)\n", s.Present, s.Traces, dir.Path())
	}
	return err
}

func (o *exportCommand) run(e *formats.Exporter, path string) error {
	output := cmp.Or(o.output, tracefile.Name(path)+e.Suffix)
	t, err := o.Of(path)
	if err != nil {
		return err
	}
	defer t.Done()
	in, err := openEvents(o.App, t.Path)
	if err != nil {
		return err
	}
	defer in.close()
	err = o.WriteFile(output, o.force, []string{path}, func(w *bufio.Writer) error { return e.Export(in.Reader, w) })
	if err == nil {
		in.warn(o.App)
	}
	return err
}
