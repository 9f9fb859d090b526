package tracer

import "fmt"

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
