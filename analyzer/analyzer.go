// Package analyzer turns a trace into a Profile: what a workload did to its
// files and devices, how it copied, where its time went and why it was not
// faster. It reads trace events and nothing else; it never imports a tracer.
//
// Analyze makes the profile; AnalyzeAhead adds what changes would have brought.
package analyzer

import (
	"math"
	"os"
	"reflect"
	"runtime/debug"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/copies"
	"github.com/iotrace/iotrace/analyzer/course"
	"github.com/iotrace/iotrace/analyzer/path"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/usage"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
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

// garbage is by how many percent the heap may outgrow what is in use before it is collected, unless the user has said
// so himself (GOGC). Events are read into the same memory again and again: little of it becomes garbage, and the usual
// 100 would only keep that much more of the machine's memory.
const garbage = 40

// analyze reads the trace in file twice, or three times: the survey finds out what must be known beforehand, then the
// critical path is followed backwards if it was recorded, and the collectors see every event in the order of starts.
func analyze(file, name string, opt Options) (*profile.Profile, error) {
	if was := debug.SetMemoryLimit(-1); was == math.MaxInt64 {
		debug.SetMemoryLimit(memory)
		defer debug.SetMemoryLimit(was)
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(garbage))
	}
	defer batches.drop()
	s, err := surveyed(file, opt)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	s.Files.Rank(opt.MaxFiles)
	chain, done, err := followed(file, s)
	if err != nil {
		return nil, err
	}
	why, err := triggered(file, s)
	if err != nil {
		return nil, err
	}
	a := newSecondReading(s, chain, done, why, opt)
	if err := reading(file, a.read); err != nil {
		return nil, err
	}
	p := a.profile()
	p.Trace.File = name
	if opt.Surveyed != nil {
		opt.Surveyed(s)
	}
	return p, nil
}

// surveyed reads the trace for the first time.
func surveyed(path string, opt Options) (s *survey.Survey, err error) {
	err = reading(path, func(r *tracefile.File) error {
		if err := r.Ahead(); err != nil { // the survey is done with a batch long before the next one is decoded
			return err
		}
		s = survey.New(r.Header())
		if opt.apart > 0 {
			s.Files.Max = opt.apart
		}
		err := stream(r, func(b *trace.Batch) {
			s.Batch(b)
			batches.give(b)
		})
		end, whole := r.End()
		s.Ended(end, whole, len(r.Damage()))
		return err
	})
	return s, err
}

// secondReading is what reads a trace again, knowing what the survey has found.
type secondReading struct {
	survey   *survey.Survey
	opt      Options
	window   timeline.Window
	resolver *world.Resolver
	chains   *chains
	list     []Collector
}

// newSecondReading lists the collectors, and behind each the parts of the profile
// it answers for: where a number is wrong, that is where to look. The two lists
// are chains that run side by side.
func newSecondReading(s *survey.Survey, chain *path.Collector, done *path.OperationKinds, why *path.Incident,
	opt Options) *secondReading {
	w := survey.Window(s)
	span, end := w.End-w.Start, max(w.End, s.Last, 1)
	a := &secondReading{survey: s, opt: opt, window: w}
	processes := world.NewProcesses()
	processes.Around, processes.Heard = survey.Around(s), s.Heard

	what := []Collector{
		world.Sizes{}, // none: the sizes of files as they change, for those below
		usage.NewDevices(s.Devices, span, s.Outsider),                // /devices
		usage.NewLayers(s.Devices, span),                             // /layers
		usage.NewServers(span),                                       // /server_requests
		usage.NewFiles(s.Files, s.Header.Calls, span, s.SeesCache()), // /files, /omitted, classes and caches of /pattern
		usage.NewProcesses(processes),                                // /processes
		usage.NewCalls(s.Header.Calls),                               // /calls
		usage.NewSynced(s.Files),                                     // /synced
		usage.NewSaves(s.Files),                                      // /saves
		usage.NewComputed(),                                          // /computed
		usage.NewLookups(s.Files),                                    // /lookups
		usage.NewPassing(s.Files),                                    // /passing
		usage.NewOpFiles(s.Files),                                    // /op_files
		usage.NewConnections(s.Files),                                // /connections
		usage.NewOrders(),                                            // /orders
		usage.NewAmounts(s),                                          // /amounts
		copies.New(s, opt.MaxCopies),                                 // /copies, /copy_groups, /size_time, /bounds
		usage.NewScrubs(s.Files, s.SeesCache()),                      // /scrubs
	}
	stack := timeline.NewStack(w)
	times := usage.NewTimeStack(stack, s)
	if chain != nil {
		times = times.Along(chain)
	}
	when := []Collector{
		times,                           // /time_stack
		usage.NewWhole(s.Devices, span), // /pattern: depth, pauses, distances, cache modes
		course.NewPhases(s, opt.Bins, end, opt.Charts), // /phases, /change_points, /charts/rates
		usage.NewLaunches(stack, s),                    // /launches
	}
	if opt.Charts {
		size := course.ChartSize{Bins: opt.Bins, Lanes: opt.Lanes, Items: opt.Items}
		when = append(when, course.NewCharts(s, size, end, processes), course.NewOffsets(s, end), // /charts, /charts/offsets
			course.NewPipeline(opt.Bins, end)) // /charts/pipeline
	}
	timing := newChain(when...)
	if chain == nil {
		stack.Bin = timing.label()
	} else {
		chain.OverTime(w.End, timing.label())
		what = append(what, chain.Named(processes)) // /path
	}
	if done != nil {
		what = append(what, done.Named(processes)) // /operations
	}
	if why != nil {
		what = append(what, why.Named(processes)) // /incident
	}
	a.chains = newChains(newChain(what...), timing)
	a.resolver = world.NewResolver(s.Files, s.Devices, processes, s.Begins, a.chains)
	a.list = append(what, when...)
	return a
}

// followed reads the trace backwards, along the critical path of a command, or along the operations of what was
// recorded without one; nil where the recording does not tell that.
func followed(file string, s *survey.Survey) (c *path.Collector, done *path.OperationKinds, err error) {
	switch {
	case path.Recorded(s):
		err = reading(file, func(r *tracefile.File) error {
			c, err = path.Find(r, s, survey.Window(s))
			return err
		})
		if err == nil && !c.Tells() {
			c = nil
		}
		if err != nil || c == nil || !c.MayServe() {
			return c, nil, err
		}
		if done, err = operations(file, s); err == nil && done.Serves(c) {
			return nil, done, nil
		}
		return c, nil, err
	case path.HasOperations(s):
		done, err = operations(file, s)
	}
	return c, done, err
}

func operations(file string, s *survey.Survey) (done *path.OperationKinds, err error) {
	err = reading(file, func(r *tracefile.File) error {
		done, err = path.FindOperations(r, s, survey.Window(s).Start)
		return err
	})
	return done, err
}

// triggered reads backwards, too, from where a flight recorder was to write the trace; nil of any other trace.
func triggered(file string, s *survey.Survey) (*path.Incident, error) {
	if !path.HasIncident(s) {
		return nil, nil
	}
	c := path.NewIncident(s)
	return c, c.Follow(func(read func(*tracefile.File) error) error { return reading(file, read) })
}

// read reads the trace again.
func (a *secondReading) read(r *tracefile.File) error {
	defer a.chains.close()
	order := timeline.NewOrder(&a.survey.Late, batches.give, a.resolver)
	if err := stream(r, order.Add); err != nil {
		return err
	}
	order.Finish()
	return nil
}

// profile puts together what the collectors have found.
func (a *secondReading) profile() *profile.Profile {
	p := survey.Profile(a.survey, a.window, a.opt.MaxSlices) // /trace, /command, times, /lost, /recorder
	for _, c := range a.list {
		c.Finish(p)
	}
	forgetUntold(p)
	addWarnings(a.survey, p) // /warnings, and the marks everywhere
	p.Observations = answer.Sentences(p)
	p.Derive()
	nameWork(p.Trace.Samples)
	p.Verdict = verdict.Judge(p)
	answer.Compose(p)
	settle(reflect.ValueOf(p))
	return p
}
