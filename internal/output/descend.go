package output

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// Descend opens a directory some way below, "." for the same one. What is not there
// is made if there is a list of what was made, to which it is added.
func (d *Directory) Descend(name string, made *[]string) (*Directory, error) {
	at, err := d.duplicate()
	if name == "." || err != nil {
		return at, err
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		in, err := at.Enter(part)
		if errors.Is(err, fs.ErrNotExist) && made != nil {
			if err = at.Make(part); err == nil {
				*made = append(*made, path.Join(parts[:i+1]...))
			}
			if err == nil || errors.Is(err, fs.ErrExist) {
				in, err = at.Enter(part)
			}
		}
		_ = at.Close()
		if err != nil {
			return nil, err
		}
		at = in
	}
	return at, nil
}

// duplicate opens a directory once more.
func (d *Directory) duplicate() (*Directory, error) {
	fd, err := unix.FcntlInt(uintptr(d.fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: d.path, Err: err}
	}
	return &Directory{fd: fd, path: d.path, as: d.as}, nil
}
