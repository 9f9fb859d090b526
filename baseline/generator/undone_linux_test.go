package generator

import (
	"bytes"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
)

// What io_uring gives back undone, because the kernel could not start a thread
// for it, is done all the same.
func TestUndone(t *testing.T) {
	if err := ringAvailable(); err != nil {
		testenv.Missing(t, "%v", err)
	}
	testenv.NoNewThreads(t)
	path := filepath.Join(t.TempDir(), "file")
	f, err := storage.Open(path, unix.O_WRONLY|unix.O_CREAT, baseline.Buffered, false)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := simple(baseline.Write, baseline.Sequential)
	s.Data, s.FileSize = baseline.ByteA, 256*kib
	bufs, err := storage.NewBuffers(s.Depth, s.Block)
	if err != nil {
		t.Fatal(err)
	}
	defer bufs.Free()
	bufs.Fill(s.Data, 1)
	sched := newSchedule(s, 0, s.FileSize, 1)
	sched.limit.Store(s.FileSize / s.Block)
	w := newWorker(f, sched, bufs, 0, s, 1)
	start := make(chan struct{})
	close(start)
	p := &phase{begun: host.Now(), deadline: noDeadline, stop: &atomic.Bool{}}
	if err := ringLoop(w, p, func() {}, start); err != nil {
		t.Fatal(err)
	}
	if w.undone == 0 {
		testenv.Missing(t, "the file system of %s needed no thread of the kernel", path)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, bytes.Repeat([]byte("A"), int(s.FileSize))) || w.bytes[0] != s.FileSize {
		t.Errorf("%d of %d operations were given back, %d bytes written and %d counted of %d (%v)",
			w.undone, w.ops[0], len(got), w.bytes[0], s.FileSize, err)
	}
}
