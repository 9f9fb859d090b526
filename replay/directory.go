package replay

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// makeOwn makes a directory that nobody else uses.
func makeOwn(dir string) error {
	err := os.Mkdir(dir, 0o700)
	switch {
	case errors.Is(err, os.ErrExist):
		err = fmt.Errorf("%w: another replay runs there, or one was killed; if none runs, remove it", err)
	case errors.Is(err, os.ErrPermission):
		err = fmt.Errorf("%w: choose a directory that you may write to", err)
	}
	if err != nil {
		return fmt.Errorf("preparing the replay: %w", err)
	}
	return nil
}

// enough is an error if a directory has no room for files.
func enough(dir string, need int64) error {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return fmt.Errorf("preparing the replay: %w", &os.PathError{Op: "statfs", Path: dir, Err: err})
	}
	if free := int64(st.Bavail) * int64(st.Bsize); need+need/50+(16<<20) > free {
		return fmt.Errorf("preparing the replay: its files need %d MB, %s has %d MB free; use another directory", need/1e6,
			dir, free/1e6)
	}
	return nil
}
