package copies

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// mapping is a file that a process mapped into its memory.
type mapping struct {
	file     *world.File
	id       trace.FileID
	address  uint64
	at       int64 // place in the file
	time     int64 // of the call
	length   int64
	writable bool // shared and writable: stores reach the file
}

// maxMappings bounds the mappings kept per process.
const maxMappings = 512

// mapped notes a mapping. Those of one file are kept as one where only sizes
// can speak for them.
func (a *actor) mapped(e *trace.Syscall, f *world.File) {
	if e.Flags&trace.FlagExec != 0 || len(a.mappings) >= maxMappings {
		return
	}
	a.mappings = append(a.mappings, mapping{
		file: f, id: e.File, address: e.Buffer, at: max(e.Offset, 0), time: e.Start, length: e.Requested,
		writable: e.Flags&trace.FlagShared != 0 && e.Flags&trace.FlagWrite != 0,
	})
}

// maps reports whether the process has mapped a file for writing.
func (a *actor) maps(f *world.File) bool {
	for i := range a.mappings {
		if m := &a.mappings[i]; m.file == f && m.writable {
			return true
		}
	}
	return false
}

// covers reports whether all of the file was mapped at once: mappings end at
// pages.
func (m *mapping) covers() bool { return m.file.Size > 0 && m.at == 0 && m.length >= m.file.Size }

// mapped finds copies in which the destination or both files were mapped, or
// the source where addresses are not recorded. The bytes that go through a
// mapping are not seen; the sizes have to agree, to the byte, with a whole
// file, and there must be one candidate only.
func (b *transfers) mapped(taken map[*world.File]bool) []found {
	var list []found
	for _, s := range b.sinks {
		if f, ok := b.fromMapping(s, taken); ok {
			list = append(list, f)
			taken[f.dest] = true
		}
	}
	for _, a := range b.mappers {
		for i := range a.mappings {
			m := &a.mappings[i]
			if !m.writable || !m.covers() || taken[m.file] || a.written[m.file] != nil || !m.file.Created {
				continue
			}
			if f, ok := a.intoMapping(m); ok {
				list = append(list, f)
				taken[m.file] = true
			}
		}
	}
	return list
}

// fromMapping finds the mapped file that a process wrote out whole.
func (b *transfers) fromMapping(s *sink, taken map[*world.File]bool) (found, bool) {
	n := s.written.Bytes
	if taken[s.file] || !s.file.Data() || !s.written.Whole(n) || s.again > 0 || n < s.file.Size || len(s.links) > 0 {
		return found{}, false
	}
	var from *mapping
	for i := range s.by.mappings {
		m := &s.by.mappings[i]
		if m.file == s.file || from != nil && m.file == from.file || m.file.Size != n || !m.covers() || m.time > s.flow.First {
			continue
		}
		if from != nil && alike(from.file.Path, s.file.Path) == alike(m.file.Path, s.file.Path) {
			return found{}, false // two candidates
		}
		if from == nil || alike(m.file.Path, s.file.Path) {
			from = m
		}
	}
	if from == nil || !chosen(s.by, from.file, s.file, n) {
		return found{}, false
	}
	return found{
		source: from.file, dest: s.file, id: from.id, into: s.id, bytes: n, out: &s.flow, calls: s.calls, sink: s,
		between: []*world.Process{s.by.process}, method: "mmap", evidence: "mapped", certainty: sameSize,
		because: "a whole file of this size was mapped, and exactly as many bytes were written, from the beginning to the end",
	}, true
}

// intoMapping finds the file whose bytes a process stored into a mapped one.
func (a *actor) intoMapping(into *mapping) (found, bool) {
	n := into.file.Size
	f := found{dest: into.file, into: into.id, bytes: n, between: []*world.Process{a.process}, method: "mmap", evidence: "mapped", certainty: sameSize}
	var from *world.File
	candidates := 0
	for _, s := range a.all {
		if s.file.Data() && s.file != into.file && s.read.Whole(n) && s.file.Size == n && s.consumed.Bytes == 0 && !s.mapped {
			from, f.source, f.id, f.in, f.src = s.file, s.file, s.id, s.detail, s
			f.because = "a whole file of this size was read, and a new file of the same size was mapped for writing"
			candidates++
		}
	}
	for i := range a.mappings {
		m := &a.mappings[i]
		if m.writable || m.file == into.file || m.file == from || m.file.Size != n || !m.covers() {
			continue
		}
		from, f.source, f.id, f.in, f.src = m.file, m.file, m.id, nil, nil
		f.at, f.until = min(m.time, into.time), a.process.EndNS
		f.because = "a whole file of this size was mapped, and a new file of the same size was mapped for writing"
		candidates++
	}
	if f.in == nil && f.source != nil && f.until < f.at {
		f.until = into.time
	}
	return f, candidates == 1 && chosen(a, f.source, f.dest, n)
}

// chosen reports whether equal sizes are no coincidence: the files are large,
// or have like names and the source is not the process's own.
func chosen(a *actor, source, dest *world.File, n int64) bool {
	return n >= own || alike(source.Path, dest.Path) && !a.wrote(source)
}

// empty is a file that was made, or given a size, while another one without
// data, or of that size, was open.
type empty struct {
	source, dest *world.File
	actor        *actor
	at           int64
}

// empty finds copies of files without bytes, and of files that are one hole: the
// new file has the size and a name like that of the old one, and nothing was
// written to it.
func (b *transfers) empty(taken map[*world.File]bool) []found {
	var list []found
	for _, e := range b.empties {
		hole := max(e.source.Size, 0)
		if taken[e.dest] || max(e.dest.Size, 0) != hole || e.actor.written[e.dest] != nil || e.actor.maps(e.dest) {
			continue
		}
		if !alike(e.source.Path, e.dest.Path) && (hole == 0 || b.several(e)) {
			continue
		}
		taken[e.dest] = true
		f := found{
			source: e.source, dest: e.dest, between: []*world.Process{e.actor.process}, method: "read_write", evidence: "flow", at: e.at, until: e.at,
			because: "an empty file was open while an empty file of the like name was made", certainty: likely, holes: hole,
		}
		if hole > 0 {
			f.because = "the new file was given the size of a file that was open, and nothing was written to it: it is one hole"
			f.certainty = sameSize
		}
		list = append(list, f)
	}
	return list
}

// several reports whether another file that fits was open as well.
func (b *transfers) several(e *empty) bool {
	for _, o := range b.empties {
		if o != e && o.dest == e.dest && o.source != e.source {
			return true
		}
	}
	return false
}

// unsized finds the clones of files whose size was not seen.
func (b *transfers) unsized(taken map[*world.File]bool) []found {
	var list []found
	for _, x := range b.clones {
		if taken[x.dest] || !x.source.Data() || !x.dest.Data() {
			continue
		}
		list = append(list, found{
			source: x.source, dest: x.dest, between: []*world.Process{x.actor.process}, method: "reflink", unsized: true, evidence: "call",
			at: x.at, until: x.until, because: "one call named both files; the size of the source was not seen", certainty: certain,
		})
	}
	return list
}

// named finds files that got another name instead of a copy, or a further one.
// Renaming what the workload itself has just written is no copy.
func named(t *world.Files) []found {
	var list []found
	for _, r := range t.Renames {
		if r.Fresh || !r.File.Data() && r.File.Kind != trace.FileDirectory {
			continue
		}
		f := found{
			source: r.File, dest: r.File, from: r.From, to: r.To, bytes: max(r.File.Size, 0), evidence: "call",
			method: "rename", at: r.Call.Start, until: r.Call.End(), because: "the file got another name; no data moved",
			pid: r.Call.PID, certainty: certain,
		}
		if r.Call.Op == trace.OpLink {
			f.method, f.because = "hardlink", "the file got a further name; no data moved"
		}
		if r.File.Kind == trace.FileDirectory {
			f.bytes = 0
		}
		list = append(list, f)
	}
	return list
}
