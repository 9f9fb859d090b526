package dtrace

// protocolVersion is the version of the line protocol.
const protocolVersion = 2

// Platform is a system with DTrace.
type Platform string

// The platforms.
const (
	Darwin Platform = "darwin"
	Linux  Platform = "linux"
)
