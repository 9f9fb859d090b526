// Package analyzer turns a trace into a Profile: what a workload did to its
// files and devices, how it copied, where its time went and why it was not
// faster. It reads trace events and nothing else; it never imports a tracer.
package analyzer

import (
	"math"
	"os"
	"reflect"
	"runtime/debug"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/verdict"
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

// memory is what the garbage collector is told to stay below while a trace is
// analysed, unless the user has said so himself (GOMEMLIMIT). What is kept of a
// trace takes at most about half of it.
const memory = 400 << 20

// analyze reads the trace at path twice: the survey finds out what must be known
// beforehand, the collectors see every event in the order of starts.
func analyze(path, name string, opt Options) (*profile.Profile, error) {
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
	a := newSecondReading(s, opt)
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

// secondReading is what reads a trace again, knowing what the survey has found.
type secondReading struct {
	survey   *survey
	opt      Options
	window   timeline.Window
	resolver *resolver
	chains   *chains
	list     []Collector
}

// newSecondReading lists the collectors, and behind each the parts of the profile
// it answers for: where a number is wrong, that is where to look. The two lists
// are chains that run side by side.
func newSecondReading(s *survey, opt Options) *secondReading {
	w := s.window()
	span, end := w.End-w.Start, max(w.End, s.last, 1)
	a := &secondReading{survey: s, opt: opt, window: w}
	a.resolver = newResolver(s.files, s.devices, s.begins, func(r *run) { a.chains.hand(r) })
	processes := a.resolver.processes

	books := []Collector{
		sizesCollector{},                     // none: the sizes of files as they change, for those below
		newDevicesCollector(s.devices, span), // /devices
		newLayersCollector(s.devices, span),  // /layers
		newFilesCollector(s.files, span),     // /files, /omitted, classes and caches of /pattern
		newProcessesCollector(processes),     // /processes
		newCallTable(s.header.Calls),         // /calls
		newCopies(s, opt.MaxCopies),          // /copies, /copy_groups, /size_time, /bounds
		newScrubs(s.files),                   // /scrubs
	}
	var timing *chain
	w.Bin = func(l timeline.Label, from, to int64) { timing.label(l, from, to) }
	stack := timeline.NewStack(w)
	moments := []Collector{
		stackCollector{Stack: stack},                     // /time_stack
		newWholeCollector(span),                          // /pattern: depth, pauses, distances, cache modes
		newPhasesCollector(s, opt.Bins, end, opt.Charts), // /phases, /change_points, /charts/rates
		newLaunches(stack, s),                            // /launches
	}
	if opt.Charts {
		size := chartSize{bins: opt.Bins, lanes: opt.Lanes, items: opt.Items}
		moments = append(moments, newChartsCollector(s, size, end, processes)) // /charts
	}
	timing = newChain(moments...)
	a.chains = newChains(newChain(books...), timing)
	a.list = append(books, moments...)
	return a
}

// read reads the trace again.
func (a *secondReading) read(r *trace.FileReader) error {
	defer a.chains.close()
	order := timeline.NewOrder(&a.survey.late, func(b *trace.Batch) { batches.Put(b) }, a.resolver)
	if err := stream(r, order.Add); err != nil {
		return err
	}
	order.Finish()
	return nil
}

// profile puts together what the collectors have found.
func (a *secondReading) profile() *profile.Profile {
	p := a.survey.profile(a.window, a.opt.MaxSlices)
	for _, c := range a.list {
		c.Finish(p)
	}
	warn(a.survey, p)
	p.Observations = observe(p)
	p.Verdict = verdict.Judge(p)
	settle(reflect.ValueOf(p))
	return p
}
