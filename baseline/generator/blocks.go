package generator

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// execution is one execution of a step in one place.
type execution struct {
	step    baseline.Step
	path    string             // of the file or device to work on
	data    *storage.DataFiles // where it is; nil for a device
	place   storage.Volume
	seed    uint64
	threads bool // use threads even where io_uring is available
	meter   *meter
}

// open opens a file of the step, or the device.
func (x *execution) open(path string, mode int, cache baseline.Cache, dsync bool) (*storage.File, error) {
	if x.data == nil {
		return storage.Open(path, mode, cache, dsync)
	}
	return x.data.Open(path, mode, cache, dsync)
}

// blocks runs a step that works on one file or device block by block.
func (x *execution) blocks(ctx context.Context) (m *measure, err error) {
	f, err := x.open(x.path, x.mode(), x.step.Cache, x.step.Sync == baseline.SyncWrite)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := x.checkAlignment(f); err != nil {
		return nil, err
	}
	span := x.step.FileSize
	if span == 0 {
		if span, err = f.Size(); err != nil {
			return nil, err
		}
		span = baseline.WholeBlocks(span, x.step.Block)
	}
	bufs, err := storage.NewBuffers(x.step.Nominal(), x.step.Block)
	if err != nil {
		return nil, err
	}
	bufs.Fill(x.step.Data, x.seed)

	c := x.workers(f, bufs, span)
	defer func() {
		for _, w := range c.list {
			if w.lost {
				return
			}
		}
		err = errors.Join(err, bufs.Free())
	}()
	m = &measure{engine: c.engine(x.step)}
	use := x.place.Measure()
	x.meter.watch(c.list...)
	if err := x.bursts(ctx, c, m); err != nil {
		return nil, err
	}
	for _, w := range c.list {
		m.tally.merge(&w.tally)
	}
	m.active, m.cpu, m.ready = c.active, c.cpu, c.ready
	m.mono = host.OnSystemClock(c.begun)
	if err := x.settle(f, m); err != nil {
		return nil, err
	}
	m.device = use(m.active)
	return m, nil
}

// mode opens a file for no more than the step needs, as the tools do.
func (x *execution) mode() int {
	mode := unix.O_RDWR
	switch x.step.Op {
	case baseline.Read:
		mode = unix.O_RDONLY
	case baseline.Write:
		mode = unix.O_WRONLY
	}
	if x.step.Fresh {
		mode |= unix.O_CREAT
	}
	return mode
}

func (x *execution) checkAlignment(f *storage.File) error {
	if x.step.Cache != baseline.Direct {
		return nil
	}
	if need := f.DirectAlignment(); need > 1 && x.step.Block%need != 0 {
		return fmt.Errorf("%w: direct I/O on %s needs blocks that are multiples of %d bytes, not of %d",
			storage.ErrUnsupported, x.path, need, x.step.Block)
	}
	return nil
}

// workers makes the workers of the step: one per thread with a ring, or one per
// outstanding operation without.
func (x *execution) workers(f *storage.File, bufs *storage.Buffers, span int64) *workers {
	s := x.step
	c := &workers{ring: !s.Blocking && !x.threads && ringAvailable() == nil}
	perThread, worker := 1, s
	if !c.ring {
		perThread, worker.Depth = s.Depth, 1
	}
	var sched *schedule
	for thread := range s.Threads {
		if sched == nil || s.Access != baseline.Shared {
			sched = newSchedule(s, 0, span, storage.Mix(x.seed, uint64(thread)))
		}
		for range perThread {
			c.list = append(c.list, newWorker(f, sched, bufs, len(c.list)*worker.Depth, worker,
				storage.Mix(x.seed, uint64(len(c.list)))))
		}
	}
	return c
}

// operations is the limit of each schedule of the workers.
func (x *execution) operations(sched *schedule) int64 {
	s := x.step
	switch {
	case s.Limit.Bytes > 0:
		n := (s.Limit.Bytes + s.Block - 1) / s.Block
		if s.Access == baseline.Shared {
			n *= int64(s.Threads)
		}
		return n
	case s.Limit.Time > 0 || s.Burst != nil && s.Burst.Count > 0:
		return math.MaxInt64 / 2
	}
	return sched.blocks
}

// bursts runs the step in one go, or in bursts with pauses.
func (x *execution) bursts(ctx context.Context, c *workers, m *measure) error {
	defer func() { m.wall = host.Now() - c.begun }()
	total := x.operations(c.list[0].sched)
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
		before := moved(c.list)
		ns, err := c.burst(ctx, left)
		if err != nil {
			return err
		}
		bytes := moved(c.list) - before
		m.bursts = append(m.bursts, baseline.BurstRate{Bytes: bytes, NS: ns, BytesPerSecond: baseline.PerSecond(bytes, ns)})
		if i == int64(b.Count) || i*perBurst >= total {
			return nil
		}
		if err := sleep(ctx, time.Duration(float64(ns)*(1-b.Duty)/b.Duty)); err != nil {
			return err
		}
	}
	return nil
}

// settle does the sync that belongs to the step, or else the one that keeps
// what is still in memory out of the next run.
func (x *execution) settle(f *storage.File, m *measure) error {
	if !x.step.Writes() || x.step.Sync == baseline.SyncWrite {
		return x.forget(f)
	}
	t, cpu := host.Now(), host.CPUClock()
	var err error
	switch {
	case x.step.Sync == baseline.SyncEnd:
		err = f.Sync()
	case x.step.Sync != baseline.SyncNone || x.step.Cache != baseline.Direct:
		err = f.Datasync()
	default:
		return nil
	}
	if err != nil {
		return err
	}
	took := host.Now() - t
	if x.step.Sync == baseline.SyncNone {
		m.durable = m.active + took
	} else {
		m.active += took
		m.wall += took
		m.cpu += host.CPUClock() - cpu
		m.syncs++
		m.syncNS += took
		m.durable = m.active
	}
	return x.forget(f)
}

// forget drops the pages of a file that was to be read or written uncached.
func (x *execution) forget(f *storage.File) error {
	if !f.Drop {
		return nil
	}
	return f.DropPages()
}
