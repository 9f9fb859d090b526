package replay

import (
	"encoding/binary"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// operate does one operation and returns the bytes it moved.
func operate(s *session, o *Op, buf []byte, serial int) (int64, error) {
	t := s.files[o.File]
	switch o.Kind {
	case trace.OpOpen:
		return 0, t.open(o.Direct, o.Trunc)
	case trace.OpClose:
		return 0, t.close()
	case trace.OpStat, trace.OpAttr, trace.OpUnlink, trace.OpRename:
		return 0, changeName(s, o, t)
	}
	fd, err := t.fd(o.Direct)
	if err != nil {
		return 0, err
	}
	switch o.Kind {
	case trace.OpRead:
		return host.Whole(o.Size, o.Direct, func(at, n int64) (int, error) {
			return unix.Pread(fd, buf[at:at+n], o.Offset+at)
		})
	case trace.OpWrite:
		for i := 0; i+8 <= int(o.Size) && !o.Carry; i += 4096 { // every block differs from every other
			binary.LittleEndian.PutUint64(buf[i:], uint64(serial)<<24+uint64(i)+1)
		}
		return host.Whole(o.Size, o.Direct, func(at, n int64) (int, error) {
			return pwrite(fd, buf[at:at+n], o.Offset+at, o.Sync)
		})
	case trace.OpCopyRange:
		out, err := s.files[o.File2].fd(o.Direct)
		if err != nil {
			return 0, err
		}
		if o.Ring > 0 {
			return copyByRing(out, fd, o, &s.stop)
		}
		return host.Whole(o.Size, false, func(at, n int64) (int, error) {
			return copyRange(out, o.Offset2+at, fd, o.Offset+at, n)
		})
	case trace.OpClone:
		to, err := s.files[o.File2].fd(false)
		if err != nil {
			return 0, err
		}
		return 0, host.Retry(func() error { return clone(to, fd) })
	case trace.OpSync:
		return 0, host.Retry(func() error { return unix.Fsync(fd) })
	case trace.OpDataSync:
		return 0, host.Datasync(fd)
	case trace.OpTruncate:
		return 0, host.Retry(func() error { return unix.Ftruncate(fd, o.Size) })
	case trace.OpAllocate:
		return 0, host.Retry(func() error { return allocate(fd, o.Offset, o.Size) })
	case trace.OpAdvise:
		return 0, advise(fd, o.Offset, o.Size, int(o.Offset2))
	case trace.OpSyncRange:
		return 0, host.Retry(func() error { return syncRange(fd, o.Offset, o.Size, int(o.Offset2)) })
	case touch:
		return 0, t.touch(fd, o.Offset)
	}
	return 0, fmt.Errorf("operation %s is not replayed", o.Kind)
}

// changeName does an operation on the name or the attributes of a file. That the file
// has no name (any more, or not yet) is no error: the recording may have lost
// sight of who made or removed it.
func changeName(s *session, o *Op, t *target) error {
	if o.Kind == trace.OpRename {
		s.renames.Lock() // two locks at once
		defer s.renames.Unlock()
		other := replaced(s, o)
		if o.Exchange && other != nil {
			return t.exchange(other)
		}
		return t.rename(other)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var st unix.Stat_t
	var err error
	switch {
	case o.Kind == trace.OpUnlink:
		err = t.dir.Remove(t.name)
	case o.Kind == trace.OpAttr:
		err = t.dir.Protect(t.name)
	case len(t.fds) > 0:
		err = host.Retry(func() error { return unix.Fstat(t.fds[len(t.fds)-1], &st) })
	default:
		_, err = t.dir.Stat(t.name)
	}
	return host.IgnoreMissing(err)
}

// replaced is the file whose name a rename takes, nil if there was none.
func replaced(s *session, o *Op) *target {
	if o.File2 < 0 || o.File2 == o.File {
		return nil
	}
	return s.files[o.File2]
}
