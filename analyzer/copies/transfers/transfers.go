// Package transfers keeps who read, wrote and mapped what, session by session,
// and which of the bytes that were written may be which that were read. It judges
// nothing: what is a copy is decided by those who are handed it. It is a package of its own because what happened and
// what it means are apart.
package transfers

import (
	"github.com/iotrace/iotrace/analyzer/world"
)

// Transfers are what moved in a trace.
type Transfers struct {
	Processes map[*world.Process]*Process
	Sources   []*Source
	Sinks     []*Sink
	Written   map[*world.File][]*Sink // the sessions that wrote each file
	Streams   map[*world.File]*Stream
	Mappers   []*Process // that mapped files
	Made      []Made
	Empties   []*Empty
	Clones    []Clone
	Addressed bool // calls carry the addresses of their buffers
	Full      bool // sessions were left out
}

// Clone is a clone of a file whose size was not seen: how many bytes the two
// share is not known.
type Clone struct {
	Source, Dest *world.File
	By           *world.Process
	At, Until    int64
}
