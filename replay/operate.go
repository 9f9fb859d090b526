package replay

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// operate does one operation and returns the bytes it moved.
func (s *session) operate(o *Op, buf []byte, serial int) (int64, error) {
	t := s.files[o.File]
	switch o.Kind {
	case trace.OpOpen:
		return 0, t.open(o.Direct, o.Trunc)
	case trace.OpClose:
		return 0, t.close()
	case trace.OpStat, trace.OpAttr, trace.OpUnlink, trace.OpRename:
		return 0, s.name(o, t)
	}
	fd, err := t.fd(o.Direct)
	if err != nil {
		return 0, err
	}
	switch o.Kind {
	case trace.OpRead:
		return whole(o.Size, o.Direct, func(at, n int64) (int, error) { return unix.Pread(fd, buf[at:at+n], o.Offset+at) })
	case trace.OpWrite:
		for i := 0; i+8 <= int(o.Size); i += 4096 { // every block differs from every other
			binary.LittleEndian.PutUint64(buf[i:], uint64(serial)<<24+uint64(i)+1)
		}
		return whole(o.Size, o.Direct, func(at, n int64) (int, error) { return unix.Pwrite(fd, buf[at:at+n], o.Offset+at) })
	case trace.OpCopyRange:
		out, err := s.files[o.File2].fd(o.Direct)
		if err != nil {
			return 0, err
		}
		return whole(o.Size, false, func(at, n int64) (int, error) { return copyRange(out, o.Offset2+at, fd, o.Offset+at, n) })
	case trace.OpSync:
		return 0, retry(func() error { return unix.Fsync(fd) })
	case trace.OpDataSync:
		return 0, retry(func() error { return dataSync(fd) })
	case trace.OpTruncate:
		return 0, retry(func() error { return unix.Ftruncate(fd, o.Size) })
	case trace.OpAllocate:
		return 0, retry(func() error { return allocate(fd, o.Offset, o.Size) })
	case trace.OpAdvise:
		return 0, advise(fd, o.Offset, o.Size, int(o.Offset2))
	case trace.OpSyncRange:
		return 0, retry(func() error { return syncRange(fd, o.Offset, o.Size, int(o.Offset2)) })
	case touch:
		return 0, t.touch(fd, o.Offset)
	}
	return 0, fmt.Errorf("operation %s is not replayed", o.Kind)
}

// whole repeats a call until it has moved n bytes or the file ends. A direct
// call that ends within a sector asks for the whole sector.
func whole(n int64, direct bool, call func(at, n int64) (int, error)) (int64, error) {
	ask := n
	if direct {
		ask = (n + 4095) / 4096 * 4096
	}
	for at := int64(0); at < n; {
		got, err := call(at, ask-at)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return at, err
		case got == 0:
			return at, io.ErrUnexpectedEOF
		default:
			at += int64(got)
		}
	}
	return n, nil
}

func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// open opens the file once more.
func (t *target) open(direct, trunc bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.push(direct, trunc)
}

func (t *target) push(direct, trunc bool) error {
	flags := unix.O_RDWR | unix.O_CREAT | unix.O_CLOEXEC | unix.O_NOFOLLOW
	if direct {
		flags |= directFlag
	}
	if trunc {
		flags |= unix.O_TRUNC
	}
	var fd int
	err := retry(func() (err error) { fd, err = unix.Open(t.path, flags, 0o600); return err })
	if err != nil {
		return &os.PathError{Op: "open", Path: t.path, Err: err}
	}
	t.fds = append(t.fds, fd)
	return nil
}

// fd is the newest descriptor of the file, which it opens if there is none: the
// recording began after the open.
func (t *target) fd(direct bool) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.fds) == 0 {
		if err := t.push(direct, false); err != nil {
			return -1, err
		}
	}
	return t.fds[len(t.fds)-1], nil
}

// close closes the oldest descriptor; a file that was open before the recording
// has none.
func (t *target) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.fds) == 0 {
		return nil
	}
	fd := t.fds[0]
	t.fds = t.fds[1:]
	return unix.Close(fd)
}

// prepare makes the files as the program finds them, brings them to the device
// and their data out of memory, unless it was in memory when it was recorded.
func (s *session) prepare(ctx context.Context) error {
	buf, err := alignedBuffer(1 << 20)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Munmap(buf) }()
	for i, f := range s.p.Files {
		t := &target{path: filepath.Join(s.dir, fmt.Sprintf("file-%07d", i))}
		s.files = append(s.files, t)
		if f.Size == 0 {
			continue // made by the open or the first use
		}
		if err := t.fill(ctx, f, buf, uint64(i)); err != nil {
			return err
		}
	}
	return nil
}

func (t *target) fill(ctx context.Context, f File, buf []byte, seed uint64) (err error) {
	if err := t.open(false, false); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	fd := t.fds[0]
	for at := int64(0); at < f.Size; at += int64(len(buf)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		random(buf, seed<<32+uint64(at))
		n := min(int64(len(buf)), f.Size-at)
		if _, err := whole(n, false, func(from, n int64) (int, error) { return unix.Pwrite(fd, buf[from:from+n], at+from) }); err != nil {
			return err
		}
	}
	if err := retry(func() error { return unix.Fsync(fd) }); err != nil || f.Warm {
		return err
	}
	return dropPages(fd)
}

// clean closes and removes the files.
func (s *session) clean() error {
	var errs []error
	for _, t := range s.files {
		if t.mapping != nil {
			errs = append(errs, unix.Munmap(t.mapping))
		}
		for len(t.fds) > 0 {
			errs = append(errs, t.close())
		}
		if err := os.Remove(t.path); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(append(errs, os.Remove(s.dir))...); err != nil {
		return fmt.Errorf("cleaning up after the replay: %w", err)
	}
	return nil
}

// alignedBuffer is memory that direct I/O can use.
func alignedBuffer(n int) ([]byte, error) {
	buf, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, fmt.Errorf("reserving a buffer of %d bytes: %w", n, err)
	}
	return buf, nil
}

func random(p []byte, seed uint64) {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	rand.NewChaCha8(key).Read(p)
}
