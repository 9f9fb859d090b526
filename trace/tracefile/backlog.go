package tracefile

import (
	"io"
	"sync"
)

// backlog takes bytes for a slow output without waiting for it. A recorder
// often writes to the very disk that it watches being overloaded: while that
// disk stalls, for seconds if need be, recording must go on.
type backlog struct {
	out    io.Writer
	limit  int         // Write waits while more than this is waiting, in bytes
	failed func(error) // called with the first error of out

	mu      sync.Mutex
	change  sync.Cond // of the fields below
	waiting []byte
	taken   int64 // bytes, by Write
	written int64 // bytes, to out
	marks   []mark
	closed  bool
	err     error
}

// mark is a position in what was taken, and who wants to know when it is written.
type mark struct {
	at      int64
	reached chan<- struct{}
}

// maxBacklog is enough for several seconds of 2 million events each.
const maxBacklog = 32 << 20

func newBacklog(out io.Writer, limit int, failed func(error)) *backlog {
	b := &backlog{out: out, limit: limit, failed: failed}
	b.change.L = &b.mu
	go b.run()
	return b
}

// Write takes p, or returns the error that the output has had.
func (b *backlog) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.waiting) > b.limit && b.err == nil {
		b.change.Wait()
	}
	if b.err != nil {
		return 0, b.err
	}
	b.waiting = append(b.waiting, p...)
	b.taken += int64(len(p))
	b.change.Broadcast()
	return len(p), nil
}

// whenWritten closes reached when everything taken so far is written, or never
// will be.
func (b *backlog) whenWritten(reached chan<- struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.marks = append(b.marks, mark{b.taken, reached})
	b.tell()
}

// tell closes what was reached. The marks are in order.
func (b *backlog) tell() {
	for len(b.marks) > 0 && (b.marks[0].at <= b.written || b.err != nil) {
		close(b.marks[0].reached)
		b.marks = b.marks[1:]
	}
}

// close ends the goroutine. What is waiting is written first.
func (b *backlog) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.change.Broadcast()
}

// run writes what is waiting, all of it at once, until close.
func (b *backlog) run() {
	var spare []byte
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.err == nil {
		for len(b.waiting) == 0 && !b.closed {
			b.change.Wait()
		}
		if len(b.waiting) == 0 {
			return
		}
		p := b.waiting
		b.waiting = spare[:0]
		b.change.Broadcast()

		b.mu.Unlock()
		_, err := b.out.Write(p)
		if err != nil {
			b.failed(err)
		}
		b.mu.Lock()

		if spare = p; cap(spare) > 1<<20 {
			spare = nil // a stall is over: give its memory back
		}
		b.written += int64(len(p))
		b.err = err
		b.tell()
		b.change.Broadcast()
	}
}
