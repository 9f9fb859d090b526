package copies

import "github.com/iotrace/iotrace/analyzer/world"

// transfers are what moved in a trace.
type transfers struct {
	Processes map[*world.Process]*process
	Sources   []*source
	Sinks     []*sink
	Written   map[*world.File][]*sink // the sessions that wrote each file
	Streams   map[*world.File]*stream
	Mappers   []*process // that mapped files
	Made      []made
	Empties   []*emptyFile
	Clones    []clone
	Addressed bool // calls carry the addresses of their buffers
	Full      bool // sessions were left out
}

// clone is a clone of a file whose size was not seen: how many bytes the two
// share is not known.
type clone struct {
	Source, Dest *world.File
	By           *world.Process
	At, Until    int64
}
