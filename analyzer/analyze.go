// Package analyzer turns a trace into a Profile: what a workload did to its
// files and devices, how it copied, where its time went and why it was not
// faster. It reads trace events and nothing else; it never imports a tracer.
package analyzer

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Analyze reads the trace at path, "-" for standard input, and says what
// happened in it. Damage, losses and a missing end are warnings of the
// profile; an error means that there is no trace to read. The trace is read
// twice, in streams: memory does not depend on its length.
func Analyze(path string, opt Options) (*profile.Profile, error) {
	if path == "-" {
		return analyzeStream(os.Stdin, opt)
	}
	return analyze(path, path, opt)
}

// analyzeStream keeps what can be read only once in a file.
func analyzeStream(in io.Reader, opt Options) (p *profile.Profile, err error) {
	spool, err := os.CreateTemp(opt.TempDir, "iotrace-*.iotrace")
	if err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	defer func() { err = errors.Join(err, os.Remove(spool.Name())) }()
	_, err = io.Copy(spool, in)
	if err = errors.Join(err, spool.Close()); err != nil {
		return nil, fmt.Errorf("keeping standard input for a second reading: %w", err)
	}
	return analyze(spool.Name(), "-", opt)
}

// memory is what the garbage collector is told to stay below while a trace is
// analysed, unless the user has said so himself (GOMEMLIMIT). What is kept of a
// trace takes at most about half of it.
const memory = 400 << 20

func analyze(path, name string, opt Options) (*Profile, error) {
	if was := debug.SetMemoryLimit(-1); was == math.MaxInt64 {
		debug.SetMemoryLimit(memory)
		defer debug.SetMemoryLimit(was)
	}
	s, err := surveyed(path)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	s.files.rank(opt.MaxFiles)
	a := newAnalysts(s, opt)
	if err := reading(path, a.read); err != nil {
		return nil, err
	}
	p := a.profile()
	p.Trace.File = name
	return p, nil
}

// surveyed reads the trace for the first time.
func surveyed(path string) (s *survey, err error) {
	err = reading(path, func(r *trace.FileReader) error {
		s = newSurvey(r.Header())
		err := stream(r, func(b *trace.Batch) {
			s.batch(b)
			batches.Put(b)
		})
		end, whole := r.End()
		s.ended(end, whole, len(r.Damage()))
		return err
	})
	return s, err
}

func reading(path string, read func(*trace.FileReader) error) error {
	r, err := trace.OpenFile(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := read(r); err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	return nil
}

// Options bound and direct an analysis. The zero value is the default.
type Options struct {
	Charts    bool // fill Profile.Charts
	MaxFiles  int  // files listed (default 1000)
	MaxCopies int  // copies listed (default 1000)
	MaxSlices int  // loss slices listed (default 1000)

	// The bounds of Charts.
	Bins  int // time bins of series and heat maps (default 600)
	Lanes int // lanes of the timeline (default 32)
	Items int // single events in the timeline (default 20000)

	// TempDir is where a trace that cannot be read twice (a pipe) is kept while
	// it is analysed; empty for the system's.
	TempDir string
}

func (o Options) withDefaults() Options {
	for _, d := range []struct {
		value     *int
		otherwise int
	}{
		{&o.MaxFiles, 1000}, {&o.MaxCopies, 1000}, {&o.MaxSlices, 1000}, {&o.Bins, 600}, {&o.Lanes, 32}, {&o.Items, 20_000},
	} {
		if *d.value <= 0 {
			*d.value = d.otherwise
		}
	}
	return o
}
