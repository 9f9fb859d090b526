package generator

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
)

// cloneByPath is how macOS clones; on Linux two descriptors are needed.
var cloneByPath func(from, to string) error

// cloneOpen makes out share the blocks of in.
func cloneOpen(out, in int) error {
	err := unix.IoctlFileClone(out, in)
	if errors.Is(err, unix.EOPNOTSUPP) || errors.Is(err, unix.EXDEV) || errors.Is(err, unix.ENOTTY) ||
		errors.Is(err, unix.EINVAL) {
		return fmt.Errorf("%w: the file system cannot clone files: %w", storage.ErrUnsupported, err)
	}
	return err
}

// copyCall lets the kernel copy up to n bytes from one file position to the
// other.
func copyCall(method baseline.Method, out, in int, n int64) (int, error) {
	var moved int
	var err error
	if method == baseline.CopySendfile {
		moved, err = unix.Sendfile(out, in, nil, int(n))
	} else {
		moved, err = unix.CopyFileRange(in, nil, out, nil, int(n), 0)
	}
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EXDEV) || errors.Is(err, unix.EOPNOTSUPP) {
		err = fmt.Errorf("%w: %w", storage.ErrUnsupported, err)
	}
	return moved, err
}
