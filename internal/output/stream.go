package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// readerWait is how often a pipe without a reader is tried again.
const readerWait = 10 * time.Millisecond

// descriptorName matches the names of this process's own descriptors.
var descriptorName = regexp.MustCompile(`^/(?:dev|proc/self)/fd/([0-9]{1,9})$`)

// inherited is the descriptor that a path names.
func inherited(path string) (int, bool) {
	switch path {
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	m := descriptorName.FindStringSubmatch(path)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// duplicate takes a descriptor that this process was given: whoever opened it
// had the right to.
func (f *File) duplicate(n int) error {
	fd, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return &fs.PathError{Op: "open", Path: f.path, Err: err}
	}
	f.File, f.stream = os.NewFile(uintptr(fd), f.path), true
	return nil
}

// openStream opens a pipe or a device as it is. It waits until a pipe has a
// reader, as a shell's redirection does.
func (f *File) openStream(kind uint32) error {
	const flags = unix.O_WRONLY | unix.O_NONBLOCK | unix.O_NOCTTY
	for {
		fd, err := f.place.Open(flags)
		if errors.Is(err, unix.ENXIO) && kind == unix.S_IFIFO {
			time.Sleep(readerWait)
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "open", Path: f.path, Err: err}
		}
		if err := f.examine(fd, kind); err != nil {
			unix.Close(fd)
			return err
		}
		f.place.Close()
		f.File, f.stream = os.NewFile(uintptr(fd), f.path), true
		return nil
	}
}

// examine decides on the descriptor: what the name stood for a moment ago does
// not count.
func (f *File) examine(fd int, kind uint32) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &fs.PathError{Op: "stat", Path: f.path, Err: err}
	}
	switch {
	case uint32(st.Mode)&unix.S_IFMT != kind:
		return errors.New("became something else while it was being opened (choose another name)")
	case !trusted(st.Uid, f.as):
		return fmt.Errorf("belongs to user %d and is not written to (choose another name)", st.Uid)
	case kind == unix.S_IFCHR:
		return unix.SetNonblock(fd, false)
	}
	return nil
}
