// Package protocol is what the scripts print: lines of columns, as
// docs/dtrace-protocol.md describes them, taken apart and put into order. It is a package of its own because lines of
// columns are taken apart before anyone knows what they mean.
package protocol

// Version is the version of the line protocol.
const Version = 2

// Platform is a system with DTrace.
type Platform string

// The platforms.
const (
	Darwin Platform = "darwin"
	Linux  Platform = "linux"
)
