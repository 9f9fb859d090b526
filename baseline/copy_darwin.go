package baseline

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// cloneByPath makes a new file that shares the blocks of another (clonefile).
var cloneByPath = func(from, to string) error {
	err := unix.Clonefile(from, to, unix.CLONE_NOFOLLOW)
	if errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("%w: the file system cannot clone files: %w", errUnsupported, err)
	}
	return err
}

func cloneOpen(int, int) error { return errUnsupported }

// copyCall: copy_file_range does not exist on macOS, and its sendfile takes
// sockets only.
func copyCall(method Method, _, _ int, _ int64) (int, error) {
	return 0, fmt.Errorf("%w: macOS has no %s between files", errUnsupported, method)
}

// copyRange is not there: macOS copies within the kernel by whole files only.
func copyRange(_, _ int, _, _ int64) (int, error) { return -1, unix.ENOTSUP }
