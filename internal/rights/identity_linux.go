package rights

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

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
