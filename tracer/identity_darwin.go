package tracer

import (
	"syscall"
	"unsafe"
)

// system is the running kernel. Credentials on macOS are the process's, not the
// thread's.
type system struct{}

// limit is NGROUPS_MAX (bsd/sys/syslimits.h). Administrators belong to more
// groups. Those that do not fit are not lost: the kernel asks the directory
// service (memberd) about groups that are not in the list.
func (system) limit() int { return 16 }

// setGroups is initgroups(2), which leaves the user for the directory service
// to be asked about beside the list; setgroups(2) would opt the process out of
// that. The system call is made here: the function of libSystem takes a name
// and needs cgo.
func (system) setGroups(list []uint32, user uint32) error {
	_, _, errno := syscall.Syscall(syscall.SYS_INITGROUPS, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])),
		uintptr(user))
	if errno != 0 {
		return errno
	}
	return nil
}

func (system) setGroup(gid uint32) error { return syscall.Setgid(int(gid)) }
func (system) setUser(uid uint32) error  { return syscall.Setuid(int(uid)) }
