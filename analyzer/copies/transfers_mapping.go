package copies

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// mapping is a file that a process mapped into its memory.
type mapping struct {
	File     *world.File
	ID       trace.FileID
	Time     int64 // of the call
	Writable bool  // shared and writable: stores reach the file

	address uint64
	at      int64 // place in the file
	length  int64
}

// maxMappings bounds the mappings kept per process.
const maxMappings = 512

// mappedFD stands for the mappings of a file.
const mappedFD = -2

func newMapping(e *trace.Syscall, f *world.File) mapping {
	return mapping{
		File: f, ID: e.File, Time: e.Start, Writable: e.Flags&trace.FlagShared != 0 && e.Flags&trace.FlagWrite != 0,
		address: e.Buffer, at: max(e.Offset, 0), length: e.Requested,
	}
}

// Covers reports whether all of the file was mapped at once: mappings end at
// pages.
func (m *mapping) Covers() bool { return m.File.Size > 0 && m.at == 0 && m.length >= m.File.Size }
