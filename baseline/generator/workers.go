package generator

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/host"
)

// workers are those of a step.
type workers struct {
	list   []*worker
	ring   bool
	stop   atomic.Bool
	begun  int64 // ns: start of the first burst
	active int64
	cpu    int64
	ready  int64 // of its threads, while others had the processors
}

// burst lets all workers work until their schedules or the time are at an end,
// and returns how long that took.
func (c *workers) burst(ctx context.Context, limit time.Duration) (int64, error) {
	p := &phase{offset: c.active, deadline: noDeadline, stop: &c.stop}
	release := context.AfterFunc(ctx, func() { c.stop.Store(true) })
	defer release()

	defer withProcessors(len(c.list) + 2)()

	start := make(chan struct{})
	ends := make([]int64, len(c.list))
	errs := make([]error, len(c.list))
	var ready, done sync.WaitGroup
	for i, w := range c.list {
		ready.Add(1)
		done.Go(func() {
			if c.ring {
				errs[i] = ringLoop(w, p, ready.Done, start)
			} else {
				ready.Done()
				<-start
				errs[i] = w.callLoop(p)
			}
			ends[i] = host.Now()
			if errs[i] != nil {
				c.stop.Store(true)
			}
		})
	}
	ready.Wait()
	cpu, waited := host.CPUClock(), host.CPUReady()
	p.begun = host.Now()
	if c.begun == 0 {
		c.begun = p.begun
	}
	if limit > 0 {
		p.deadline = p.begun + int64(limit)
	}
	close(start)
	done.Wait()
	c.cpu += host.CPUClock() - cpu
	c.ready += max(host.CPUReady()-waited, 0)
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

func (c *workers) engine(s baseline.Step) string {
	switch {
	case s.Blocking:
		return "calls"
	case c.ring:
		return "io_uring"
	}
	return "threads"
}

// allow lets the schedules hand out operations up to number n.
func (c *workers) allow(n int64) {
	for _, w := range c.list {
		w.sched.limit.Store(n)
	}
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
