package generator

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
)

// copying is one copy of a file.
type copying struct {
	*execution
	target string
	begun  int64
	m      *measure
}

// copy runs a copy: from the prepared file at x.path to a new one, from the
// two opens to the two closes. The time until the copy is durable is taken
// separately.
func (x *copying) copy(ctx context.Context) (m *measure, err error) {
	bufs, err := storage.NewBuffers(1, max(x.step.Block, storage.Sector))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bufs.Free()) }()

	m = &measure{engine: "calls"}
	x.m = m
	use := x.place.Measure()
	t, cpu := host.Now(), host.CPUClock()
	x.begun, m.mono = t, host.OnSystemClock(t)
	if x.step.Method == baseline.CopyClone && cloneByPath != nil {
		err = cloneByPath(x.path, x.target)
	} else {
		err = x.copyOpen(ctx, bufs)
	}
	m.active, m.cpu = host.Now()-t, host.CPUClock()-cpu
	m.wall = m.active
	if err != nil {
		return nil, fmt.Errorf("copying by %s: %w", x.step.Method, err)
	}
	if x.step.Method != baseline.CopyLoop {
		// One call, or a few: whatever it did, the payload is the file.
		m.ops[0], m.bytes[0] = max(m.ops[0], 1), x.step.FileSize
		m.latency[0].Add(m.active)
		x.meter.add(x.step.FileSize)
	}
	if err := x.syncAll([]setFile{{path: x.target}}); err != nil {
		return nil, err
	}
	m.durable = host.Now() - t
	m.device = use(m.active)
	return m, nil
}

func (x *copying) copyOpen(ctx context.Context, bufs *storage.Buffers) (err error) {
	in, err := x.open(x.path, unix.O_RDONLY, x.step.Cache, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := x.open(x.target, unix.O_WRONLY|unix.O_CREAT, x.step.Cache, x.step.Sync == baseline.SyncWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	switch x.step.Method {
	case baseline.CopyLoop:
		return x.copyLoop(ctx, in, out, bufs.At(0)[:x.step.Block])
	case baseline.CopyClone:
		return cloneOpen(out.FD, in.FD)
	}
	for left := x.step.FileSize; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		// A call moves no more than about 2 GiB; cp passes a huge length and
		// repeats what is left.
		n, err := copyCall(x.step.Method, out.FD, in.FD, left)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return fmt.Errorf("the source ended %d bytes early", left)
		}
		x.m.ops[0]++
		left -= int64(n)
	}
	return nil
}

// copyLoop reads a block, writes it, reads the next.
func (x *copying) copyLoop(ctx context.Context, in, out *storage.File, buf []byte) error {
	reader := &worker{file: in, plain: true}
	writer := &worker{file: out, plain: true}
	x.meter.watch(writer)
	sched := newSchedule(baseline.Step{Op: baseline.Read, Access: baseline.Sequential, Block: x.step.Block}, 0,
		x.step.FileSize, 0)
	sched.limit.Store(sched.blocks)
	release := context.AfterFunc(ctx, func() { sched.limit.Store(0) })
	defer release()
	p := &phase{begun: x.begun}
	for o, ok := sched.take(); ok; o, ok = sched.take() {
		begun := host.Now()
		if err := reader.move(o, buf[:o.size]); err != nil {
			return err
		}
		half := host.Now()
		o.read = false
		if err := writer.move(o, buf[:o.size]); err != nil {
			return err
		}
		done := host.Now()
		writer.count(p, o, half, done)
		reader.ops[1]++
		reader.bytes[1] += o.size
		reader.latency[1].Add(half - begun)
	}
	x.m.tally.merge(&reader.tally)
	x.m.tally.merge(&writer.tally)
	return ctx.Err()
}
