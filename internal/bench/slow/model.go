//go:build linux

package slow

import (
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Model is how long a device takes.
type Model struct {
	Size        int64         // of the device; 0: Size
	Read, Write time.Duration // each request
	Rate        int64         // and its bytes, in bytes per second; 0: no time
	Alone       bool          // it serves one request at a time
	// After so many bytes, counted since a file exists, it becomes slower, so many times;
	// 0: it does not.
	After  int64
	Slower int
	Since  string

	serving sync.Mutex
	moved   atomic.Int64
}

// serve lasts as long as the device takes for a request.
func (m *Model) serve(each time.Duration, bytes int64) {
	if m.Alone {
		m.serving.Lock()
		defer m.serving.Unlock()
	}
	if m.Rate > 0 {
		each += time.Duration(float64(bytes) / float64(m.Rate) * 1e9)
	}
	if m.After > 0 && m.moved.Load()+bytes > m.After {
		each *= time.Duration(m.Slower)
	}
	if _, err := os.Stat(m.Since); m.After > 0 && err == nil {
		m.moved.Add(bytes)
	}
	time.Sleep(each)
}
