package output

import (
	"errors"
	"os"
)

// Scratch is a file to read and write that has no name, and so is gone when it
// is closed, or with this process. An empty dir means the one for temporary files.
func Scratch(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if f, err := openScratch(dir); err == nil {
		return f, nil
	}
	f, err := os.CreateTemp(dir, "iotrace-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
