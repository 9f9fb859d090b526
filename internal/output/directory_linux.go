package output

import (
	"errors"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/rights"
)

// searchOnly opens a directory to go on from, which takes no right to list it.
const searchOnly = unix.O_PATH

// giveDirectory has nothing to do for the same reason.
func giveDirectory(int, string, *rights.Identity) error { return nil }

// chmod changes the mode of a file, and follows no link. Before Linux 6.6 it takes a
// descriptor of it.
func chmod(dir int, name string, mode uint32) error {
	err := unix.Fchmodat(dir, name, mode, unix.AT_SYMLINK_NOFOLLOW)
	if !errors.Is(err, unix.EOPNOTSUPP) && !errors.Is(err, unix.ENOSYS) {
		return err
	}
	fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), mode)
}

// exchange gives each of two files the other's name.
func exchange(dir int, one, other string) error {
	return unix.Renameat2(dir, one, dir, other, unix.RENAME_EXCHANGE)
}

// readLink reads a symbolic link by a descriptor of the link itself. EINVAL is
// what is no link.
func readLink(dir int, name string) (owner uint32, target string, err error) {
	fd, err := host.IgnoringEINTR(func() (int, error) {
		return unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return 0, "", err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, "", err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFLNK {
		return 0, "", unix.EINVAL
	}
	buf := make([]byte, unix.PathMax)
	n, err := unix.Readlinkat(fd, "", buf)
	return st.Uid, string(buf[:max(n, 0)]), err
}
