package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
)

// ReadSecret reads a small file that is worth what is kept in it only if nobody else
// made it: a regular one of the user's or of root's, and with the user's rights. Of a
// file that is larger, most bytes and one more are read.
func ReadSecret(path string, as *rights.Identity, most int) (content []byte, err error) {
	var fd int
	err = as.Do(func() error {
		p, err := findPlace(path, as)
		if err != nil {
			return err
		}
		defer p.Close()
		const flags = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_NOCTTY
		if fd, err = p.Open(flags); err != nil {
			return &fs.PathError{Op: "open", Path: path, Err: err}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), path)
	defer func() { err = errors.Join(err, f.Close()) }()
	var st unix.Stat_t
	switch err := unix.Fstat(fd, &st); {
	case err != nil:
		return nil, &fs.PathError{Op: "stat", Path: path, Err: err}
	case uint32(st.Mode)&unix.S_IFMT != unix.S_IFREG:
		return nil, fmt.Errorf("%s %w", path, errNotRegular)
	case !trusted(st.Uid, as):
		return nil, fmt.Errorf("%s belongs to user %d, who knows it", path, st.Uid)
	}
	return io.ReadAll(io.LimitReader(f, int64(most)+1))
}
