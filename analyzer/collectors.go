package analyzer

import (
	"reflect"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// secondReading is what reads a trace again, knowing what the survey has found.
type secondReading struct {
	survey   *survey
	opt      Options
	window   timeline.Window
	resolver *resolver
	chains   *chains
	list     []Collector
}

// newAnalysts lists who answers which part of the profile: where a number is
// wrong, its collector is to be looked at.
func newAnalysts(s *survey, opt Options) *secondReading {
	w := s.window()
	span, end := w.End-w.Start, max(w.End, s.last, 1)
	a := &secondReading{survey: s, opt: opt, window: w}
	a.resolver = newResolver(s.files, s.devices, s.begins, func(r *run) { a.chains.hand(r) })
	processes := a.resolver.processes

	books := []Collector{
		sizesCollector{},                     // no part: sizes of files as they change, for those below
		newDevicesCollector(s.devices, span), // /devices
		newLayersCollector(s.devices, span),  // /layers
		newFilesCollector(s.files, span),     // /files, /omitted, classes and caches of /pattern
		newProcessesCollector(processes),     // /processes
		newCallTable(s.header.Calls),         // /calls
		newCopies(s, opt.MaxCopies),          // /copies, /copy_groups, /size_time, /bounds
		&scrubsCollector{files: s.files},     // /scrubs
	}
	var timing *chain
	w.Bin = func(l timeline.Label, from, to int64) { timing.label(l, from, to) }
	stack := timeline.NewStack(w)
	moments := []Collector{
		stackCollector{stack},                            // /time_stack
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
