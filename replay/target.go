package replay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/output"
)

// target is a file of the run with its open descriptors, the newest last.
type target struct {
	mu      sync.Mutex
	dir     *output.Directory
	name    string // in it
	fds     []int
	renamed int
	kept    bool // it belongs to Inputs

	maps    sync.RWMutex // held while pages of the mapping are waited for
	mapping []byte       // for touch, made when it is needed
}

// path is where it is, for messages.
func (t *target) path() string { return filepath.Join(t.dir.Path(), t.name) }

// open opens the file once more.
func (t *target) open(direct, trunc bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.push(direct, trunc)
}

func (t *target) push(direct, trunc bool) error {
	flags := unix.O_RDWR | unix.O_CREAT
	if direct {
		flags |= host.DirectFlag
	}
	if trunc {
		flags |= unix.O_TRUNC
	}
	fd, err := t.dir.Open(t.name, flags)
	if err != nil {
		return err
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
		host.FillRandom(buf, seed<<32+uint64(at))
		n := min(int64(len(buf)), f.Size-at)
		_, err := host.Whole(n, false, func(from, n int64) (int, error) {
			return unix.Pwrite(fd, buf[from:from+n], at+from)
		})
		if err != nil {
			return err
		}
	}
	if err := host.Retry(func() error { return unix.Fsync(fd) }); err != nil || f.Warm {
		return err
	}
	return dropPages(fd)
}

// rename gives the file a new name, or that of a file that is replaced, which is
// then without one: its next open makes it again.
func (t *target) rename(replaced *target) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.renamed++
	from, to := t.name, fmt.Sprintf("%s.%d", t.name, t.renamed)
	if replaced != nil {
		replaced.mu.Lock()
		defer replaced.mu.Unlock()
		to, replaced.name = replaced.name, to
	}
	t.name = to
	return host.IgnoreMissing(t.dir.Rename(from, to))
}

// exchange gives each of two files the other's name.
func (t *target) exchange(other *target) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	other.mu.Lock()
	defer other.mu.Unlock()
	from, to := t.name, other.name
	t.name, other.name = to, from
	return host.IgnoreMissing(t.dir.Exchange(from, to))
}

// touch waits for a page of the file as a program does that has mapped it. A
// page beyond the end is left alone.
func (t *target) touch(fd int, at int64) error {
	t.maps.RLock()
	if at >= int64(len(t.mapping)) {
		t.maps.RUnlock()
		if err := t.remap(fd, at); err != nil {
			return err
		}
		t.maps.RLock()
	}
	defer t.maps.RUnlock()
	if at >= int64(len(t.mapping)) {
		return nil
	}
	page := at &^ int64(os.Getpagesize()-1)
	return populate(t.mapping[page:min(page+int64(os.Getpagesize()), int64(len(t.mapping)))], fd, page)
}

// remap maps the whole file if it has come to hold at, when no thread waits for
// a page of the mapping before.
func (t *target) remap(fd int, at int64) error {
	t.maps.Lock()
	defer t.maps.Unlock()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Size <= max(at, int64(len(t.mapping))) {
		return err
	}
	if t.mapping != nil {
		if err := unix.Munmap(t.mapping); err != nil {
			return err
		}
		t.mapping = nil
	}
	m, err := unix.Mmap(fd, 0, int(st.Size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("mapping file of descriptor %d: %w", fd, err)
	}
	t.mapping = m
	return nil
}
