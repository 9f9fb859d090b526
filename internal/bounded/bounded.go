// Package bounded reads untrusted lines, XML and JSON in memory that does not depend on them. Input that is longer,
// deeper or of more parts than a limit is damaged and has a position, and what follows it can be read.
package bounded

import (
	"errors"
	"runtime/debug"
)

// The limits. What a tool writes is far below them.
const (
	MaxLine     = 1 << 20  // bytes of a line, of a row of a table in XML, and of whatever stands between rows
	MaxPath     = 64 << 10 // bytes of a path: longer ones a trace does not hold
	MaxName     = 256      // bytes of the name of a command, a call or a disk
	MaxFields   = 4096     // parts of a line
	MaxDepth    = 64       // values within values
	MaxDocument = 64 << 20 // bytes of a document that is read as one
)

// ErrTooLong says that something is longer than its limit. What comes behind it can be read.
var ErrTooLong = errors.New("it is longer than 1 MiB")

// Held counts the bytes of texts that are remembered from line to line.
type Held struct {
	bytes int
}

// maxHeld bounds them.
const maxHeld = 16 << 20

// Add reports whether n more bytes may be remembered, which are counted then.
func (h *Held) Add(n int) bool {
	if h.bytes+n > maxHeld {
		return false
	}
	h.bytes += n
	return true
}

// Drop says that n bytes are forgotten.
func (h *Held) Drop(n int) { h.bytes -= n }

// Clear says that all are forgotten.
func (h *Held) Clear() { h.bytes = 0 }

// collected is what memory garbage is collected for, also where more is free.
const collected = 160 << 20

// Garbage lets what is read leave no more garbage than memory that is bounded has room for: by default a process takes
// twice as much as it needs. It returns what ends that.
func Garbage() (end func()) {
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, collected))
	return func() { debug.SetMemoryLimit(before) }
}
