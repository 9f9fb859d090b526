// Package variants knows other ways to do the work of a recorded program, and
// finds out which of them is fastest on a drive: with larger blocks, with more
// calls in flight, past the page cache, without syncs; and the copies of the
// program by each method that copying programs use.
package variants

import "github.com/iotrace/iotrace/replay"

// Variant is a way to do the work.
type Variant struct {
	Name    string
	Program *replay.Program
}
