package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/sys/unix"
)

// execution is one execution of a step in one place.
type execution struct {
	step    Step
	path    string // of the file or device to work on
	place   Place
	seed    uint64
	threads bool // use threads even where io_uring is available
	meter   *meter
}

// blocks runs a step that works on one file or device block by block.
func (x *execution) blocks(ctx context.Context) (m *measure, err error) {
	f, err := openFile(x.path, x.mode(), x.step.Cache, x.step.Sync == SyncWrite)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	if err := x.checkAlignment(f); err != nil {
		return nil, err
	}
	span := x.step.FileSize
	if span == 0 {
		if span, err = f.size(); err != nil {
			return nil, err
		}
		span = wholeBlocks(span, x.step.Block)
	}
	bufs, err := newBuffers(x.step.Nominal(), x.step.Block)
	if err != nil {
		return nil, err
	}
	bufs.fill(x.step.Data, x.seed)

	c := x.crew(f, bufs, span)
	defer func() {
		for _, w := range c.workers {
			if w.lost {
				return
			}
		}
		err = errors.Join(err, bufs.free())
	}()
	m = &measure{engine: c.engine(x.step)}
	before := x.place.counters()
	x.meter.watch(c.workers...)
	if err := x.bursts(ctx, c, m); err != nil {
		return nil, err
	}
	for _, w := range c.workers {
		m.tally.merge(&w.tally)
	}
	m.active, m.cpu = c.active, c.cpu
	m.mono = onSystemClock(c.begun)
	if err := x.settle(f, m); err != nil {
		return nil, err
	}
	m.device = x.place.use(before, x.place.counters(), m.active)
	return m, nil
}

// mode opens a file for no more than the step needs, as the tools do.
func (x *execution) mode() int {
	mode := unix.O_RDWR
	switch x.step.Op {
	case Read:
		mode = unix.O_RDONLY
	case Write:
		mode = unix.O_WRONLY
	}
	if x.step.Fresh {
		mode |= unix.O_CREAT
	}
	return mode
}

func (x *execution) checkAlignment(f *file) error {
	if x.step.Cache != Direct {
		return nil
	}
	if need := f.directAlignment(); need > 1 && x.step.Block%need != 0 {
		return fmt.Errorf("%w: direct I/O on %s needs blocks that are multiples of %d bytes, not of %d", errUnsupported, x.path, need, x.step.Block)
	}
	return nil
}

// crew makes the workers of the step: one per thread with a ring, or one per
// outstanding operation without.
func (x *execution) crew(f *file, bufs *buffers, span int64) *crew {
	s := x.step
	c := &crew{ring: !s.Blocking && !x.threads && ringAvailable() == nil}
	perThread, worker := 1, s
	if !c.ring {
		perThread, worker.Depth = s.Depth, 1
	}
	var sched *schedule
	for thread := range s.Threads {
		if sched == nil || s.Access != Shared {
			sched = newSchedule(s, 0, span, hash(x.seed, uint64(thread)))
		}
		for range perThread {
			c.workers = append(c.workers, newWorker(f, sched, bufs, len(c.workers)*worker.Depth, worker, hash(x.seed, uint64(len(c.workers)))))
		}
	}
	return c
}

func (c *crew) engine(s Step) string {
	switch {
	case s.Blocking:
		return "calls"
	case c.ring:
		return "io_uring"
	}
	return "threads"
}

// operations is the limit of each schedule of the crew.
func (x *execution) operations(sched *schedule) int64 {
	s := x.step
	switch {
	case s.Limit.Bytes > 0:
		n := (s.Limit.Bytes + s.Block - 1) / s.Block
		if s.Access == Shared {
			n *= int64(s.Threads)
		}
		return n
	case s.Limit.Time > 0 || s.Burst != nil && s.Burst.Count > 0:
		return math.MaxInt64 / 2
	}
	return sched.blocks
}

// bursts runs the step in one go, or in bursts with pauses.
func (x *execution) bursts(ctx context.Context, c *crew, m *measure) error {
	defer func() { m.wall = now() - c.begun }()
	total := x.operations(c.workers[0].sched)
	b := x.step.Burst
	if b == nil {
		c.allow(total)
		_, err := c.burst(ctx, x.step.Limit.Time)
		return err
	}
	perBurst := max(b.Bytes/x.step.Block, 1)
	for i := int64(1); (b.Count == 0 || i <= int64(b.Count)) && (i-1)*perBurst < total; i++ {
		left := x.step.Limit.Time
		if left > 0 {
			if left -= time.Duration(c.active); left <= 0 {
				return nil
			}
		}
		c.allow(min(i*perBurst, total))
		before := moved(c.workers)
		ns, err := c.burst(ctx, left)
		if err != nil {
			return err
		}
		bytes := moved(c.workers) - before
		m.bursts = append(m.bursts, BurstRate{Bytes: bytes, NS: ns, BytesPerSecond: perSecond(bytes, ns)})
		if i == int64(b.Count) || i*perBurst >= total {
			return nil
		}
		if err := sleep(ctx, time.Duration(float64(ns)*(1-b.Duty)/b.Duty)); err != nil {
			return err
		}
	}
	return nil
}

// allow lets the schedules hand out operations up to number n.
func (c *crew) allow(n int64) {
	for _, w := range c.workers {
		w.sched.limit.Store(n)
	}
}

// settle does the sync that belongs to the step, or else the one that keeps
// what is still in memory out of the next run.
func (x *execution) settle(f *file, m *measure) error {
	if !x.step.Writes() || x.step.Sync == SyncWrite {
		return x.forget(f)
	}
	t, cpu := now(), cpuTime()
	var err error
	switch {
	case x.step.Sync == SyncEnd:
		err = f.sync()
	case x.step.Sync != SyncNone || x.step.Cache != Direct:
		err = f.datasync()
	default:
		return nil
	}
	if err != nil {
		return err
	}
	took := now() - t
	if x.step.Sync == SyncNone {
		m.durable = m.active + took
	} else {
		m.active += took
		m.wall += took
		m.cpu += cpuTime() - cpu
		m.syncs++
		m.syncNS += took
		m.durable = m.active
	}
	return x.forget(f)
}

// forget drops the pages of a file that was to be read or written uncached.
func (x *execution) forget(f *file) error {
	if !f.drop {
		return nil
	}
	return f.dropPages()
}

// perSecond is a rate in bytes per second, 0 if no time passed.
func perSecond(bytes, ns int64) int64 {
	if ns <= 0 {
		return 0
	}
	return int64(math.Round(float64(bytes) / float64(ns) * 1e9))
}
