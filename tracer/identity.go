package tracer

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
