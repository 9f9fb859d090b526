package block

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/trace"
)

// record is a struct blk_io_trace of the kernel (include/uapi/linux/blktrace_api.h), in the order of bytes of the
// machine that wrote it.
type record struct {
	Sequence uint32
	Time     uint64
	Sector   uint64
	Bytes    uint32
	Action   uint32 // categories above, what happened below
	PID      uint32
	Device   uint32
	CPU      uint32
	Error    uint16
	payload  []byte
}

const (
	recordSize = 48
	magic      = 0x65617400
	version    = 7
)

// Actions, and categories in the upper half.
const (
	actQueue, actRequeue, actIssue, actComplete = 1, 6, 7, 8
	actCgroup                                   = 1 << 8 // the payload begins with the control group

	catRead, catWrite, catFlush, catSync, catCommand, catNotify, catAhead, catMeta, catDiscard, catFUA = 1 << 16,
		1 << 17, 1 << 18, 1 << 19, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 31

	noteProcess, noteMessage = 0, 2 // of catNotify
	cgroupSize               = 8
)

// errDamaged says that a record cannot be read, and that the next one is found behind it.
var errDamaged = errors.New("a damaged record")

// errVersion says that the records are of a kind that is not known.
var errVersion = errors.New("its records are of another version of blktrace's format")

// stream is a file of records.
type stream struct {
	in    *bufio.Reader
	order binary.ByteOrder // nil until the first record
}

// header is the next header in the file. Bytes that are not one are skipped up to the next, which is reported once.
func (s *stream) header() (head []byte, err error) {
	for skipped := 0; ; {
		head, err = s.in.Peek(recordSize)
		if err != nil && (len(head) > 0 || skipped > 0) && errors.Is(err, io.EOF) {
			_, _ = s.in.Discard(len(head)) // they are there
			return nil, errDamaged         // the file was cut; its end comes next
		}
		if err != nil {
			return nil, err
		}
		order := orderOf(head)
		if order != nil && (s.order == nil || s.order == order) {
			if skipped > 0 {
				return nil, errDamaged
			}
			s.order = order
			if v := order.Uint32(head) & 0xff; v != version {
				return nil, fmt.Errorf("%w: %d instead of %d", errVersion, v, version)
			}
			return head, nil
		}
		seen, err := s.in.Peek(s.in.Buffered())
		if err != nil {
			return nil, err
		}
		n, err := s.in.Discard(nextMark(seen))
		if skipped += n; err != nil {
			return nil, err
		}
	}
}

// nextMark is how far behind the first byte the mark of a header may begin, in either order of bytes, or where it may
// begin if more is seen: at least one byte on.
func nextMark(seen []byte) int {
	for at := 2; at < len(seen)-1; at++ {
		n := bytes.IndexByte(seen[at:len(seen)-1], 't')
		if n < 0 {
			break
		}
		if at += n; seen[at+1] == 'a' { // version, "tae"
			return at - 1
		}
		if seen[at-1] == 'a' { // "eat", version
			return max(at-2, 1)
		}
	}
	return max(len(seen)-3, 1)
}

// orderOf is the order of bytes of a header, nil if it is none.
func orderOf(head []byte) binary.ByteOrder {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint32(head)&^0xff == magic {
			return order
		}
	}
	return nil
}

// next reads a record. io.EOF is the end of the file.
func (s *stream) next(r *record) error {
	head, err := s.header()
	if err != nil {
		return err
	}
	size := 0
	if s.order == binary.LittleEndian {
		size = r.decode(head, binary.LittleEndian)
	} else {
		size = r.decode(head, binary.BigEndian)
	}
	if _, err := s.in.Discard(recordSize); err != nil {
		return err
	}
	if size == 0 && r.Action&actCgroup == 0 {
		return nil
	}
	payload, err := s.in.Peek(size)
	if errors.Is(err, io.EOF) {
		_, _ = s.in.Discard(len(payload)) // they are there
		return errDamaged
	}
	if err != nil {
		return err
	}
	if r.Action&actCgroup != 0 {
		r.Action &^= actCgroup
		payload = payload[min(cgroupSize, len(payload)):]
	}
	if r.Action&catNotify != 0 {
		r.payload = bytes.Clone(payload[:min(len(payload), 64)])
	} else if len(payload) > 0 {
		r.payload = someBytes
	}
	_, err = s.in.Discard(size)
	return err
}

// decode reads a header in an order of bytes, and returns how much follows it.
func (r *record) decode(head []byte, o binary.ByteOrder) (size int) {
	_ = head[recordSize-1]
	*r = record{Sequence: o.Uint32(head[4:]), Time: o.Uint64(head[8:]), Sector: o.Uint64(head[16:]),
		Bytes: o.Uint32(head[24:]), Action: o.Uint32(head[28:]), PID: o.Uint32(head[32:]), Device: o.Uint32(head[36:]),
		CPU: o.Uint32(head[40:]), Error: o.Uint16(head[44:])}
	return int(o.Uint16(head[46:]))
}

// someBytes is the payload of which nothing matters but that it is there.
var someBytes = []byte{0}

// device is the number of the device; the kernel's own has 20 bits for the minor part.
func (r *record) device() trace.DeviceID { return trace.MakeDeviceID(r.Device>>20, r.Device&(1<<20-1)) }

// letters appends what blkparse prints for what a request does.
func (r *record) letters(s []byte) []byte {
	add := func(category uint32, letter byte) {
		if r.Action&category != 0 {
			s = append(s, letter)
		}
	}
	add(catFlush, 'F')
	switch {
	case r.Action&catDiscard != 0:
		s = append(s, 'D')
	case r.Action&catWrite != 0:
		s = append(s, 'W')
	case r.Bytes > 0:
		s = append(s, 'R')
	default:
		s = append(s, 'N')
	}
	add(catFUA, 'F')
	add(catAhead, 'A')
	add(catSync, 'S')
	add(catMeta, 'M')
	return s
}
