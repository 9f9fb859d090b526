//go:build linux

package ebpf

import (
	"fmt"
	"math"
	"math/bits"
	"os"
	"sync/atomic"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// callSize is what a call takes in the buffer of its CPU.
const callSize = int(unsafe.Sizeof(iotraceIo{}))

// callSlots is how many calls the buffer of each CPU holds beside a ring buffer of
// so many bytes: about a sixtieth of them, and not more than them in all. What
// finds no room goes to the ring buffer.
func callSlots(buffer, cpus int) int {
	n := max(min(buffer/4096, buffer/callSize/cpus), 1)
	return 1 << (bits.Len(uint(n)) - 1)
}

// callBuffer is where the probes leave the calls of one CPU, in order
// (bpf/call_buffer.h). They are read in place.
type callBuffer struct {
	cursor *iotraceCallCursor
	slots  []iotraceIo
	taken  uint64 // calls that were read
	limit  uint64 // calls that may be read now
	ended  uint64 // when the next one of these ended; never if there is none
}

const never = math.MaxUint64

// written is how many calls there have been so far.
func (b *callBuffer) written() uint64 { return atomic.LoadUint64(&b.cursor.Written) }

// allow lets calls be read up to a number of them.
func (b *callBuffer) allow(limit uint64) {
	b.limit = limit
	b.look()
}

func (b *callBuffer) next() *iotraceIo { return &b.slots[b.taken&uint64(len(b.slots)-1)] }

// take goes on to the next call.
func (b *callBuffer) take() {
	b.taken++
	b.look()
}

func (b *callBuffer) look() {
	b.ended = never
	if b.taken < b.limit {
		call := b.next()
		b.ended = call.Start + call.Dur
	}
}

// hold keeps the next call and what is behind it back, until look.
func (b *callBuffer) hold() { b.ended = never }

// giveBack tells the probes that the places of what was read are free.
func (b *callBuffer) giveBack() { atomic.StoreUint64(&b.cursor.Taken, b.taken) }

// callBuffers are those of all CPUs.
type callBuffers struct {
	each           []callBuffer
	cursors, slots []byte // as mapped
}

// newCallBuffers maps the buffers of a collection. Probes for old kernels have none.
func newCallBuffers(c *ebpf.Collection) (*callBuffers, error) {
	b := &callBuffers{}
	if c.Maps["call_cursors"] == nil {
		return b, nil
	}
	cursors, err := mapArray[iotraceCallCursor](c.Maps["call_cursors"], unix.PROT_READ|unix.PROT_WRITE, &b.cursors)
	if err != nil {
		return nil, fmt.Errorf("mapping the positions in the buffers of calls: %w", err)
	}
	slots, err := mapArray[iotraceIo](c.Maps["call_buffers"], unix.PROT_READ, &b.slots)
	if err != nil {
		b.close()
		return nil, fmt.Errorf("mapping the buffers of calls: %w", err)
	}
	n := len(slots) / len(cursors)
	for i := range cursors {
		b.each = append(b.each, callBuffer{cursor: &cursors[i], slots: slots[i*n : (i+1)*n]})
	}
	return b, nil
}

// mapArray maps the values of an array; memory is all that was mapped.
func mapArray[T any](m *ebpf.Map, protection int, memory *[]byte) ([]T, error) {
	page, size := os.Getpagesize(), int(m.MaxEntries()*m.ValueSize())
	mapped, err := unix.Mmap(m.FD(), 0, (size+page-1)/page*page, protection, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	*memory = mapped
	return unsafe.Slice((*T)(unsafe.Pointer(&mapped[0])), m.MaxEntries()), nil
}

// first is the buffer whose next call ended first, and when that of another one
// did; nil if there is no call.
func (b *callBuffers) first() (first *callBuffer, second uint64) {
	ended := uint64(never)
	second = never
	for i := range b.each {
		switch c := &b.each[i]; {
		case c.ended < ended:
			first, ended, second = c, c.ended, ended
		case c.ended < second:
			second = c.ended
		}
	}
	return first, second
}

func (b *callBuffers) close() {
	for _, memory := range [][]byte{b.cursors, b.slots} {
		if memory != nil {
			unix.Munmap(memory)
		}
	}
	*b = callBuffers{}
}
