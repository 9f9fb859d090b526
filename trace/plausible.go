package trace

import "fmt"

// The ranges that the values of events lie in. What a recorder stores comes from
// a kernel and keeps them; a Reader leaves out events that do not, so that what
// uses them can add times and sizes without a thought of overflow. See
// docs/trace-format.md.
const (
	MaxTime     = 1<<56 - 1       // ns since the start of the recording, and of one event: two years
	MaxTransfer = 1<<31 - 1       // bytes that one call moves; Linux ends at 0x7ffff000
	MaxOffset   = 1<<63 - 1<<32   // bytes from the start of a file: an end behind it can still be told
	MaxFilled   = 1<<46 - 1       // bytes that came into memory during one event
	MaxRequest  = 1 << 32         // bytes of a block request: the kernel counts them in 32 bits
	MaxSector   = MaxOffset / 512 // of a device
	MaxLost     = 1<<46 - 1       // events that one lost event stands for
	minResult   = -(1 << 31)      // the least an errno can be
	MaxTotal    = 1<<61 - 1       // bytes of all events together, and ns
)

// Within reports whether all values are at least 0 and at most limit, which has
// to be a power of two less one.
func Within(limit uint64, values ...int64) bool {
	for _, v := range values {
		if uint64(v) > limit {
			return false
		}
	}
	return true
}

// place reports whether v is an offset in a file, or not known.
func place(v int64) bool { return v >= NoOffset && v <= MaxOffset }

// during says what is impossible about a time of an event, "" if nothing is.
func during(start, ns int64) string {
	if uint64(start)|uint64(ns) > MaxTime || start+ns > MaxTime {
		return fmt.Sprintf("it began after %d ns and took %d ns", start, ns)
	}
	return ""
}

// known is an offset as it can be stored: not at all if it is none.
func known(offset int64) int64 {
	if !place(offset) {
		return NoOffset
	}
	return offset
}
