package baseline

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// measure is what one execution of a step gave.
type measure struct {
	engine  string // "io_uring", "threads" or "calls"
	mono    int64  // monotonic clock of the system when the clock started
	active  int64  // ns: the measured time, pauses left out
	wall    int64  // ns: from the first operation to the last, pauses included
	durable int64  // ns: active time plus the sync that followed the measurement; 0 if none did
	cpu     int64  // ns of CPU of this process in the active time
	tally          // of all workers
	bursts  []BurstRate
	files   []FileTime
	device  *DeviceUse
}

// BurstRate is one burst.
type BurstRate struct {
	Bytes          int64 `json:"bytes"`
	NS             int64 `json:"ns"`
	BytesPerSecond int64 `json:"bytes_per_second"`
}

// FileTime is one whole file, from open to close.
type FileTime struct {
	Bytes int64 `json:"bytes"`
	NS    int64 `json:"ns"`
}

func (t *tally) merge(o *tally) {
	for i := range t.ops {
		t.ops[i] += o.ops[i]
		t.bytes[i] += o.bytes[i]
		t.latency[i].Merge(&o.latency[i])
	}
	t.course.merge(&o.course)
	t.syncs += o.syncs
	t.syncNS += o.syncNS
}

// crew is the workers of a step.
type crew struct {
	workers []*worker
	ring    bool
	stop    atomic.Bool
	begun   int64 // ns: start of the first burst
	active  int64
	cpu     int64
}

// burst lets all workers work until their schedules or the time are at an end,
// and returns how long that took.
func (c *crew) burst(ctx context.Context, limit time.Duration) (int64, error) {
	p := &phase{offset: c.active, deadline: noDeadline, stop: &c.stop}
	release := context.AfterFunc(ctx, func() { c.stop.Store(true) })
	defer release()

	defer withProcessors(len(c.workers) + 2)()

	start := make(chan struct{})
	ends := make([]int64, len(c.workers))
	errs := make([]error, len(c.workers))
	var ready, done sync.WaitGroup
	for i, w := range c.workers {
		ready.Add(1)
		done.Go(func() {
			if c.ring {
				errs[i] = w.ringLoop(p, ready.Done, start)
			} else {
				ready.Done()
				<-start
				errs[i] = w.callLoop(p)
			}
			ends[i] = now()
			if errs[i] != nil {
				c.stop.Store(true)
			}
		})
	}
	ready.Wait()
	cpu := cpuTime()
	p.begun = now()
	if c.begun == 0 {
		c.begun = p.begun
	}
	if limit > 0 {
		p.deadline = p.begun + int64(limit)
	}
	close(start)
	done.Wait()
	c.cpu += cpuTime() - cpu
	end := p.begun
	for _, t := range ends {
		end = max(end, t)
	}
	c.active += end - p.begun
	for _, err := range errs {
		if err != nil {
			return end - p.begun, err
		}
	}
	return end - p.begun, ctx.Err()
}

// withProcessors lets n goroutines be on their way at the same time and returns
// what undoes it. Without it, threads that come back from a system call queue
// for one of a few processors of the Go runtime, and what should be outstanding
// at the device is not: with 2 processors, 32 threads reading 4 KiB kept 6
// requests in flight, with 34 they keep 20 and give the rate of fio's psync.
func withProcessors(n int) (undo func()) {
	n = min(n, 256)
	before := runtime.GOMAXPROCS(0)
	if n <= before {
		return func() {}
	}
	runtime.GOMAXPROCS(n)
	return func() { runtime.GOMAXPROCS(before) }
}

// cpuTime is the CPU time of this process so far, in ns.
func cpuTime() int64 {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

// sleep waits for d or until ctx is cancelled.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
