package output

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/sysfile"
)

// searchOnly opens a directory to go on from, which takes no right to list it.
const searchOnly = unix.O_PATH

// Do runs f with the rights of an identity, if this is root. The kernel's own
// checks then are those of the user, however the names that f uses change
// meanwhile. It happens on a thread of its own, which ends with it: the others
// stay root's.
func (id *Identity) Do(f func() error) error {
	if id == nil || os.Geteuid() != 0 {
		return f()
	}
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked
		if err := id.assume(); err != nil {
			done <- fmt.Errorf("taking on the rights of user %d: %w", id.UID, err)
			return
		}
		done <- f()
	}()
	return <-done
}

// assume changes what this thread may do with files: its groups and its file
// system user and group, with which the kernel takes away the capabilities that
// overrule permissions.
func (id *Identity) assume() error {
	var first unsafe.Pointer
	if len(id.Groups) > 0 {
		first = unsafe.Pointer(&id.Groups[0])
	}
	// unix.Setgroups would change all threads.
	if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(id.Groups)), uintptr(first), 0); errno != 0 {
		return errno
	}
	for _, set := range []struct {
		set func(int) (int, error)
		id  uint32
	}{{unix.SetfsgidRetGid, id.GID}, {unix.SetfsuidRetUid, id.UID}} {
		if _, err := set.set(int(set.id)); err != nil {
			return err
		}
		if now, err := set.set(-1); err != nil || now != int(set.id) { // they report no failure
			return errors.Join(unix.EPERM, err)
		}
	}
	return nil
}

// giveTo has nothing to do: who created the file owns it.
func (f *File) giveTo(*Identity) error { return nil }

// giveDirectory has nothing to do for the same reason.
func giveDirectory(int, string, *Identity) error { return nil }

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
	return unix.Chmod(descriptors+"/"+strconv.Itoa(fd), mode)
}

const descriptors = "/proc/self/fd"

// createUnnamed opens a new file that is in no directory yet. Where it could not
// be named later it fails.
func createUnnamed(dir int) (int, error) {
	if err := unix.Access(descriptors, unix.X_OK); err != nil {
		return -1, err
	}
	return sysfile.IgnoringEINTR(func() (int, error) {
		return unix.Openat(dir, ".", unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, Mode)
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

// readLink reads a symbolic link by a descriptor of the link itself. EINVAL is
// what is no link.
func readLink(dir int, name string) (owner uint32, target string, err error) {
	fd, err := sysfile.IgnoringEINTR(func() (int, error) {
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

// openScratch opens a file that never has a name.
func openScratch(dir string) (*os.File, error) {
	return os.OpenFile(dir, unix.O_TMPFILE|unix.O_EXCL|os.O_RDWR, Mode)
}
