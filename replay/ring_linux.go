package replay

import (
	"errors"
	"io"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/uring"
)

// copyByRing copies a piece of a file with io_uring: each slot reads a block,
// writes it, and takes the next.
func copyByRing(out, in int, o *Op, stop *atomic.Bool) (moved int64, err error) {
	ring, err := uring.New(o.Ring)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, ring.Close()) }()
	c := ringCopy{ring: ring, in: in, out: out, op: o, stop: stop, slots: make([]ringSlot, o.Ring)}
	if c.buf, err = host.AlignedBuffer(int64(o.Ring) * o.Block); err != nil {
		return 0, err
	}
	defer func() {
		if c.flying == 0 { // otherwise the kernel may still write to it
			err = errors.Join(err, unix.Munmap(c.buf))
		}
	}()
	err = c.run()
	return c.moved, err
}

// ringCopy is a copy in progress.
type ringCopy struct {
	ring    *uring.Ring
	in, out int
	op      *Op
	buf     []byte
	slots   []ringSlot
	stop    *atomic.Bool
	next    int64 // of the bytes to copy, where the next block begins
	moved   int64
	flying  int
}

// ringSlot is what a slot has in flight.
type ringSlot struct {
	at, n int64
	read  bool
}

func (c *ringCopy) run() (err error) {
	for i := range c.slots {
		c.block(i)
	}
	for c.flying > 0 { // also after a failure: the kernel writes to the buffers until they are back
		if e := c.ring.Submit(1); e != nil {
			return errors.Join(err, e)
		}
		for {
			done, ok := c.ring.Take()
			if !ok {
				break
			}
			c.flying--
			if e := c.completed(int(done.UserData), done); e != nil && err == nil {
				err = e
			} else if err == nil {
				c.advance(int(done.UserData))
			}
		}
	}
	return err
}

// block begins the next block in a slot, if there is one.
func (c *ringCopy) block(i int) {
	if c.next >= c.op.Size || c.stop.Load() {
		return
	}
	c.slots[i] = ringSlot{at: c.next, n: min(c.op.Block, c.op.Size-c.next), read: true}
	c.next += c.slots[i].n
	c.issue(i)
}

func (c *ringCopy) issue(i int) {
	s := c.slots[i]
	buf := c.buffer(i)
	e := c.ring.Next() // cannot be nil: no more are in flight than the ring has entries
	if s.read {
		e.Read(c.in, buf, c.op.Offset+s.at, 0, uint64(i))
	} else {
		e.Write(c.out, buf, c.op.Offset2+s.at, 0, uint64(i))
	}
	c.flying++
}

// buffer is the memory of what a slot has in flight.
func (c *ringCopy) buffer(i int) []byte {
	n := c.slots[i].n
	if c.op.Direct { // of whole sectors; what is too much at the end is cut off afterwards
		n = host.Sectors(n)
	}
	return c.buf[int64(i)*c.op.Block:][:n]
}

// completed judges what a request of a slot came to.
func (c *ringCopy) completed(i int, done uring.CQE) error {
	switch {
	case done.Undone():
		return c.call(i)
	case done.Res < 0:
		return unix.Errno(-done.Res)
	case int64(done.Res) < c.slots[i].n:
		return io.ErrUnexpectedEOF
	}
	return nil
}

// call does by calls what the kernel gave back undone.
func (c *ringCopy) call(i int) error {
	s, buf := c.slots[i], c.buffer(i)
	fd, begin, move := c.out, c.op.Offset2+s.at, unix.Pwrite
	if s.read {
		fd, begin, move = c.in, c.op.Offset+s.at, unix.Pread
	}
	_, err := host.Whole(s.n, c.op.Direct, func(at, n int64) (int, error) { return move(fd, buf[at:at+n], begin+at) })
	return err
}

// advance goes on with a slot: what was read is written.
func (c *ringCopy) advance(i int) {
	s := &c.slots[i]
	if s.read {
		s.read = false
		c.issue(i)
		return
	}
	c.moved += s.n
	c.block(i)
}
