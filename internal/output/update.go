package output

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
)

// Update opens a file to be read and added to, and makes it if it is not there.
// It has to be a regular file of the user's, without a second name: a link to
// another file would have that one changed.
func Update(path string, as *rights.Identity) (*File, error) {
	f := &File{path: path, as: as, place: Place{Dir: -1}}
	if err := as.Do(f.openToUpdate); err != nil {
		return nil, err
	}
	if err := f.giveTo(as); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *File) openToUpdate() (err error) {
	if f.place, err = findPlace(f.path, f.as); err != nil {
		return err
	}
	const flags = unix.O_RDWR | unix.O_APPEND | unix.O_CREAT | unix.O_NONBLOCK | unix.O_NOCTTY
	fd, err := f.place.Open(flags)
	if err != nil {
		f.place.Close()
		return &fs.PathError{Op: "open", Path: f.path, Err: err}
	}
	f.File = os.NewFile(uintptr(fd), f.path)
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	switch {
	case err != nil:
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		err = errNotRegular
	case !trusted(st.Uid, f.as):
		err = fmt.Errorf("belongs to user %d", st.Uid)
	case st.Nlink > 1:
		err = errors.New("has a second name")
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	return nil
}

// Open opens a file or a disk as it is. Links on the way are followed as for a new
// file.
func Open(path string, flags int) (fd int, err error) {
	p, err := findPlace(path, nil)
	if err != nil {
		return -1, err
	}
	defer p.Close()
	fd, err = p.Open(flags)
	if err != nil {
		return -1, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return fd, nil
}

// Remove closes the file and removes it.
func (f *File) Remove() error {
	err := f.as.Do(f.place.Remove)
	return errors.Join(err, f.Close())
}
