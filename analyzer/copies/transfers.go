package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

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

// made is a file that a process made.
type made struct {
	By   *process
	File *world.File
	At   int64
}

// emptyFile is a file that was made, or given a size, while another one without
// data, or of that size, was open.
type emptyFile struct {
	Source, Dest *world.File
	By           *process
	At           int64
}

// created are the files that came into being without data.
type created struct {
	made    []made
	empties []*emptyFile
}

// file notes that a process made a file, and which empty ones it had open.
func (c *created) file(a *process, f *world.File, at int64) {
	if len(c.made) >= mostSessions {
		return
	}
	c.made = append(c.made, made{a, f, at})
	for _, from := range a.reading {
		if from.Size == 0 && from != f {
			c.empties = append(c.empties, &emptyFile{from, f, a, at})
		}
	}
}

// sized notes that a process gave a file without data the size of one that it
// had open: a copy if that is all that follows, since holes are not written.
func (c *created) sized(a *process, f *world.File, at int64) {
	for _, from := range a.reading {
		if from != f && from.Size == f.Size && len(c.empties) < mostSessions {
			c.empties = append(c.empties, &emptyFile{from, f, a, at})
		}
	}
}

// rule says where in a source the n bytes that were written at a place come from;
// it does not hold if they cannot.
type rule func(src *source, at, n int64) (from int64, holds bool)

// origins are the rules, best first.
var origins = []rule{
	func(src *source, at, n int64) (int64, bool) { // one of the last reads, at the same place
		e := measure.Extent{From: at, To: at + n}
		return at, slices.ContainsFunc(src.last, func(r readCall) bool { return r.Extent == e }) && !src.Consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, and only that
		e := src.latest()
		return e.From, e.Bytes() == n && !src.Consumed.Has(e)
	},
	func(src *source, _, n int64) (int64, bool) { // all that waits
		e := src.Read.Missing(&src.Consumed)
		return e.From, e.Bytes() == n
	},
	func(src *source, at, n int64) (int64, bool) { // the same place
		return at, !src.Consumed.Has(measure.Extent{From: at, To: at + n})
	},
	func(src *source, _, n int64) (int64, bool) { // the first that waits
		e := src.Read.Missing(&src.Consumed)
		return e.From, e.Bytes() >= n
	},
	func(src *source, _, n int64) (int64, bool) { // what was read last, once more
		e := src.latest()
		return e.From, e.Bytes() == n
	},
	func(src *source, at, _ int64) (int64, bool) { return at, true }, // the same place, once more
}

// passedOn is the first of the origins that takes bytes a second time.
const passedOn = 5

// originIn is where in a source the n bytes that were written at a place come from,
// and by which rule; none if they cannot.
func originIn(src *source, at, n int64) (from int64, rank int, ok bool) {
	for i, r := range origins {
		if from, ok := r(src, at, n); ok && src.Read.Has(measure.Extent{From: from, To: from + n}) {
			return from, i, true
		}
	}
	return 0, 0, false
}
