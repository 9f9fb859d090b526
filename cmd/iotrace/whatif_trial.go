package main

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/replay"
	"github.com/iotrace/iotrace/report/text"
)

// trial is what whatif --try is asked for.
type trial struct {
	asked  bool
	all    bool // the methods of copying
	method string
	dir    string
	from   string
	rounds int
}

// allMethods is the word behind --try that asks for all methods.
const allMethods = "methods"

func (t *trial) flags(f *pflag.FlagSet) {
	f.BoolVar(&t.asked, "try", false, "run it in --dir instead, as recorded and changed (\"--try methods\": copies)")
	f.StringVar(&t.method, "method", "", "with --try: make the recorded copies by `METHOD` (docs/whatif.md)")
	f.StringVarP(&t.dir, "dir", "d", "", "with --try: write in `DIR`")
	f.StringVar(&t.from, "from", "", "with --try: keep files that are only read in `DIR` (default that of --dir)")
	f.IntVar(&t.rounds, "runs", 7, "with --try: run each way `N` times")
}

// arguments wants one file; "methods" may stand behind --try.
func (t *trial) arguments(c *cobra.Command, args []string) error {
	if i := slices.Index(args, allMethods); t.asked && len(args) == 2 && i >= 0 {
		t.all = true
		return nil
	}
	return oneTrace(c, args)
}

// file is the one of the arguments that is no word of an option.
func (t *trial) file(args []string) string {
	if t.all && args[0] == allMethods {
		return args[1]
	}
	return args[0]
}

// check says what of a command line contradicts itself.
func (t *trial) check(c *cobra.Command, o *whatif.Options) error {
	if !t.asked {
		for _, name := range []string{"method", "direct", "dir", "from", "runs"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s is for --try: a simulation cannot know what it costs", name)
			}
		}
		return nil
	}
	changed := o.Change.Change != (program.Change{})
	switch {
	case t.dir == "":
		return errors.New("no directory to write to: name one with --dir DIR")
	case t.rounds < 1 || t.rounds > 1000:
		return fmt.Errorf("--runs %d: want 1 to 1000", t.rounds)
	case o.Latency+o.Bandwidth+o.CPU+o.Drive+o.Device != "" || o.Warm:
		return errors.New("--try runs on the drive as it is: leave out --latency, --bandwidth, --drive, --device, --cpu " +
			"and --warm")
	case t.method != "" && len(t.methods()) == 0:
		return fmt.Errorf("--method %s: want one of %s", t.method, unit.List(methodNames()))
	case (t.all || t.method != "") && changed:
		return errors.New("methods are tried as they are: leave out the other changes, or \"methods\" and --method")
	}
	t.all = t.all || t.method == "" && !changed
	return nil
}

// methods are those to try.
func (t *trial) methods() []replay.Method {
	return slices.DeleteFunc(replay.Methods(), func(m replay.Method) bool { return t.method != "" && m.Name != t.method })
}

func methodNames() (list []string) {
	for _, m := range replay.Methods() {
		list = append(list, m.Name)
	}
	return list
}

// dirs are where files are made.
func (t *trial) dirs() []string {
	if t.from == "" {
		return []string{t.dir}
	}
	return []string{t.dir, t.from}
}

// try runs a recording as it was and otherwise.
func (o *whatifCommand) try(path string) error {
	p, err := replay.Load(path) // before rights are given up: the trace may be root's alone
	if err != nil {
		return err
	}
	a, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		return err
	}
	if err := cli.WorkIn(o.trial.dirs()...); err != nil {
		return err
	}
	list, left, err := o.variants(p, a)
	if err != nil {
		return err
	}
	stop := cli.Catch()
	defer stop.Release()
	var now atomic.Pointer[string]
	end := cli.ShowProgress(o.Err, func() string {
		if s := now.Load(); s != nil {
			return *s
		}
		return ""
	})
	t, err := replay.Try(stop.Context, list, replay.TrialOptions{Dir: o.trial.dir, From: o.trial.from,
		Rounds: o.trial.rounds, Progress: func(round int, variant string) {
			s := fmt.Sprintf("round %d of %d: %s", round, o.trial.rounds, variant)
			now.Store(&s)
		}})
	end()
	if err != nil {
		return stop.Explain(err, cli.Removed)
	}
	t.LeftOut = append(left, t.LeftOut...)
	if o.json {
		return cli.PrintJSON(o.Out, t)
	}
	return text.Trial(o.Out, visible.Command(a.Command), p.WallNS, t, o.Style())
}

// variants are what is to be tried, and what cannot be.
func (o *whatifCommand) variants(p *replay.Program, a *profile.Profile) (list []replay.Variant,
	left []replay.LeftOut, err error) {
	list = []replay.Variant{{Name: "as recorded", Program: p}}
	if !o.trial.all && o.trial.method == "" {
		q, err := replay.Apply(o.Change.Change, p)
		if err != nil {
			return nil, nil, fmt.Errorf("trying %q: %w", o.Name(), err)
		}
		return append(list, replay.Variant{Name: o.Name(), Program: q}), nil, nil
	}
	copies := copiesOf(a)
	if len(copies) == 0 {
		return nil, nil, errors.New("trying methods: no copy of a file was recorded (give a change, such as --depth 8)")
	}
	for _, m := range o.trial.methods() {
		if why := m.Unfit(copies); why != "" {
			left = append(left, replay.LeftOut{Name: m.String(), Why: why})
			continue
		}
		list = append(list, m.Variant(copies))
	}
	return list, left, nil
}

// copiesOf are the copies of a recording that moved or shared data.
func copiesOf(a *profile.Profile) (list []replay.TrialCopy) {
	for i := range a.Copies {
		c := &a.Copies[i]
		if c.Method.Names() || c.SizeUnknown {
			continue
		}
		list = append(list, replay.TrialCopy{Bytes: c.Bytes, Warm: c.CacheHitShare > 0.8})
	}
	return list
}
