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
	peak     atomic.Int64 // most bytes seen waiting
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

func (r *ring) consumed() *uint64 { return (*uint64)(unsafe.Pointer(&r.consumer[0])) }
func (r *ring) produced() *uint64 { return (*uint64)(unsafe.Pointer(&r.producer[0])) }

// drain hands every finished record to f, in order, and returns how many bytes
// it took. It stops at a record that a probe is still writing.
func (r *ring) drain(f func(record []byte) error) (int, error) {
	begin := atomic.LoadUint64(r.consumed())
	pos := begin
	for {
		end := atomic.LoadUint64(r.produced())
		if waiting := int64(end - pos); waiting > r.peak.Load() {
			r.peak.Store(waiting)
		}
		if pos == end {
			return int(pos - begin), nil
		}
		// Give space back every 64 KiB: often enough for the probes, seldom
		// enough not to fight them for the cache line.
		for chunk := pos; pos < end && pos-chunk < 1<<16; {
			head := atomic.LoadUint32((*uint32)(unsafe.Pointer(&r.data[pos&r.mask])))
			if head&ringBusy != 0 {
				atomic.StoreUint64(r.consumed(), pos)
				return int(pos - begin), nil
			}
			length := uint64(head &^ (ringBusy | ringDiscard))
			if head&ringDiscard == 0 {
				at := pos&r.mask + ringHeader
				if err := f(r.data[at : at+length : at+length]); err != nil {
					return int(pos - begin), err
				}
			}
			pos += (length + ringHeader + 7) &^ 7
		}
		atomic.StoreUint64(r.consumed(), pos)
	}
}

func (r *ring) close() {
	unix.Munmap(r.consumer)
	unix.Munmap(r.producer)
}
