package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// process is a process that reads and writes.
type process struct {
	Process  *world.Process
	Sources  []*source             // all of its sessions of reading
	Written  map[*world.File]*sink // the last session of each file
	Mappings []mapping

	writer     bool // it writes at some time, perhaps what it has in memory
	memory     buffers
	reads      map[session]*source // the running ones
	writes     map[session]*sink
	recent     []*source            // the last ones read from, latest first
	candidates []candidate          // room for those of a write
	reading    []*world.File        // open for reading, and nothing was read yet
	opened     map[*world.File]bool // by a process that ran before the recording, since then
	lastRead   *source              // the last ones that were looked up
	lastWrite  *sink
}

// session is what the running sessions of a process are found by.
type session struct {
	file *world.File
	fd   int32
}

func newProcess(p *world.Process) *process {
	return &process{
		Process: p, Written: map[*world.File]*sink{}, reads: map[session]*source{}, writes: map[session]*sink{},
	}
}

// Wrote reports whether the process has written to a file.
func (a *process) Wrote(f *world.File) bool { return a.Written[f] != nil || a.Maps(f) }

// Maps reports whether the process has mapped a file for writing.
func (a *process) Maps(f *world.File) bool {
	for i := range a.Mappings {
		if m := &a.Mappings[i]; m.File == f && m.Writable {
			return true
		}
	}
	return false
}

// maxRecent is how many sources of a process are considered for a write.
const maxRecent = 32

// latest moves a source to the front of the recent ones.
func (a *process) latest(s *source) {
	if len(a.recent) > 0 && a.recent[0] == s {
		return
	}
	i := 0
	for i < len(a.recent) && a.recent[i] != s {
		i++
	}
	if i == len(a.recent) {
		if i == maxRecent {
			i--
		} else {
			a.recent = append(a.recent, nil)
		}
	}
	copy(a.recent[1:i+1], a.recent[:i])
	a.recent[0] = s
}

// opens notes that a process that ran before the recording opened a file since.
func (a *process) opens(f *world.File) {
	if len(a.opened) >= mostSessions {
		return
	}
	if a.opened == nil {
		a.opened = map[*world.File]bool{}
	}
	a.opened[f] = true
}

// maxReading bounds the files that are open for reading.
const maxReading = 64

// opensToRead notes that a file was opened only to be read.
func (a *process) opensToRead(f *world.File) {
	if len(a.reading) < maxReading {
		a.reading = append(a.reading, f)
	}
}

// closes notes that a file was closed.
func (a *process) closes(f *world.File, fd int32) {
	a.end(f, fd)
	if i := slices.Index(a.reading, f); i >= 0 {
		a.reading = slices.Delete(a.reading, i, i+1)
	}
}

// end ends the sessions of a descriptor.
func (a *process) end(f *world.File, fd int32) {
	k := session{f, fd}
	if s := a.reads[k]; s != nil {
		s.closed = true
		delete(a.reads, k)
	}
	if s := a.writes[k]; s != nil {
		s.closed = true
		delete(a.writes, k)
	}
}

// mmap enters a mapping: its memory holds the file.
func (a *process) mmap(e *trace.Syscall, f *world.File) {
	if e.Result < 0 || !f.Data() {
		return
	}
	if e.Flags&trace.FlagExec == 0 && len(a.Mappings) < maxMappings {
		a.Mappings = append(a.Mappings, newMapping(e, f))
	}
	if e.Buffer == 0 { // the address is not recorded
		return
	}
	if e.Flags&trace.FlagWrite != 0 && e.Flags&trace.FlagShared == 0 || f.Size <= 0 {
		return // a private copy, which the process changes
	}
	k := session{f, mappedFD}
	s := a.reads[k]
	if s == nil { // most mappings are of libraries: not kept unless something is written from them
		s = &source{File: f, By: a.Process, fd: mappedFD, ID: e.File, Mapped: true, Flow: measure.Flow{Light: true}}
		a.reads[k] = s
	}
	at := max(e.Offset, 0)
	n := min(e.Requested, f.Size-at)
	if n <= 0 {
		return
	}
	s.Read.Add(measure.Extent{From: at, To: at + n})
	a.memory.put(loaded{e.Buffer, e.Buffer + uint64(n), s, s.session, at, e.End()})
}

// mappedAt is the mapping through which bytes that are stored at an address reach
// a file other than the one they are from.
func (a *process) mappedAt(address uint64, n int64, from *world.File) *mapping {
	for i := range a.Mappings {
		m := &a.Mappings[i]
		if m.Writable && m.address <= address && address+uint64(n) <= m.address+uint64(m.length) && m.File != from {
			return m
		}
	}
	return nil
}
