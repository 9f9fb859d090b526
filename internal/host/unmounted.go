package host

import (
	"io"
	"os"
	"path/filepath"
	"slices"
)

// FlushUnmounted has a device keep what was written to it, if no file system of it is mounted any more. Unmounting
// writes all there is, but not every kind flushes the device then (vfat). A device that is gone as well, or that may
// not be opened, is left alone.
func FlushUnmounted(major, minor uint32) error {
	text, err := os.ReadFile(OwnMounts)
	if err != nil || slices.ContainsFunc(ParseMounts(string(text)), func(m Mount) bool {
		return m.Major == major && m.Minor == minor
	}) {
		return nil
	}
	name := diskName(major, minor)
	f, err := os.Open(filepath.Join("/dev", name))
	if err != nil {
		return nil
	}
	defer f.Close()
	if size, err := f.Seek(0, io.SeekEnd); err != nil || name == "" || size == 0 {
		return nil
	}
	return f.Sync()
}
