package tracer

import "syscall"

// system is the running kernel.
type system struct{}

// limit is NGROUPS_MAX (include/uapi/linux/limits.h).
func (system) limit() int { return 1 << 16 }

func (system) setGroups(list []uint32, _ uint32) error {
	groups := make([]int, len(list))
	for i, g := range list {
		groups[i] = int(g)
	}
	return syscall.Setgroups(groups)
}

func (system) setGroup(gid uint32) error { return syscall.Setgid(int(gid)) }
func (system) setUser(uid uint32) error  { return syscall.Setuid(int(uid)) }
