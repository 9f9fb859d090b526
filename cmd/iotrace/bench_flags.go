package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/iotrace/iotrace/baseline"
)

// Flags that only some of what bench does has a use for: a flag without one is refused, and not ignored.
var (
	ofList     = []string{"list", "json", "quiet", "help"}
	ofPatterns = []string{"size", "file-sizes", "time", "destroy", "threads", "keep-caches", "precondition"}
	ofWork     = []string{"sizes", "rest"}

	// work that each flag of work changes nothing of
	unchanged = map[string][]string{"sizes": {"tree", "launch"}, "runs": {"sustained"}}
)

// uses tell which steps of patterns each flag changes something of.
var uses = map[string]func(p *baseline.Pattern, s *baseline.Step) bool{
	"file-sizes": func(_ *baseline.Pattern, s *baseline.Step) bool { return s.Files != nil },
	"size":       func(_ *baseline.Pattern, s *baseline.Step) bool { return s.Files != nil || s.FileSize > 0 },
	"time":       func(p *baseline.Pattern, s *baseline.Step) bool { return s.Limit.Time > 0 || p.Pause > 0 },
	"threads":    func(_ *baseline.Pattern, s *baseline.Step) bool { return !s.Blocking && s.Op != baseline.Copy },
	"destroy":    func(p *baseline.Pattern, _ *baseline.Step) bool { return p.Target == baseline.TargetDevice },
	"dir":        func(p *baseline.Pattern, _ *baseline.Step) bool { return p.Target == baseline.TargetFile },
}

// checkUses reports a flag that changes nothing of any of the patterns.
func checkUses(f *pflag.FlagSet, patterns []baseline.Pattern) error {
	name := givenFlag(f, func(name string) bool {
		use := uses[name]
		for i := range patterns {
			p := &patterns[i]
			for _, s := range slices.Concat(p.Before, p.Steps) {
				if use != nil && use(p, &s) {
					return false
				}
			}
		}
		return use != nil
	})
	if name == "" {
		return nil
	}
	return fmt.Errorf("--%s changes nothing of %s: leave it out, or name a pattern that has a use for it (bench --list "+
		"NAME shows what each does)", name, patterns[0].Name)
}

// checkFlags reports flags and arguments that do not go together.
func (o *benchCommand) checkFlags(f *pflag.FlagSet, args []string) error {
	switch {
	case o.list:
		if name := givenFlag(f, func(name string) bool { return !slices.Contains(ofList, name) }); name != "" {
			return fmt.Errorf("--list runs nothing: --%s is for a run", name)
		}
	case len(o.review.with) > 0 && len(args) > 0:
		return fmt.Errorf("--with measures everyday work, not patterns: %s", args[0])
	case len(o.review.with) > 0:
		if name := givenFlag(f, func(name string) bool { return slices.Contains(ofPatterns, name) }); name != "" {
			return fmt.Errorf("--%s is for patterns, and --with measures everyday work instead (--sizes says of which sizes)",
				name)
		}
		if name := givenFlag(f, o.changesNoWork); name != "" {
			return fmt.Errorf("--%s changes nothing of --with %s: leave it out", name, strings.Join(o.review.with, ","))
		}
	default:
		if name := givenFlag(f, func(name string) bool { return slices.Contains(ofWork, name) }); name != "" {
			return fmt.Errorf("--%s is for the work of --with; patterns have --size, and pauses of their own", name)
		}
	}
	if err := o.checkForms(); err != nil {
		return err
	}
	if o.force && o.output == "" && o.html == "" {
		return errors.New("--force replaces the files of -o and --html: there is none")
	}
	if o.output == "-" {
		return errKept
	}
	return o.checkLabels()
}

// changesNoWork tells whether a flag changes nothing of all the work that is named.
func (o *benchCommand) changesNoWork(name string) bool {
	same, ok := unchanged[name]
	return ok && !slices.ContainsFunc(o.review.with, func(work string) bool { return !slices.Contains(same, work) })
}

// givenFlag is the first flag on the command line of those that are meant, "" if there is none.
func givenFlag(f *pflag.FlagSet, meant func(string) bool) (name string) {
	f.Visit(func(x *pflag.Flag) {
		if name == "" && meant(x.Name) {
			name = x.Name
		}
	})
	return name
}

// checkLabels reports labels of no directory.
func (o *benchCommand) checkLabels() error {
	for _, label := range o.labels {
		dir, name, ok := strings.Cut(label, "=")
		if !ok || name == "" {
			return fmt.Errorf("--label %s: want DIR=NAME", label)
		}
		if !slices.Contains(o.dirs, dir) {
			return fmt.Errorf("--label %s: there is no --dir %s", label, dir)
		}
	}
	return nil
}

// named are the labels by directory.
func (o *benchCommand) named() map[string]string {
	names := map[string]string{}
	for _, label := range o.labels {
		dir, name, _ := strings.Cut(label, "=")
		names[dir] = name
	}
	return names
}
