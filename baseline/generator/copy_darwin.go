package generator

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/output"
)

// cloneByPath makes a new file that shares the blocks of another (clonefile).
var cloneByPath = func(from, to string) error {
	err := output.Clone(from, to)
	if errors.Is(err, unix.ENOTSUP) {
		return fmt.Errorf("%w: the file system cannot clone files: %w", storage.ErrUnsupported, err)
	}
	return err
}

func cloneOpen(int, int) error { return storage.ErrUnsupported }

// copyCall: copy_file_range does not exist on macOS, and its sendfile takes
// sockets only.
func copyCall(method baseline.Method, _, _ int, _ int64) (int, error) {
	return 0, fmt.Errorf("%w: macOS has no %s between files", storage.ErrUnsupported, method)
}
