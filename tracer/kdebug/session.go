package kdebug

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/iotrace/iotrace/tracer"
)

// kernel is the one call into the kernel that a session needs.
type kernel interface {
	// sysctl calls sysctl(3). old is the buffer and length its size; the two
	// differ for KDBUFWAIT, which has no buffer and takes a time as the size. It
	// returns the size that the kernel put back, whose unit depends on the call.
	sysctl(mib []int32, old []byte, length uintptr) (uintptr, error)
	// tracePaths reads vfs.generic.trace_paths, by which the kernel logs a
	// lookup for each vnode of its local volumes.
	tracePaths() error
}

// The operations of kern.kdebug (bsd/sys/kdebug_private.h).
const (
	ctlKern    = 1
	kernKdebug = 24

	opEnable       = 3
	opSetBuffers   = 4
	opInfo         = 5 // KDGETBUF
	opSetup        = 6
	opRemove       = 7
	opRead         = 10 // KDREADTR
	opThreadMap    = 21 // KDREADCURTHRMAP
	opTypeFilter   = 22
	opWait         = 23 // KDBUFWAIT
	filterSize     = 256 * 256 / 8
	infoSize       = 20 // kbufinfo_t
	threadSize     = 32 // kd_threadmap
	maxThreadMap   = 1 << 15
	flagBuffersSet = 0x80000000 // KDBG_BUFINIT
)

// groups are the classes and subclasses that are recorded. The kernel always
// adds class 7, its own messages.
var groups = []uint32{GroupCall, GroupCallExt, GroupCallExt2, GroupLookup, GroupDisk, GroupIoctl, GroupProc,
	GroupData, GroupString, GroupInfo, GroupSched}

// Filter is what ktrace(1) is to be told (-f) so that it records the same, except for the scheduler: its records are
// many, and a text of them is long.
func Filter() string {
	var parts []string
	for _, g := range groups {
		if g>>24 != 7 && g != GroupSched {
			parts = append(parts, fmt.Sprintf("S0x%04X", g>>16))
		}
	}
	return strings.Join(append(parts, "C0x07"), ",")
}

// session is the use of the kernel's one trace buffer. Every way out of it must
// go through close: tracing that nobody turns off costs every process time.
type session struct {
	k      kernel
	name   func(pid uint32) string // of a process, for messages
	opened bool
	buffer int // records
}

// open takes the trace buffer, with room for at least want records, and sets
// the filter. Tracing begins with start.
func (s *session) open(want int) error {
	// Remove leaves over from a recorder that was killed; it is refused only if
	// somebody else is tracing.
	if err := s.op("releasing a former trace", opRemove); err != nil {
		return err
	}
	s.opened = true
	for _, step := range []func() error{
		func() error { return s.set("setting the size of the trace buffer", opSetBuffers, int32(want)) },
		func() error { return s.op("setting up the trace buffer", opSetup) },
		s.filter,
		s.readInfo,
	} {
		if err := step(); err != nil {
			return errors.Join(err, s.close())
		}
	}
	return nil
}

// start enables tracing. It is also how tracing goes on after it has stopped.
func (s *session) start() error { return s.set("starting to trace", opEnable, 1) }

func (s *session) stop() error { return s.set("stopping to trace", opEnable, 0) }

// close gives the trace buffer back. It may be called at any time and again.
func (s *session) close() error {
	if !s.opened {
		return nil
	}
	s.opened = false
	return s.op("releasing the trace buffer", opRemove)
}

// wait returns when the buffer is half full, or after some time.
func (s *session) wait(milliseconds uint) error {
	_, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opWait}, nil, uintptr(milliseconds))
	if err != nil && !errors.Is(err, syscall.EINTR) {
		return s.explain("waiting for records", err)
	}
	return nil
}

// read fills b with records and returns how many bytes they take. The kernel
// takes the size in bytes and returns the number of records.
func (s *session) read(b []byte) (int, error) {
	b = b[:len(b)/RecordSize*RecordSize]
	n, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opRead}, b, uintptr(len(b)))
	if err != nil {
		return 0, s.explain("reading records", err)
	}
	if n > uintptr(len(b)/RecordSize) {
		return 0, fmt.Errorf("reading records: the kernel says it put %d records into room for %d", n, len(b)/RecordSize)
	}
	return int(n) * RecordSize, nil
}

// threads reads which threads exist.
func (s *session) threads() ([]ThreadEntry, error) {
	b := make([]byte, maxThreadMap*threadSize)
	n, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opThreadMap}, b, uintptr(len(b)))
	if err != nil {
		return nil, s.explain("reading the list of threads", err)
	}
	return parseThreads(b[:min(n, uintptr(len(b)))]), nil
}

// parseThreads reads an array of kd_threadmap: thread, process, command.
func parseThreads(b []byte) (list []ThreadEntry) {
	for ; len(b) >= threadSize; b = b[threadSize:] {
		command := b[12:threadSize]
		if i := bytes.IndexByte(command, 0); i >= 0 {
			command = command[:i]
		}
		e := ThreadEntry{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), string(command)}
		if e.TID == 0 {
			continue
		}
		if e.Command == "kernel_task" {
			e.PID = 0 // the map says 1
		}
		list = append(list, e)
	}
	return list
}

func (s *session) filter() error {
	b := make([]byte, filterSize)
	for _, g := range groups {
		bit := g >> 16
		b[bit/8] |= 1 << (bit % 8)
	}
	if _, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opTypeFilter}, b, filterSize); err != nil {
		return s.explain("choosing what to trace", err)
	}
	return nil
}

// readInfo learns the size that the buffer really has: the kernel may have cut
// it to a share of its memory.
func (s *session) readInfo() error {
	b := make([]byte, infoSize)
	if _, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opInfo}, b, infoSize); err != nil {
		return s.explain("reading the state of the trace buffer", err)
	}
	s.buffer = int(binary.LittleEndian.Uint32(b))
	if flags := binary.LittleEndian.Uint32(b[8:]); s.buffer <= 0 || flags&flagBuffersSet == 0 {
		return errors.New("setting up the trace buffer: the kernel made none; there may be too little free memory, try a " +
			"smaller one")
	}
	return nil
}

func (s *session) op(what string, op int32) error {
	if _, err := s.k.sysctl([]int32{ctlKern, kernKdebug, op}, nil, 0); err != nil {
		return s.explain(what, err)
	}
	return nil
}

func (s *session) set(what string, op, value int32) error {
	if _, err := s.k.sysctl([]int32{ctlKern, kernKdebug, op, value}, nil, 0); err != nil {
		return s.explain(what, err)
	}
	return nil
}

// explain says what to do about an error of the trace facility.
func (s *session) explain(what string, err error) error {
	switch {
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.EACCES):
		return fmt.Errorf("%s: %w: kernel tracing needs root; run with sudo", what, tracer.ErrPermission)
	case errors.Is(err, syscall.EBUSY):
		return fmt.Errorf("%s: %w: the kernel has one trace buffer and %s owns it; end it (fs_usage, Instruments, ktrace, "+
			"spindump and powermetrics use it too) and try again", what, tracer.ErrUnsupported, s.owner())
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTSUP):
		return fmt.Errorf("%s: %w: this kernel has no kdebug (%w); try --backend fs_usage", what, tracer.ErrUnsupported, err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// owner names the process that is tracing.
func (s *session) owner() string {
	b := make([]byte, infoSize)
	if _, err := s.k.sysctl([]int32{ctlKern, kernKdebug, opInfo}, b, infoSize); err != nil {
		return "another process"
	}
	pid := int32(binary.LittleEndian.Uint32(b[16:]))
	if pid <= 0 {
		return "another process"
	}
	if name := s.name(uint32(pid)); name != "" {
		return fmt.Sprintf("%s (process %d)", name, pid)
	}
	return fmt.Sprintf("process %d", pid)
}
