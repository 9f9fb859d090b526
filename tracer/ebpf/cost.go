//go:build linux

package ebpf

import (
	"sync"
	"time"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// costMeter measures the CPU time of the probes. The kernel can time every run
// of a program, but that costs two clock reads a run, as much as a probe itself
// in a call storm. So it is switched on for short windows, each of which stands
// for the time until the next. Switching rewrites kernel code on all CPUs, so
// the windows of a long recording are further apart.
type costMeter struct {
	programs map[string]*ebpf.Program
	mu       sync.Mutex // of what follows
	spent    float64    // ns, scaled up
	sampled  bool
	runs     uint64
	stop     chan struct{}
	done     sync.WaitGroup
}

const (
	costWindow    = 10 * time.Millisecond
	firstInterval = 100 * time.Millisecond
	lastInterval  = 2 * time.Second
)

func newCostMeter(c *ebpf.Collection) *costMeter {
	return &costMeter{programs: c.Programs, stop: make(chan struct{})}
}

// start begins to sample and returns a function that ends it.
func (m *costMeter) start() (stop func()) {
	m.done.Go(func() {
		for interval := firstInterval; m.sample(interval); interval = min(2*interval, lastInterval) {
		}
	})
	return func() {
		close(m.stop)
		m.done.Wait()
	}
}

// sample measures one window and waits for the interval to pass; false means
// stop.
func (m *costMeter) sample(interval time.Duration) bool {
	counters, err := ebpf.EnableStats(uint32(unix.BPF_STATS_RUN_TIME))
	if err != nil {
		return false
	}
	before, _ := m.read()
	began := time.Now()
	more := m.sleep(costWindow)
	window := time.Since(began)
	after, runs := m.read()
	counters.Close()
	more = more && m.sleep(interval-costWindow)
	stands := time.Since(began)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spent += float64(after-before) * float64(stands) / float64(window)
	m.sampled = m.sampled || stands > window+time.Millisecond
	m.runs = runs
	return more
}

func (m *costMeter) sleep(d time.Duration) bool {
	select {
	case <-m.stop:
		return false
	case <-time.After(d):
		return true
	}
}

// read sums the kernel's counters over all programs.
func (m *costMeter) read() (spent time.Duration, runs uint64) {
	for _, p := range m.programs {
		if s, err := p.Stats(); err == nil {
			spent += s.Runtime
			runs += s.RunCount
		}
	}
	return spent, runs
}

// result is what was sampled until now. It is final once the function returned by start has been called.
func (m *costMeter) result() trace.Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	return trace.Cost{ProbeCPU: int64(m.spent), ProbeRuns: m.runs, Sampled: m.sampled}
}
