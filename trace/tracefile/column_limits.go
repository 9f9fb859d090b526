package tracefile

// What a frame holds at most. The writer keeps to it; for the reader it bounds what
// a damaged or hostile file can make it allocate. See docs/trace-format.md.
const (
	MaxRows  = 32 << 10 // events
	MaxItems = 64 << 10 // list items (Extents, Parents)
	MaxText  = 64 << 10 // bytes of one string; longer ones are cut
)
