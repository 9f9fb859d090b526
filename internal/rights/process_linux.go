package rights

import (
	"fmt"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// lowered says that this process could be root again.
var lowered atomic.Bool

// Lower gives this process and what it starts the rights of a user. Root stays
// behind as the saved user, which a program that is started does not inherit,
// for Root.
func Lower(id *Identity) error {
	if id == nil || os.Geteuid() != 0 {
		return nil
	}
	groups := make([]int, len(id.Groups))
	for i, g := range id.Groups {
		groups[i] = int(g)
	}
	uid, gid := int(id.UID), int(id.GID)
	if err := syscall.Setgroups(groups); err != nil {
		return fmt.Errorf("taking on the groups of user %d: %w", uid, err)
	}
	if err := syscall.Setresgid(gid, gid, gid); err != nil {
		return fmt.Errorf("taking on group %d: %w", gid, err)
	}
	if err := syscall.Setresuid(uid, uid, 0); err != nil {
		return fmt.Errorf("taking on the rights of user %d: %w", uid, err)
	}
	lowered.Store(true)
	return nil
}

// CanRoot tells whether Root has root's rights.
func CanRoot() bool { return os.Geteuid() == 0 || lowered.Load() }

// Root runs f with root's rights if this process began with them. It does so on
// a thread of its own, which ends with it: the others stay the user's.
func Root(f func() error) error {
	if !lowered.Load() {
		return f()
	}
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked
		const unchanged = ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, unchanged, 0, unchanged); errno != 0 {
			done <- fmt.Errorf("taking on root's rights: %w", errno)
			return
		}
		done <- f()
	}()
	return <-done
}
