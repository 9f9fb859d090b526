//go:build !linux

package output

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/rights"
)

const searchOnly = unix.O_RDONLY

// giveDirectory does so with a new directory.
func giveDirectory(dir int, name string, id *rights.Identity) error {
	if id == nil || os.Geteuid() != 0 {
		return nil
	}
	return unix.Fchownat(dir, name, int(id.UID), int(id.GID), unix.AT_SYMLINK_NOFOLLOW)
}

func chmod(dir int, name string, mode uint32) error {
	return unix.Fchmodat(dir, name, mode, unix.AT_SYMLINK_NOFOLLOW)
}

// exchange is done in steps.
func exchange(int, string, string) error { return unix.ENOTSUP }

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
