package replay

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// name does an operation on the name or the attributes of a file. That the file
// has no name (any more, or not yet) is no error: the recording may have lost
// sight of who made or removed it.
func (s *session) name(o *Op, t *target) error {
	if o.Kind == trace.OpRename {
		s.renames.Lock() // two locks at once
		defer s.renames.Unlock()
		return t.rename(s.replaced(o))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var st unix.Stat_t
	err := retry(func() error {
		switch {
		case o.Kind == trace.OpUnlink:
			return unix.Unlink(t.path)
		case o.Kind == trace.OpAttr:
			return unix.Chmod(t.path, 0o600)
		case len(t.fds) > 0:
			return unix.Fstat(t.fds[len(t.fds)-1], &st)
		}
		return unix.Stat(t.path, &st)
	})
	return ignoreMissing(err)
}

// replaced is the file whose name a rename takes, nil if there was none.
func (s *session) replaced(o *Op) *target {
	if o.File2 < 0 || o.File2 == o.File {
		return nil
	}
	return s.files[o.File2]
}

// rename gives the file a new name, or that of a file that is replaced, which is
// then without one: its next open makes it again.
func (t *target) rename(replaced *target) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.renamed++
	from, to := t.path, fmt.Sprintf("%s.%d", t.path, t.renamed)
	if replaced != nil {
		replaced.mu.Lock()
		defer replaced.mu.Unlock()
		to, replaced.path = replaced.path, to
	}
	t.path = to
	return ignoreMissing(os.Rename(from, to))
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
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
