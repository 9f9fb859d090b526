package tracer

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/internal/rights"
)

// User is who a workload runs as.
type User struct {
	Name   string   `json:"name"`
	UID    uint32   `json:"uid"`
	GID    uint32   `json:"gid"`
	Groups []uint32 `json:"groups"`
	Home   string   `json:"home"`
	Shell  string   `json:"shell"`
}

// InvokingUser is the user who called us through sudo, nil if nobody did.
// Recording needs privileges that the recorded command must not inherit: its
// files, and what it may read, should be what they are without iotrace.
func InvokingUser() (*User, error) {
	id := os.Getenv("SUDO_UID")
	if os.Geteuid() != 0 || id == "" || id == "0" {
		return nil, nil
	}
	uid, err := strconv.ParseUint(id, 10, 32)
	if err != nil {
		return nil, fmt.Errorf("reading SUDO_UID %q: not a user ID", id)
	}
	u, err := account(uint32(uid))
	if err != nil {
		return nil, fmt.Errorf("looking up the user who called sudo: %w", err)
	}
	if u.Groups, err = groups(u.Name); err != nil {
		return nil, fmt.Errorf("looking up the groups of %s: %w", u.Name, err)
	}
	return u, nil
}

// Identity is what root takes on to create a file for the user; nil for nil.
func (u *User) Identity() *rights.Identity {
	if u == nil {
		return nil
	}
	return &rights.Identity{UID: u.UID, GID: u.GID, Groups: u.Groups}
}

// groups asks id(1), which knows every source of groups the system is
// configured for; the group file alone may not have them all.
func groups(name string) ([]uint32, error) {
	out, err := exec.Command("id", "-G", name).Output()
	if err != nil {
		return nil, fmt.Errorf("running id -G %s: %w", name, err)
	}
	var list []uint32
	for field := range strings.FieldsSeq(string(out)) {
		gid, err := strconv.ParseUint(field, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("reading the output of id: %w", err)
		}
		list = append(list, uint32(gid))
	}
	return list, nil
}

// environ is env as the user has it: what sudo set for root, and the traces of
// sudo itself, are replaced or taken out.
func (u *User) environ(env []string) []string {
	drop := []string{"HOME", "USER", "LOGNAME", "SHELL", "MAIL", "SUDO_UID", "SUDO_GID", "SUDO_USER", "SUDO_COMMAND",
		"SUDO_HOME", "SUDO_TTY"}
	kept := make([]string, 0, len(env)+4)
	for _, kv := range env {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(drop, name) {
			kept = append(kept, kv)
		}
	}
	return append(kept, "HOME="+u.Home, "USER="+u.Name, "LOGNAME="+u.Name, "SHELL="+u.Shell)
}

// become gives this process to the user. Groups and group come first: after the
// user they are refused.
func (u *User) become(id identity) error {
	list := u.groupList(id.limit())
	if err := id.setGroups(list, u.UID); err != nil {
		return fmt.Errorf("setting %d groups: %w", len(list), err)
	}
	if err := id.setGroup(u.GID); err != nil {
		return fmt.Errorf("setting group %d: %w", u.GID, err)
	}
	if err := id.setUser(u.UID); err != nil {
		return fmt.Errorf("setting user %d: %w", u.UID, err)
	}
	return nil
}

// groupList is the primary group and as many others as fit.
func (u *User) groupList(limit int) []uint32 {
	list := []uint32{u.GID}
	for _, g := range u.Groups {
		if g != u.GID && len(list) < limit {
			list = append(list, g)
		}
	}
	return list
}

// Become gives this process to the user for good.
func (u *User) Become() error { return u.become(system{}) }

// identity are the calls by which a process, with all its threads, gives itself
// to a user.
type identity interface {
	// limit is how many groups a process can have.
	limit() int
	// setGroups gives it groups, the primary one first. The user is for systems
	// that look up further groups by it.
	setGroups(list []uint32, user uint32) error
	setGroup(gid uint32) error
	setUser(uid uint32) error
}
