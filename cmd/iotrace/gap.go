package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/experiment"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/tracer"
)

type gapCommand struct {
	*cli.App
	against string
	read    float64
	write   float64
	copies  float64
	link    float64
	dir     string
	size    unit.SizeFlag
	runs    int
	budget  unit.DurationFlag
	quick   bool
	yes     bool
	state   string
	seed    int64
	json    bool
	output  string
	force   bool
	quiet   bool
}

func newGapCommand(a *cli.App) *cobra.Command {
	o := &gapCommand{App: a}
	c := &cobra.Command{
		Use:   "gap FILE --against PATTERN",
		Short: "Explain why a workload is slower than a benchmark",
		Long:  cli.Help("gap"),
		Example: `  iotrace gap cp.iotrace --against cdm/seq1m-q8t1 --read-mbps 5085 --write-mbps 4400
  iotrace bench cdm/seq1m-q8t1 --dir /mnt/usb --json > usb.json
  iotrace gap cp.iotrace --against usb.json --dir /mnt/usb -o gap.html`,
		Args: oneTrace,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args[0]); err != nil {
				return cli.Usage(c, err)
			}
			return o.run(args[0])
		},
	}
	o.addFlags(c.Flags())
	return c
}

func (o *gapCommand) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.against, "against", "", "the benchmark: `PATTERN` name, or results of bench or fio as JSON")
	f.Float64Var(&o.read, "read-mbps", 0, "the benchmark's read rate in `MB/s`")
	f.Float64Var(&o.write, "write-mbps", 0, "the benchmark's write rate in `MB/s`")
	f.Float64Var(&o.copies, "copy-mbps", 0, "the benchmark's copy rate in `MB/s` (10^6 bytes per second)")
	f.Float64Var(&o.link, "link-mbps", 0, "rate of a link that reads and writes share, in `MB/s`")
	f.StringVarP(&o.dir, "dir", "d", "", "measure the differences in `DIR`, on the disk of the recording")
	f.Var(&o.size, "size", "payload of each run (default: at most that of the recording, 512 MiB, and what takes 2 s)")
	f.IntVar(&o.runs, "runs", gap.Repetitions, "repetitions of each cell; intervals need 6")
	f.Var(&o.budget, "budget", "end after `TIME` (2m), with what can be told by then (default: no limit)")
	f.BoolVar(&o.quick, "quick", false, "fewer cells and less data")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask before writing")
	f.StringVar(&o.state, "state", "", "keep the runs made in `FILE` (default: FILE.gap beside the trace)")
	f.Int64Var(&o.seed, "seed", 1, "order of the runs")
	f.BoolVar(&o.json, "json", false, "print JSON (docs/gap.md)")
	f.StringVarP(&o.output, "output", "o", "", "write an HTML page to `FILE`")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing page")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
}

func (o *gapCommand) check(path string) error {
	switch {
	case o.against == "":
		return errors.New("no benchmark to compare with: name one with --against PATTERN (see iotrace bench --list)")
	case o.read < 0 || o.write < 0 || o.copies < 0 || o.link < 0:
		return errors.New("a rate must be above 0")
	case o.runs < 1:
		return errors.New("--runs must be at least 1")
	case o.budget < 0 || o.budget > 0 && time.Duration(o.budget) < time.Second:
		return errors.New("--budget must be at least 1s")
	case o.json && o.output == "-":
		return errors.New("--json and -o - both write to standard output")
	case path == "-":
		return errors.New("gap reads the trace several times: it must be a file, not standard input")
	}
	return nil
}

func (o *gapCommand) run(path string) error {
	r, err := o.compare(path)
	if err != nil {
		return err
	}
	if o.dir != "" && !r.Settled() {
		if err := o.measure(path, r); err != nil {
			return err
		}
	}
	return o.print(path, r)
}

// compare sets the recording against the benchmark.
func (o *gapCommand) compare(path string) (*gap.Report, error) {
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		return nil, err
	}
	if !p.Trace.TellsDepth(false) {
		return nil, fmt.Errorf("%s does not tell when operations began and how long they took: there is no speed to explain",
			path)
	}
	w, err := gap.Survey(path)
	if err != nil && !errors.Is(err, gap.ErrNoPayload) {
		return nil, err
	}
	if w != nil {
		w.CoverFrom(float64(p.WallNS) / 1e9)
		w.WithoutRecorder(gap.ProbeSeconds(p))
		experiment.SampleData(w)
	}
	given := gap.Given{Read: o.read * 1e6, Write: o.write * 1e6, Copy: o.copies * 1e6, Link: o.link * 1e6}
	b, err := gap.FindReference(o.against, gap.SoughtBy(w, o.dir), given)
	if err != nil {
		return nil, err
	}
	r := gap.Views(p, w, b.Setting, b.Speed)
	r.Tool, r.Against, r.Warnings = cli.Tool(), b.Name, append(r.Warnings, b.Warnings...)
	return r, nil
}

func (o *gapCommand) print(path string, r *gap.Report) error {
	if o.output != "" {
		inputs := []string{path, o.against, o.state}
		err := o.WriteFile(o.output, o.force, inputs, func(w *bufio.Writer) error { return page.Gap(w, r) })
		if err != nil || o.output == "-" {
			return err
		}
		o.Say("Page: %s\n", o.output)
	}
	if o.json {
		return content.JSON(o.Out, r)
	}
	return text.Gap(o.Out, r, o.Style())
}

// measure finds out what the differences cost, and adds it to the report.
func (o *gapCommand) measure(path string, r *gap.Report) (err error) {
	if len(r.Differences) == 0 {
		r.Warnings = append(r.Warnings, "nothing differs between the benchmark and the recording that could be measured")
		return nil
	}
	user, err := tracer.InvokingUser()
	if err != nil {
		return err
	}
	if err := cli.WorkIn(o.dir); err != nil {
		return err
	}
	x, err := experiment.Open(path, r, experiment.Options{
		Dir: o.dir, Size: int64(o.size), Runs: o.runs, Quick: o.quick, State: cmp.Or(o.state, path+".gap"),
		Owner: user.Identity(), Seed: o.seed, Notes: o.Err,
		Budget: time.Duration(o.budget),
	})
	if err != nil {
		return err
	}
	defer func() {
		if left := x.Close(); left != nil && err == nil { // the answer stands all the same
			r.Warnings = append(r.Warnings, left.Error())
		} else {
			err = errors.Join(err, left)
		}
	}()
	stop := cli.Catch()
	defer stop.Release()
	err = x.Prepare(stop.Context)
	if errors.Is(err, experiment.ErrNoDevice) { // the answer without it stands
		r.Refuse(err)
		return nil
	}
	if err != nil {
		return stop.Explain(err, cli.Removed)
	}
	fmt.Fprint(o.Err, x.Announcement())
	if !o.yes {
		if err := consent(stop.Context, o.App); err != nil {
			return stop.Explain(err, cli.Removed)
		}
	}
	return experimentRuns(o.App, o.quiet, stop, x, r)
}
