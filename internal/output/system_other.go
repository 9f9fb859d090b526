//go:build !linux

package output

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
)

// giveTo makes the identity the owner of a new file.
func (f *File) giveTo(id *rights.Identity) error {
	if id == nil || f.stream || os.Geteuid() != 0 {
		return nil
	}
	if err := f.Chown(int(id.UID), int(id.GID)); err != nil {
		return fmt.Errorf("giving the file to user %d: %w", id.UID, err)
	}
	return nil
}

// createUnnamed fails: every file has a name here.
func createUnnamed(int) (int, error) { return -1, unix.ENOTSUP }

func linkUnnamed(int, int, string) error { return unix.ENOTSUP }

// renameNew is the last resort where a file system has no hard links: another
// file that has come to the name meanwhile is replaced.
func renameNew(dir int, from, to string) error { return unix.Renameat(dir, from, dir, to) }

func openScratch(string) (*os.File, error) { return nil, unix.ENOTSUP }
