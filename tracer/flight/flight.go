// Package flight is the flight recorder: it records for weeks, keeps only the last while, in memory, and writes that as
// a trace when a condition holds. A user can ask for one through a socket. It is a package of its own because it is
// another recorder than that of tracer: it has no command, and no file while it runs.
package flight

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/iotrace/iotrace/internal/output"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"

	"github.com/iotrace/iotrace/tracer/metrics"
)

// Options say what to keep and when to write it.
type Options struct {
	Scope tracer.Scope
	Open  func() (tracer.Source, error)

	Keep  time.Duration // before a condition holds
	After time.Duration // and afterwards
	Size  int64         // bytes of packed events that are held at most
	When  []*Condition

	Dir       string          // where traces are written to
	Owner     *tracer.User    // who gets them; nil means the caller
	AtMost    int             // traces an hour for conditions; 0: any number
	MaxDisk   int64           // bytes of all traces of flight recorders in Dir; 0: any number
	Asked     <-chan Asked    // who wants a trace whatever the conditions
	Looked    <-chan struct{} // who wants to know how it is
	Duration  time.Duration
	ReadyFile string
	Tool      string
	Counters  *metrics.Counters // what happens is counted there; nil: nowhere
	// Opened is given the source when the probes are attached, and nil before it is closed.
	Opened func(tracer.Source)

	Signals *tracer.Signals // nil: signals keep their default effect
	// Began is called when the probes are attached, Wrote for each trace, Failed with what goes wrong meanwhile and does
	// not end the recording.
	Began  func()
	Wrote  func(Written)
	Failed func(error)
	Status func(Status)
}

// Status is how a recorder is.
type Status struct {
	Since   time.Duration // how long it has kept everything
	Held    int64         // bytes of packed events
	Written int           // traces
}

// Written is a trace that was written.
type Written struct {
	Path    string
	Size    int64
	Length  time.Duration
	Trigger trace.Trigger // with times from the start of the trace
	Removed []string      // names of older traces that made room for it
	Missing time.Duration // of what was to be kept, at the beginning of the trace
}

// Reason is why the recording of such a trace ended, as trace.End has it.
const Reason = "trigger"

// Record runs a flight recorder until a signal or the end of its time.
func Record(o Options) error {
	if err := o.check(); err != nil {
		return err
	}
	// Of what is kept nothing is garbage for a while, so the heap would double before it is looked for.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	r := &recorder{Options: o, self: uint32(os.Getpid())}
	dir, err := filepath.Abs(o.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	r.traces = strings.TrimSuffix(dir, "/") + "/"
	if r.ring, err = NewRing(o.Size); err != nil {
		return err
	}
	r.watch = newWatch(o.When, r.met)
	if r.source, err = o.Open(); err != nil {
		return err
	}
	if err := r.source.Attach(o.Scope); err != nil {
		return errors.Join(fmt.Errorf("attaching: %w", err), r.source.Close())
	}
	if o.Opened != nil {
		o.Opened(r.source)
	}
	r.header = tracer.NewHeader(&tracer.Options{Tool: o.Tool, User: o.Owner}, o.Scope, r.source)
	return r.run()
}

// check makes sure that traces can be written before anything is recorded.
func (o *Options) check() error {
	probe, err := output.Create(o.name(time.Now(), 0), output.Options{As: o.Owner.Identity(), What: "traces"})
	if err != nil {
		return err
	}
	return probe.Discard()
}

// recorder is a run of Record.
type recorder struct {
	Options
	source tracer.Source
	header trace.Header
	self   uint32 // our process
	traces string // the directory of traces, as the kernel names it, with a slash at its end

	mu      sync.Mutex // of what follows; events come while it is held
	ring    *Ring
	watch   *Watch
	pending *pending
	mounts  []trace.Mount
	dirs    []string
	moments []moment

	wanted   *pending // what was asked for
	asking   []Asked  // by whom
	allowed  []int64  // when conditions have held for which a trace was written, in the last hour
	written  int      // traces
	withheld uint64   // how often one held without a trace, since the last one
	tell     error    // what there is to say

	writing chan struct{} // closed when the trace is written that is being written; nil without one
}

// pending is a trace that is to be written when what happened after its trigger has come.
type pending struct {
	trigger trace.Trigger // on the clock of the recording
	from    int64         // what ended from here on belongs to it
	due     int64         // until here
}

const (
	tick = 100 * time.Millisecond
	// late is how long after its end an event may be told of: the reader of the probes looks for events at least every
	// 32 ms, and a busy machine may hold it up.
	late = 400 * time.Millisecond
)

// run follows the recording to its end.
func (r *recorder) run() error {
	ctx, cancel := context.WithCancel(context.Background())
	copied := make(chan error, 1)
	r.note()
	events := trace.Sink(&sink{r})
	if !r.Scope.Only.Everything() {
		events = tracer.Quiet(events)
	}
	if !r.Scope.All {
		events = tracer.Discreet(events, r.header.PIDs)
	}
	events = r.Scope.Only.Sink(events)
	if f, ok := r.source.(tracer.Forgetter); ok {
		f.Forget(func(files []trace.FileID) {
			r.mu.Lock()
			defer r.mu.Unlock()
			tracer.Gone(events, files)
		})
	}
	go func() { copied <- r.source.Record(ctx, tracer.Guard(events, &r.mu)) }()
	if err := r.began(); err != nil {
		r.fail(err)
	}
	err := r.follow(copied)
	cancel()
	if err == nil {
		err = <-copied
	}
	r.finish()
	if r.Opened != nil {
		r.Opened(nil)
	}
	return errors.Join(err, r.source.Close())
}

func (r *recorder) began() error {
	if r.Began != nil {
		r.Began()
	}
	if r.ReadyFile == "" {
		return nil
	}
	return tracer.Ready(r.ReadyFile, r.Owner)
}

// follow writes traces as they become due, until the recording is to end.
func (r *recorder) follow(copied <-chan error) error {
	var timeout <-chan time.Time
	if r.Duration > 0 {
		t := time.NewTimer(r.Duration)
		defer t.Stop()
		timeout = t.C
	}
	var asked <-chan struct{}
	if r.Signals != nil {
		asked = r.Signals.Asked()
	}
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			r.turn()
			r.told()
		case a := <-r.Asked:
			r.ask(a)
		case <-r.Looked:
			r.Status(r.status())
		case <-timeout:
			return nil
		case <-asked:
			return nil
		case err := <-copied:
			if err == nil {
				err = errors.New("the source of events has ended")
			}
			return fmt.Errorf("recording: %w", err)
		}
	}
}

// turn is what is done now and then: devices are judged, what is old is dropped, what is due is written.
func (r *recorder) turn() {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.source.Now()
	told := now - int64(late) // everything until then
	r.watch.Reached(told)
	if last := len(r.moments) - 1; r.moments[last].at <= now-int64(time.Second) {
		r.noteLocked()
		r.Counters.Keeps(r.ring.kept())
	}
	oldest := now - int64(r.Keep)
	for _, p := range []**pending{&r.pending, &r.wanted} {
		if *p != nil && told >= (*p).due && !r.busy() {
			r.write(*p, (*p).due)
			*p = nil
		}
		if *p != nil {
			oldest = min(oldest, (*p).from)
		}
	}
	r.forget(oldest)
}

func (r *recorder) status() Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	since := max(r.moments[0].at, r.ring.Whole())
	return Status{time.Duration(r.source.Now() - since), r.ring.Held(), r.written}
}

// forget drops what ended before a time. A trace begins at a moment, so the last one before that is kept.
func (r *recorder) forget(oldest int64) {
	for len(r.moments) > 1 && r.moments[1].at <= oldest {
		r.moments = r.moments[1:]
	}
	r.ring.Forget(min(oldest, r.moments[0].at))
}

// finish writes what is pending with what there is.
func (r *recorder) finish() {
	for _, p := range []**pending{&r.pending, &r.wanted} {
		for r.waits() {
			time.Sleep(tick / 10)
		}
		r.mu.Lock()
		if *p != nil {
			r.write(*p, min((*p).due, r.source.Now()))
			*p = nil
		}
		r.mu.Unlock()
	}
	for r.waits() {
		time.Sleep(tick / 10)
	}
	r.mu.Lock()
	if n := r.withheld; n > 0 {
		r.tell = fmt.Errorf("conditions held %s without a trace being written (--at-most)", unit.Things(int64(n), "time"))
	}
	r.mu.Unlock()
	r.told()
}

func (r *recorder) waits() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.busy()
}

func (r *recorder) busy() bool {
	if r.writing == nil {
		return false
	}
	select {
	case <-r.writing:
		r.writing = nil
	default:
	}
	return r.writing != nil
}

func (r *recorder) fail(err error) {
	if r.Failed != nil {
		r.Failed(err)
	}
}
