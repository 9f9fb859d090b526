package main

import (
	"bufio"
	"errors"

	"github.com/spf13/cobra"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/experiment"
	"github.com/iotrace/iotrace/report"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/trace"
)

type gapOptions struct {
	against string
	read    float64
	write   float64
	link    float64
	dir     string
	size    sizeFlag
	runs    int
	quick   bool
	yes     bool
	state   string
	seed    int64
	json    bool
	output  string
	force   bool
	quiet   bool
}

func newGapCommand(a *app) *cobra.Command {
	var o gapOptions
	c := &cobra.Command{
		Use:   "gap FILE --against PATTERN",
		Short: "Explain why a workload is slower than a benchmark",
		Long: `Gap compares a recorded workload with a benchmark: where its time went, what was
possible at best, and what differs. If a bound explains the measurement, that is
the answer.

With --dir it measures on the real device what each difference costs: it runs cells
between the benchmark and the workload, in random order, and divides the gap among
the differences, with intervals. It says beforehand how much it will write and asks.
Interrupted, it goes on where it was when it is started again.

PATTERN is a name from 'iotrace bench --list', or a file made by 'iotrace bench
--json', whose rates are then taken as those of the benchmark.

Exit status: 0, 1 for an error, 2 for a wrong command line, 130 after Ctrl-C.`,
		Example: `  iotrace gap cp.iotrace --against cdm/seq1m-q8t1 --read-mbps 5085 --write-mbps 4400
  iotrace bench cdm/seq1m-q8t1 --dir /mnt/usb --json > usb.json
  iotrace gap cp.iotrace --against usb.json --dir /mnt/usb -o gap.html`,
		Args: file,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.against == "":
				return usage(c, errors.New("no benchmark to compare with: name one with --against PATTERN (see iotrace bench --list)"))
			case o.read < 0 || o.write < 0 || o.link < 0:
				return usage(c, errors.New("a rate must be above 0"))
			case o.runs < 1:
				return usage(c, errors.New("--runs must be at least 1"))
			case o.json && o.output == "-":
				return usage(c, errors.New("--json and -o - both write to standard output"))
			}
			return a.gap(c, &o, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&o.against, "against", "", "the benchmark: `PATTERN` name or result file")
	f.Float64Var(&o.read, "read-mbps", 0, "the benchmark's reads in `MB/S` (10^6 bytes)")
	f.Float64Var(&o.write, "write-mbps", 0, "the benchmark's writes in `MB/S`")
	f.Float64Var(&o.link, "link-mbps", 0, "rate of a link that reads and writes share, in `MB/S`")
	f.StringVarP(&o.dir, "dir", "d", "", "measure the differences in `DIR`, on the disk of the recording")
	f.Var(&o.size, "size", "payload of each run (default: at most that of the recording, 512 MiB, and what takes 2 s)")
	f.IntVar(&o.runs, "runs", gap.Repetitions, "repetitions of each cell; intervals need 6")
	f.BoolVar(&o.quick, "quick", false, "fewer cells and less data")
	f.BoolVarP(&o.yes, "yes", "y", false, "do not ask before writing")
	f.StringVar(&o.state, "state", "", "keep the runs made in `FILE` (default: FILE.gap beside the trace)")
	f.Int64Var(&o.seed, "seed", 1, "order of the runs")
	f.BoolVar(&o.json, "json", false, "print JSON (docs/json.md)")
	f.StringVarP(&o.output, "output", "o", "", "write an HTML page to `FILE`")
	f.BoolVarP(&o.force, "force", "f", false, "replace an existing page")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	return c
}

// probeSeconds is what the probes cost each system call: all they took, over the
// calls, as most of it goes there; more than a microsecond went elsewhere.
func probeSeconds(p *profile.Profile) float64 {
	calls := p.Trace.Events[trace.KindSyscall.String()]
	if calls == 0 || p.Recorder.ProbeCPUNS <= 0 {
		return 0
	}
	return min(float64(p.Recorder.ProbeCPUNS)/float64(calls), 1000) / 1e9
}

func (a *app) gap(c *cobra.Command, o *gapOptions, path string) error {
	if path == "-" {
		return usage(c, errors.New("gap reads the trace several times: it must be a file, not standard input"))
	}
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		return err
	}
	w, err := gap.Survey(path)
	if err != nil && !errors.Is(err, gap.ErrNoPayload) {
		return err
	}
	if w != nil {
		w.CoverFrom(float64(p.WallNS) / 1e9)
		w.WithoutRecorder(probeSeconds(p))
		experiment.SampleData(w)
	}
	against, err := o.benchmark(w)
	if err != nil {
		return err
	}
	r := gap.Views(p, w, against.setting, against.speed)
	r.Tool, r.Against, r.Warnings = "iotrace "+versionName(), against.name, append(r.Warnings, against.warnings...)
	if o.dir != "" && !r.Settled() {
		if err := a.gapExperiment(o, path, r); err != nil {
			return err
		}
	}
	if o.output != "" {
		err := a.writeFile(o.output, o.force, func(w *bufio.Writer) error { return page.Gap(w, r) })
		if err != nil {
			return err
		}
		if o.output != "-" {
			a.say("Page: %s\n", o.output)
		} else {
			return nil
		}
	}
	if o.json {
		return report.JSON(a.Out, r)
	}
	return text.Gap(a.Out, r, text.Options{Width: a.Out.Width(), Color: a.Out.Color()})
}
