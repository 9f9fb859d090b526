//go:build linux

package ebpf

import (
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// ring reads a BPF ring buffer in place: records are handed out as slices of
// the mapped memory and are valid until the callback returns. It never sleeps
// on the buffer; the probes never wake anyone (see maps.h).
type ring struct {
	consumer []byte // one page, writable
	producer []byte // one page, then the data twice in a row
	data     []byte
	mask     uint64
	position uint64 // what lies before has been read
}

const (
	ringBusy    = 1 << 31
	ringDiscard = 1 << 30
	ringHeader  = 8
)

// newRing maps the ring buffer map behind fd, whose size is a power of two.
func newRing(fd, size int) (*ring, error) {
	page := os.Getpagesize()
	consumer, err := unix.Mmap(fd, 0, page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mapping the consumer page of the event buffer: %w", err)
	}
	producer, err := unix.Mmap(fd, int64(page), page+2*size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		unix.Munmap(consumer)
		return nil, fmt.Errorf("mapping the event buffer: %w", err)
	}
	return &ring{consumer: consumer, producer: producer, data: producer[page:], mask: uint64(size - 1)}, nil
}

// produced is where the next record will begin.
func (r *ring) produced() uint64 { return atomic.LoadUint64((*uint64)(unsafe.Pointer(&r.producer[0]))) }

// giveBack tells the probes that what lies before the position is free.
func (r *ring) giveBack() { atomic.StoreUint64((*uint64)(unsafe.Pointer(&r.consumer[0])), r.position) }

// drain hands every finished record before end to f, in order. It stops short of
// the end at a record that a probe is still writing.
func (r *ring) drain(end uint64, f func(record []byte) error) (whole bool, err error) {
	for r.position < end {
		// Space is given back every 64 KiB: often enough for the probes, seldom
		// enough not to fight them for the cache line.
		for chunk := r.position; r.position < end && r.position-chunk < 1<<16; {
			head := atomic.LoadUint32((*uint32)(unsafe.Pointer(&r.data[r.position&r.mask])))
			if head&ringBusy != 0 {
				r.giveBack()
				return false, nil
			}
			length := uint64(head &^ (ringBusy | ringDiscard))
			if head&ringDiscard == 0 {
				at := r.position&r.mask + ringHeader
				if err := f(r.data[at : at+length : at+length]); err != nil {
					return false, err
				}
			}
			r.position += (length + ringHeader + 7) &^ 7
		}
		r.giveBack()
	}
	return true, nil
}

func (r *ring) close() {
	unix.Munmap(r.consumer)
	unix.Munmap(r.producer)
}
