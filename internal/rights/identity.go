package rights

// Identity is a user for whom root creates a file.
type Identity struct {
	UID, GID uint32
	Groups   []uint32
}
