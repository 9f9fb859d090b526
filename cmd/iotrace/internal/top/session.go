// Package top shows what hammers the disk now: it follows all that happens and takes it interval by interval. It is a
// package of its own because its tests record, which those of the command line need no rights for.
package top

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/analyzer/live"
	"github.com/iotrace/iotrace/internal/clock"
	"github.com/iotrace/iotrace/internal/procfs"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// Options say what to follow, and for how long.
type Options struct {
	Open     func() (tracer.Source, error)
	Scope    tracer.Scope
	Interval time.Duration
	Count    int64         // intervals; 0: no limit
	Duration time.Duration // in all; 0: no limit
}

// grace is how long an interval waits for its last events: a source looks for them every 32 ms at the latest.
const grace = 64 * time.Millisecond

// session is one run.
type session struct {
	Options
	source   *tracer.Following
	activity *live.Activity
	zero     time.Time // when the clock of the source stood at 0
	own      cost      // until the last interval
	streamed uint64    // lost events that the stream told of
	now      func() int64
}

// cost is what looking has cost until a moment.
type cost struct {
	at          int64
	cpu, probes int64 // ns
	lost        uint64
}

// Run follows what happens and calls show for each interval, until the context or the limits end it. What happened from
// the last whole interval on until then is shown as a shorter one.
func Run(ctx context.Context, o Options, show func(*live.Interval) error) error {
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
	return &session{Options: o, source: source, now: source.Now}, nil
}

// close takes the probes away.
func (s *session) close() error { return s.source.Close() }

// follow takes intervals from now on.
func (s *session) follow(ctx context.Context, show func(*live.Interval) error) error {
	from := s.now()
	s.zero, s.own = clock.Zero(s.now), s.cost(from)
	s.activity = live.New(live.Options{From: from, Every: int64(s.Interval), Process: lookUp,
		InFlight: func(id trace.DeviceID) int { return procfs.InFlight(id.Major(), id.Minor()) }})
	s.source.Start(s.activity)
	return s.run(ctx, from, show)
}

// lookUp asks the system what a process is called.
func lookUp(pid uint32) (trace.Process, bool) {
	status, ok := procfs.ReadStatus(pid)
	return trace.Process{PID: pid, Parent: status.Parent, UID: status.UID, Command: status.Name}, ok
}

// run takes one interval after the other. The last waits for no event: when the source has stopped, all are there.
func (s *session) run(ctx context.Context, from int64, show func(*live.Interval) error) error {
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
func (s *session) finish(end int64, show func(*live.Interval) error) error {
	if err := s.source.Stop(); err != nil {
		return err
	}
	for s.activity.Next()-int64(s.Interval) < end {
		if err := show(s.take(min(s.activity.Next(), end))); err != nil {
			return err
		}
	}
	return nil
}

// take ends an interval, and adds what it cost.
func (s *session) take(until int64) (i *live.Interval) {
	s.source.Hold(func() { i = s.activity.Take(until) })
	i.Time = s.zero.Add(time.Duration(until))
	s.streamed += i.Own.Lost
	before := s.own
	s.own = s.cost(s.now())
	span := float64(max(s.own.at-before.at, 1))
	i.Own.CPU = float64(s.own.cpu-before.cpu) / span
	i.Own.Probes = float64(s.own.probes-before.probes) / span
	i.Own.Lost = s.own.lost - before.lost
	return i
}

func (s *session) cost(at int64) cost {
	c := cost{at: at, lost: s.own.lost}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		c.cpu = u.Utime.Nano() + u.Stime.Nano()
	}
	stats := s.source.Stats()
	c.probes = stats.Cost.ProbeCPU
	counted := uint64(0)
	for _, n := range stats.Lost {
		counted += n
	}
	c.lost = max(c.lost, counted, s.streamed) // some sources tell of losses in the stream, others in the end
	return c
}
