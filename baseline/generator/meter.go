package generator

import (
	"sync"
	"time"
)

// meter shows how far the running step is. The generator's threads only count
// in memory of their own; whoever asks adds up.
type meter struct {
	mu      sync.Mutex
	workers []*worker
	done    int64 // bytes of work that has no worker any more
	began   time.Time
}

func (m *meter) begin() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.workers, m.done, m.began = nil, 0, time.Now()
}

func (m *meter) watch(workers ...*worker) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += moved(m.workers)
	m.workers = workers
}

// add counts bytes that no worker moved (a copy by one call).
func (m *meter) add(n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
}

// read returns the bytes moved and the time since the step began.
func (m *meter) read() (int64, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.began.IsZero() {
		return 0, 0
	}
	return m.done + moved(m.workers), time.Since(m.began)
}

func moved(workers []*worker) int64 {
	var n int64
	for _, w := range workers {
		n += w.moved.Load()
	}
	return n
}
