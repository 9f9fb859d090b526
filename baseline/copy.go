package baseline

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// copy runs a copy: from the prepared file at x.path to a new one, from the
// two opens to the two closes. The time until the copy is durable is taken
// separately.
func (x *execution) copy(ctx context.Context, target string) (m *measure, err error) {
	bufs, err := newBuffers(1, max(x.step.Block, sector))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bufs.free()) }()

	m = &measure{engine: "calls"}
	before := x.place.counters()
	t, cpu := now(), cpuTime()
	m.mono = onSystemClock(t)
	if x.step.Method == CopyClone && cloneByPath != nil {
		err = cloneByPath(x.path, target)
	} else {
		err = x.copyOpen(ctx, m, t, target, bufs)
	}
	m.active, m.cpu = now()-t, cpuTime()-cpu
	m.wall = m.active
	if err != nil {
		return nil, fmt.Errorf("copying by %s: %w", x.step.Method, err)
	}
	if x.step.Method != CopyLoop {
		// One call, or a few: whatever it did, the payload is the file.
		m.ops[0], m.bytes[0] = max(m.ops[0], 1), x.step.FileSize
		m.latency[0].Add(m.active)
		x.meter.add(x.step.FileSize)
	}
	if err := syncAll([]setFile{{path: target}}); err != nil {
		return nil, err
	}
	m.durable = now() - t
	m.device = x.place.use(before, x.place.counters(), m.active)
	return m, nil
}

func (x *execution) copyOpen(ctx context.Context, m *measure, t int64, target string, bufs *buffers) (err error) {
	in, err := openFile(x.path, unix.O_RDONLY, x.step.Cache, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.close()) }()
	out, err := openFile(target, unix.O_WRONLY|unix.O_CREAT, x.step.Cache, x.step.Sync == SyncWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	switch x.step.Method {
	case CopyLoop:
		return x.copyLoop(ctx, m, t, in, out, bufs.at(0)[:x.step.Block])
	case CopyClone:
		return cloneOpen(out.fd, in.fd)
	}
	for left := x.step.FileSize; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		// A call moves no more than about 2 GiB; cp passes a huge length and
		// repeats what is left.
		n, err := copyCall(x.step.Method, out.fd, in.fd, left)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case n == 0:
			return fmt.Errorf("the source ended %d bytes early", left)
		}
		m.ops[0]++
		left -= int64(n)
	}
	return nil
}

// copyLoop reads a block, writes it, reads the next. t is when the copy began.
func (x *execution) copyLoop(ctx context.Context, m *measure, t int64, in, out *file, buf []byte) error {
	reader := &worker{file: in, plain: true}
	writer := &worker{file: out, plain: true}
	x.meter.watch(writer)
	sched := newSchedule(Step{Op: Read, Access: Sequential, Block: x.step.Block}, 0, x.step.FileSize, 0)
	sched.limit.Store(sched.blocks)
	release := context.AfterFunc(ctx, func() { sched.limit.Store(0) })
	defer release()
	p := &phase{begun: t}
	for o, ok := sched.take(); ok; o, ok = sched.take() {
		begun := now()
		if err := reader.move(o, buf[:o.size]); err != nil {
			return err
		}
		half := now()
		o.read = false
		if err := writer.move(o, buf[:o.size]); err != nil {
			return err
		}
		done := now()
		writer.count(p, o, half, done)
		reader.ops[1]++
		reader.bytes[1] += o.size
		reader.latency[1].Add(half - begun)
	}
	m.tally.merge(&reader.tally)
	m.tally.merge(&writer.tally)
	return ctx.Err()
}
