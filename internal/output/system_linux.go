package output

import (
	"errors"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"

	"github.com/iotrace/iotrace/internal/rights"
)

// giveTo has nothing to do: who created the file owns it.
func (f *File) giveTo(*rights.Identity) error { return nil }

const descriptors = "/proc/self/fd"

// createUnnamed opens a new file that is in no directory yet. Where it could not
// be named later it fails.
func createUnnamed(dir int) (int, error) {
	if err := unix.Access(descriptors, unix.X_OK); err != nil {
		return -1, err
	}
	return host.IgnoringEINTR(func() (int, error) {
		return unix.Openat(dir, ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, newMode)
	})
}

// linkUnnamed gives such a file a name that nothing has yet.
func linkUnnamed(fd, dir int, name string) error {
	// Without CAP_DAC_READ_SEARCH Linux before 6.10 takes the way through /proc alone.
	err := unix.Linkat(fd, "", dir, name, unix.AT_EMPTY_PATH)
	if err == nil || errors.Is(err, unix.EEXIST) {
		return err
	}
	return unix.Linkat(unix.AT_FDCWD, descriptors+"/"+strconv.Itoa(fd), dir, name, unix.AT_SYMLINK_FOLLOW)
}

func renameNew(dir int, from, to string) error {
	return unix.Renameat2(dir, from, dir, to, unix.RENAME_NOREPLACE)
}

// openScratch opens a file that never has a name.
func openScratch(dir string) (*os.File, error) {
	return os.OpenFile(dir, unix.O_TMPFILE|unix.O_EXCL|os.O_RDWR, newMode)
}
