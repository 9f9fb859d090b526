//go:build !linux

package rights

import (
	"fmt"
	"os"
	"syscall"
)

// mostGroups is how many groups macOS lets a process have.
const mostGroups = 16

// Lower gives this process the rights of a user, for good: other systems know
// no saved user that a program that is started does not inherit.
func Lower(id *Identity) error {
	if id == nil || os.Geteuid() != 0 {
		return nil
	}
	groups := []int{int(id.GID)}
	for _, g := range id.Groups {
		if g != id.GID && len(groups) < mostGroups {
			groups = append(groups, int(g))
		}
	}
	if err := syscall.Setgroups(groups); err != nil {
		return fmt.Errorf("taking on the groups of user %d: %w", id.UID, err)
	}
	if err := syscall.Setgid(int(id.GID)); err != nil {
		return fmt.Errorf("taking on group %d: %w", id.GID, err)
	}
	if err := syscall.Setuid(int(id.UID)); err != nil {
		return fmt.Errorf("taking on the rights of user %d: %w", id.UID, err)
	}
	return nil
}

// CanRoot tells whether Root has root's rights.
func CanRoot() bool { return os.Geteuid() == 0 }

// Root runs f with the rights that this process has.
func Root(f func() error) error { return f() }
