//go:build linux

package testenv

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
	Link        int64         // bytes per second that all requests share, one after the other; 0: no limit
	Alone       bool          // it serves one request at a time
	FileSystem  string        // ext4 if it is empty, or ext2, xfs, btrfs, vfat, exfat, with options of mkfs
	Image       string        // a file with what it holds at first, FileSystem among it; "": that is made
	// After so many bytes, counted since a file exists, it becomes slower, so many times;
	// 0: it does not.
	After  int64
	Slower int
	Since  string
	// While this file exists, requests take half as long.
	Quick string
	// While this file exists, no request is done.
	Stall string
	// All that is written, and each flush, is noted in a file of this name: see Image.
	Log string

	serving sync.Mutex
	link    sync.Mutex
	free    time.Time // when the link is
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
	if _, err := os.Stat(m.Quick); m.Quick != "" && err == nil {
		each /= 2
	}
	if m.After > 0 && m.moved.Load()+bytes > m.After {
		each *= time.Duration(m.Slower)
	}
	if _, err := os.Stat(m.Since); m.After > 0 && err == nil {
		m.moved.Add(bytes)
	}
	time.Sleep(time.Until(m.carried(time.Now().Add(each), bytes)))
	for m.Stall != "" {
		if _, err := os.Stat(m.Stall); err != nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// carried is when the link has carried a request that is ready at a time.
func (m *Model) carried(ready time.Time, bytes int64) time.Time {
	if m.Link == 0 {
		return ready
	}
	m.link.Lock()
	defer m.link.Unlock()
	if m.free.Before(ready) {
		m.free = ready
	}
	m.free = m.free.Add(time.Duration(float64(bytes) / float64(m.Link) * 1e9))
	return m.free
}
