//go:build !linux

package output

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const searchOnly = unix.O_RDONLY

// Do runs f as root: other systems know no rights of a single thread. The owner
// of a link on the way is checked all the same.
func (id *Identity) Do(f func() error) error { return f() }

// giveTo makes the identity the owner of a new file.
func (f *File) giveTo(id *Identity) error {
	if id == nil || f.stream || os.Geteuid() != 0 {
		return nil
	}
	if err := f.Chown(int(id.UID), int(id.GID)); err != nil {
		return fmt.Errorf("giving the file to user %d: %w", id.UID, err)
	}
	return nil
}

// giveDirectory does so with a new directory.
func giveDirectory(dir int, name string, id *Identity) error {
	if id == nil || os.Geteuid() != 0 {
		return nil
	}
	return unix.Fchownat(dir, name, int(id.UID), int(id.GID), unix.AT_SYMLINK_NOFOLLOW)
}

func chmod(dir int, name string, mode uint32) error {
	return unix.Fchmodat(dir, name, mode, unix.AT_SYMLINK_NOFOLLOW)
}

// createUnnamed fails: every file has a name here.
func createUnnamed(int) (int, error) { return -1, unix.ENOTSUP }

func linkUnnamed(int, int, string) error { return unix.ENOTSUP }

// renameNew is the last resort where a file system has no hard links: another
// file that has come to the name meanwhile is replaced.
func renameNew(dir int, from, to string) error { return unix.Renameat(dir, from, dir, to) }

// readLink reads a symbolic link, and makes sure that it was the same one all
// the time. EINVAL is what is no link.
func readLink(dir int, name string) (owner uint32, target string, err error) {
	var before, after unix.Stat_t
	if err := unix.Fstatat(dir, name, &before, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return 0, "", err
	}
	if uint32(before.Mode)&unix.S_IFMT != unix.S_IFLNK {
		return 0, "", unix.EINVAL
	}
	buf := make([]byte, 4096)
	n, err := unix.Readlinkat(dir, name, buf)
	if err != nil {
		return 0, "", err
	}
	if err := unix.Fstatat(dir, name, &after, unix.AT_SYMLINK_NOFOLLOW); err != nil || after.Ino != before.Ino ||
		after.Uid != before.Uid {
		return 0, "", unix.ELOOP
	}
	return before.Uid, string(buf[:n]), nil
}

func openScratch(string) (*os.File, error) { return nil, unix.ENOTSUP }
