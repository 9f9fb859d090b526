// Package top shows what hammers the disk now: it follows all that happens and takes it interval by interval. It is a
// package of its own because its tests record, which those of the command line need no rights for.
//
// What happens is added up while it happens (activity*.go): what each device, process and file did. The events of a
// recording are taken as a trace.Sink, in memory that does not grow with the time that it runs. An event belongs to the
// interval in which it ended. So does all that it moved; a request or a call that spans intervals counts in the last of
// them. Only times are divided: a device is busy, and a process waits, in each interval that is still open when the
// event arrives.
package top

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/metrics"
)

// Options say what to follow, and for how long.
type Options struct {
	Open     func() (tracer.Source, error)
	Scope    tracer.Scope
	Interval time.Duration
	Count    int64             // intervals; 0: no limit
	Duration time.Duration     // in all; 0: no limit
	Counters *metrics.Counters // what happens is counted there; nil: nowhere
	// Opened is given the source when the probes are attached, and nil before it is closed.
	Opened func(tracer.Source)
}

// grace is how long an interval waits for its last events: a source looks for them every 32 ms at the latest.
const grace = 64 * time.Millisecond

// session is one run.
type session struct {
	Options
	source   *tracer.Following
	activity *activity
	zero     time.Time // when the clock of the source stood at 0
	costs    []cost    // of looking, the latest at the end
	streamed uint64    // lost events that the stream told of
	lost     uint64    // that are known by now
	now      func() int64
}

// Run follows what happens and calls show for each interval, until the context or the limits end it. What happened from
// the last whole interval on until then is shown as a shorter one.
func Run(ctx context.Context, o Options, show func(*Interval) error) error {
	s, err := begin(o)
	if err != nil {
		return err
	}
	return errors.Join(s.follow(ctx, show), s.close())
}

// begin puts the probes in place.
func begin(o Options) (*session, error) {
	source, err := tracer.Follow(o.Open, o.Scope)
	if err != nil {
		return nil, err
	}
	if o.Opened != nil {
		o.Opened(source)
	}
	return &session{Options: o, source: source, now: source.Now}, nil
}

// close takes the probes away.
func (s *session) close() error {
	if s.Opened != nil {
		s.Opened(nil)
	}
	return s.source.Close()
}

// follow takes intervals from now on.
func (s *session) follow(ctx context.Context, show func(*Interval) error) error {
	from := s.now()
	s.zero = host.ClockZero(s.now)
	s.spend()
	s.activity = newActivity(activityOptions{From: from, Every: int64(s.Interval), Process: lookUp,
		InFlight: func(id trace.DeviceID) int { return host.InFlight(id.Major(), id.Minor()) }})
	s.source.Start(s.Scope.Only.Sink(counting{s.activity, s.Counters}))
	return s.run(ctx, from, show)
}

// counting is a sink whose requests are counted.
type counting struct {
	trace.Sink
	*metrics.Counters
}

func (c counting) Request(e *trace.Request) error {
	c.Counters.Request(e)
	return c.Sink.Request(e)
}

func (c counting) Device(e *trace.Device) error {
	c.Counters.Device(e)
	return c.Sink.Device(e)
}

func (c counting) Lost(e *trace.Lost) error {
	c.Counters.Lost(e)
	return c.Sink.Lost(e)
}

// Gone implements tracer.Rememberer.
func (c counting) Gone(files []trace.FileID) { tracer.Gone(c.Sink, files) }

// lookUp asks the system what a process is called.
func lookUp(pid uint32) (trace.Process, bool) {
	status, ok := host.ReadStatus(pid)
	return trace.Process{PID: pid, Parent: status.Parent, UID: status.UID, Command: status.Name,
		Cgroup: host.Cgroup(pid)}, ok
}

// run takes one interval after the other. The last waits for no event: when the source has stopped, all are there.
func (s *session) run(ctx context.Context, from int64, show func(*Interval) error) error {
	end := int64(1<<63 - 1)
	if s.Duration > 0 {
		end = from + int64(s.Duration)
	}
	if s.Count > 0 {
		end = min(end, from+s.Count*int64(s.Interval))
	}
	for s.activity.Next() < end {
		if s.wait(ctx, min(s.activity.Next()+int64(grace), end)) {
			return s.finish(s.now(), show)
		}
		for next := s.activity.Next(); next < end && next+int64(grace) <= s.now(); next = s.activity.Next() {
			if err := show(s.take(next)); err != nil {
				return err
			}
		}
	}
	if s.wait(ctx, end) {
		return s.finish(s.now(), show)
	}
	return s.finish(end, show)
}

// wait sleeps until a time on the clock of the source. It reports whether the context or the source has
// ended before.
func (s *session) wait(ctx context.Context, until int64) (ended bool) {
	timer := time.NewTimer(time.Duration(until - s.now()))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return true
	case <-s.source.Ended():
		return true
	case <-timer.C:
		return false
	}
}

// finish shows what is left, up to a time.
func (s *session) finish(end int64, show func(*Interval) error) error {
	s.spend() // what it takes to end is no cost of looking
	err := s.source.Stop()
	for s.activity.Next()-int64(s.Interval) < end {
		if failed := show(s.take(min(s.activity.Next(), end))); failed != nil {
			return errors.Join(err, failed)
		}
	}
	return err
}

// take ends an interval, and adds what it cost.
func (s *session) take(until int64) (i *Interval) {
	s.source.Hold(func() { i = s.activity.Take(until) })
	i.Time = s.zero.Add(time.Duration(until))
	if s.costs[len(s.costs)-1].at < until {
		s.spend()
	}
	i.Own.CPU, i.Own.Probes = s.shares()
	i.Own.Lost = s.losses(i.Own.Lost)
	return i
}

// losses is how many events more are known to be lost than before. Some sources tell of losses in the stream, others
// count them, and tell in the end.
func (s *session) losses(streamed uint64) (more uint64) {
	s.streamed += streamed
	counted := uint64(0)
	for _, n := range s.source.Stats().Lost {
		counted += n
	}
	before := s.lost
	s.lost = max(s.lost, counted, s.streamed)
	return s.lost - before
}

// cost is what looking has cost until a moment.
type cost struct {
	at          int64
	cpu, probes int64 // ns
}

// sampled is how much time the cost of probes is told over: a source may look at it every two seconds.
const sampled = int64(4 * time.Second)

// spend notes what looking has cost so far.
func (s *session) spend() {
	c := cost{at: s.now(), probes: s.source.Stats().Cost.ProbeCPU}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		c.cpu = u.Utime.Nano() + u.Stime.Nano()
	}
	s.costs = append(s.costs, c)
	for len(s.costs) > 2 && s.costs[1].at <= c.at-sampled {
		s.costs = s.costs[1:]
	}
}

// shares are the processors that iotrace took since the cost was noted last, and that its probes took for some time.
func (s *session) shares() (cpu, probes float64) {
	n := len(s.costs)
	if n < 2 {
		return 0, 0
	}
	first, before, now := s.costs[0], s.costs[n-2], s.costs[n-1]
	return float64(now.cpu-before.cpu) / float64(max(now.at-before.at, 1)),
		float64(now.probes-first.probes) / float64(max(now.at-first.at, 1))
}
