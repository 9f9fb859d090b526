package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// metadata enters a call that begins or ends a session, or sets a size.
func (b *transfers) metadata(e *trace.Syscall, f *world.File, p *world.Process) {
	a := b.by(p)
	switch e.Op {
	case trace.OpOpen:
		a.close(f, e.FD)
		a.opens(f)
		switch {
		case e.Flags&trace.FlagCreate != 0 && f.Data():
			b.make(a, f, e.Start)
		case e.Flags&trace.FlagWrite == 0 && f.Data() && f.Kind == trace.FileRegular && len(a.reading) < maxReading:
			a.reading = append(a.reading, f)
		}
	case trace.OpClose:
		a.close(f, e.FD)
		if i := slices.Index(a.reading, f); i >= 0 {
			a.reading = slices.Delete(a.reading, i, i+1)
		}
	case trace.OpTruncate:
		if e.Requested > 0 && a.written[f] == nil {
			b.sized(a, f, e.Start)
		}
	}
}

// opens notes that a process that ran before the recording opened a file since.
func (a *actor) opens(f *world.File) {
	if !a.process.Present || len(a.opened) >= maxSessions {
		return
	}
	if a.opened == nil {
		a.opened = map[*world.File]bool{}
	}
	a.opened[f] = true
}

// maxReading bounds the files that are open for reading.
const maxReading = 64

// close ends the sessions of a descriptor.
func (a *actor) close(f *world.File, fd int32) {
	k := session{f, fd}
	if s := a.sources[k]; s != nil {
		s.closed = true
		delete(a.sources, k)
	}
	if s := a.sinks[k]; s != nil {
		s.closed = true
		delete(a.sinks, k)
	}
}

// maker is a process that made a file.
type maker struct {
	actor *actor
	file  *world.File
	at    int64
}

// make notes that a process made a file, and which empty ones it had open.
func (b *transfers) make(a *actor, f *world.File, at int64) {
	if len(b.made) >= maxSessions {
		return
	}
	b.made = append(b.made, maker{a, f, at})
	for _, from := range a.reading {
		if from.Size == 0 && from != f {
			b.empties = append(b.empties, &empty{from, f, a, at})
		}
	}
}

// sized notes that a process gave a file without data the size of one that it
// had open: a copy if that is all that follows, since holes are not written.
func (b *transfers) sized(a *actor, f *world.File, at int64) {
	for _, from := range a.reading {
		if from != f && from.Size == f.Size && len(b.empties) < maxSessions {
			b.empties = append(b.empties, &empty{from, f, a, at})
		}
	}
}

// mmap enters a mapping: its memory holds the file.
func (b *transfers) mmap(e *trace.Syscall, f *world.File, p *world.Process) {
	a := b.by(p)
	if len(a.mappings) == 0 {
		b.mappers = append(b.mappers, a)
	}
	if e.Result < 0 || !f.Data() {
		return
	}
	a.mapped(e, f)
	if e.Buffer == 0 { // the address is not recorded
		return
	}
	if e.Flags&trace.FlagWrite != 0 && e.Flags&trace.FlagShared == 0 || f.Size <= 0 {
		return // a private copy, which the process changes
	}
	k := session{f, mappedFD}
	s := a.sources[k]
	if s == nil { // most mappings are of libraries: not kept unless something is written from them
		s = &source{file: f, by: a, fd: mappedFD, id: e.File, mapped: true, flow: measure.Flow{Light: true}}
		a.sources[k] = s
	}
	at := max(e.Offset, 0)
	n := min(e.Requested, f.Size-at)
	if n <= 0 {
		return
	}
	s.read.Add(measure.Extent{From: at, To: at + n})
	a.memory.put(held{e.Buffer, e.Buffer + uint64(n), s, s.session, at, e.End()})
}

// mappedFD stands for the mappings of a file.
const mappedFD = -2

// store enters bytes that were read into a mapping: they are those of the
// mapped file.
func (b *transfers) store(a *actor, src *source, at int64, x *world.Access) {
	for i := range a.mappings {
		m := &a.mappings[i]
		if !m.writable || x.Buffer < m.address || x.Buffer+uint64(x.Bytes) > m.address+uint64(m.length) || m.file == src.file {
			continue
		}
		if s := b.sinkOf(a, m.file, mappedFD, m.id); s != nil {
			if l := s.explicit(src, at, m.at+int64(x.Buffer-m.address), x); l != nil {
				l.mapped = true
			}
		}
		return
	}
}

// clone enters a call that shares data between two files.
func (b *transfers) clone(e *trace.Syscall, f, f2 *world.File, p *world.Process) {
	if f2 == nil {
		return
	}
	if e.Op == trace.OpClone && f.Unknown() {
		if len(b.clones) < maxSessions {
			b.clones = append(b.clones, unsized{f, f2, b.by(p), e.Start, max(e.Start, e.End())})
		}
		return
	}
	x := world.CallAccess(e, f, f2)
	x.At, x.At2, x.Bytes, x.Failed = 0, 0, f.Size, false
	if e.Op == trace.OpCloneRange {
		x.At, x.At2, x.Bytes = max(e.Offset, 0), max(e.Offset2, 0), e.Requested
		if x.Bytes == 0 { // to the end
			x.Bytes = f.Size - x.At
		}
	}
	b.access(&x, p)
}

// unsized is a clone of a file whose size was not seen: how many bytes the two
// share is not known.
type unsized struct {
	source, dest *world.File
	actor        *actor
	at, until    int64
}
