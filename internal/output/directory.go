package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
)

// newMode is that of every new file. What a trace and what is made of it tell
// (names of files, command lines) is for its owner alone.
const newMode = 0o600

// ownMode is that of every new directory, for the same reason.
const ownMode = 0o700

// errNotRegular says that a file is a directory, a pipe, a device or a socket.
var errNotRegular = errors.New("is no regular file")

// Directory is an open directory. Whatever happens to the path that led there, it
// stays the same one. Names in it have no slash, and a symbolic link of that name is
// not followed.
type Directory struct {
	fd   int
	path string
	as   *rights.Identity
}

// OpenDirectory opens a directory that is there. Links on the way are followed as for a file.
// All that is done in it is done with the rights of as; nil means the caller's.
func OpenDirectory(path string, as *rights.Identity) (*Directory, error) {
	return OpenOrMake(path, as, nil)
}

// OpenOrMake does so, and makes what of the path is not there. The places of what it
// made are added to a list, also before an error, and are the caller's to close.
func OpenOrMake(path string, as *rights.Identity, made *[]Place) (*Directory, error) {
	w := walker{Place: Place{Dir: -1}, as: as, made: made}
	if err := as.Do(func() error { return w.walk(path) }); err != nil {
		return nil, err
	}
	return &Directory{fd: w.Dir, path: path, as: as}, nil
}

// Path is the path that led to the directory, for messages.
func (d *Directory) Path() string { return d.path }

// Close closes the directory.
func (d *Directory) Close() error { return unix.Close(d.fd) }

// do does something with a name, with the directory's rights.
func (d *Directory) do(op, name string, call func() error) error {
	err := plain(name)
	if err == nil {
		err = d.as.Do(func() error { return host.Retry(call) })
	}
	if err != nil {
		return &fs.PathError{Op: op, Path: filepath.Join(d.path, name), Err: err}
	}
	return nil
}

// plain is an error if a name leads out of the directory that it is in.
func plain(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return unix.EINVAL
	}
	return nil
}

// Make makes a directory.
func (d *Directory) Make(name string) error {
	return d.do("mkdir", name, func() error { return makeDirectory(d.fd, name, d.as) })
}

// Enter opens a directory.
func (d *Directory) Enter(name string) (*Directory, error) {
	in := &Directory{path: filepath.Join(d.path, name), as: d.as}
	err := d.do("open", name, func() (err error) { in.fd, err = openDirectory(d.fd, name); return err })
	if err != nil {
		return nil, err
	}
	return in, nil
}

// Open opens a file. A new one is for its owner alone. It does not go through
// os.File, so nothing but the call itself happens.
func (d *Directory) Open(name string, flags int) (fd int, err error) {
	return d.open(name, flags, newMode)
}

// OpenProgram makes a file that can be started.
func (d *Directory) OpenProgram(name string) (fd int, err error) {
	return d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, newMode|0o100)
}

func (d *Directory) open(name string, flags int, mode uint32) (fd int, err error) {
	fd = -1
	err = d.do("open", name, func() (err error) {
		fd, err = unix.Openat(d.fd, name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, mode)
		return err
	})
	return fd, err
}

// OpenRegular opens a file to be read: no pipe, which could be waited for, and no
// device.
func (d *Directory) OpenRegular(name string) (*os.File, error) {
	fd, err := d.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), filepath.Join(d.path, name))
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, f.Close(), &fs.PathError{Op: "open", Path: f.Name(), Err: errNotRegular})
	}
	return f, nil
}

// Remove removes a file.
func (d *Directory) Remove(name string) error {
	return d.do("remove", name, func() error { return unix.Unlinkat(d.fd, name, 0) })
}

// RemoveDirectory removes an empty directory.
func (d *Directory) RemoveDirectory(name string) error {
	return d.do("remove", name, func() error { return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) })
}

// Rename gives a file another name, also that of another one.
func (d *Directory) Rename(from, to string) error {
	return d.do("rename", from, func() error {
		if err := plain(to); err != nil {
			return err
		}
		return unix.Renameat(d.fd, from, d.fd, to)
	})
}

// Exchange gives each of two files the name of the other. Where the file system cannot do so at once, it takes three
// steps, by a name that a workspace knows as one of its own if it knows the first one.
func (d *Directory) Exchange(one, other string) error {
	return d.do("exchange", one, func() error {
		if err := plain(other); err != nil {
			return err
		}
		err := exchange(d.fd, one, other)
		if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.ENOTSUP) {
			return err
		}
		aside := one + ".0"
		if err := unix.Renameat(d.fd, one, d.fd, aside); err != nil {
			return err
		}
		return errors.Join(unix.Renameat(d.fd, other, d.fd, one), unix.Renameat(d.fd, aside, d.fd, other))
	})
}

// Protect makes a file readable and writable for its owner alone, as it was made.
func (d *Directory) Protect(name string) error {
	return d.do("chmod", name, func() error { return chmod(d.fd, name, newMode) })
}

// Stat is what is known of a name, of a link of itself.
func (d *Directory) Stat(name string) (st unix.Stat_t, err error) {
	err = d.do("stat", name, func() error { return unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return st, err
}

// StatSelf is what is known of the directory itself.
func (d *Directory) StatSelf() (st unix.Stat_t, err error) {
	err = host.Retry(func() error { return unix.Fstat(d.fd, &st) })
	return st, err
}
