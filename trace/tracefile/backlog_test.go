package tracefile

import (
	"bytes"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// gate is an output that stalls until open is closed, or for each write until
// something is sent.
type gate struct {
	bytes.Buffer
	open    chan struct{}
	largest int // bytes of a write
}

func (g *gate) Write(p []byte) (int, error) {
	<-g.open
	g.largest = max(g.largest, len(p))
	return g.Buffer.Write(p)
}

// Recording goes on while the disk stalls.
func TestStalledOutput(t *testing.T) {
	out := &gate{open: make(chan struct{}, 1)}
	out.open <- struct{}{} // for the header
	w := create(t, out, trace.Header{})
	events := generate(workloads()[0])
	for i := range events {
		if err := w.Syscall(&events[i]); err != nil {
			t.Fatal(err)
		}
		if i%50000 == 0 {
			if err := w.Submit(); err != nil {
				t.Fatal(err)
			}
		}
	}
	// Nothing has been written so far, and nothing is lost.
	close(out.open)
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	got := join(readAll(t, open(t, out.Bytes())))
	if !slices.Equal(got.Syscalls, events) {
		t.Errorf("%d events of %d", len(got.Syscalls), len(events))
	}
}

func TestBacklogIsBounded(t *testing.T) {
	out := &gate{open: make(chan struct{})}
	b := newBacklog(out, 100, func(err error) { t.Error(err) })
	go func() { // the output goes on only when the backlog is full
		b.mu.Lock()
		defer b.mu.Unlock()
		for len(b.waiting) <= b.limit {
			b.change.Wait()
		}
		close(out.open)
	}()
	for i := range 1000 {
		if _, err := b.Write(bytes.Repeat([]byte{byte(i)}, 10)); err != nil {
			t.Fatal(err)
		}
	}
	written := make(chan struct{})
	b.whenWritten(written)
	<-written
	b.close()
	if out.Len() != 10000 || out.largest > 110 {
		t.Errorf("%d bytes in writes of up to %d", out.Len(), out.largest)
	}
}
