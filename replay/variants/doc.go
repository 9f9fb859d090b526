// Package variants knows other ways to do the work of a recorded program, and
// finds out which of them is fastest on a drive. They are larger blocks, more
// calls in flight, direct I/O, and no syncs. The copies of the program are made
// by each method that copying programs use.
package variants

import "github.com/iotrace/iotrace/replay"

// Variant is a way to do the work.
type Variant struct {
	Name    string
	Program *replay.Program
}
