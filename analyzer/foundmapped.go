package analyzer

import (
	"github.com/iotrace/iotrace/trace"
)

// mapping is a file that a process mapped into its memory.
type mapping struct {
	file     *file
	at       int64 // time of the call
	length   int64
	writable bool // shared and writable: stores reach the file
	readable bool
}

// maxMappings bounds the mappings kept per process.
const maxMappings = 512

// mapped notes a mapping.
func (t *transfers) mapped(e *trace.Syscall, f *file) {
	if e.Result < 0 || f == nil || !f.data() || e.Flags&trace.FlagExec != 0 {
		return
	}
	m := mapping{
		file: f, at: e.Start, length: max(e.Offset, 0) + e.Requested, readable: true,
		writable: e.Flags&trace.FlagShared != 0 && e.Flags&trace.FlagWrite != 0,
	}
	for i := range t.mappings {
		o := &t.mappings[i]
		if o.file == f && o.writable == m.writable {
			o.length = max(o.length, m.length)
			return
		}
	}
	if len(t.mappings) < maxMappings {
		t.mappings = append(t.mappings, m)
	}
}

// maps reports whether the process has mapped a file for writing.
func (t *transfers) maps(f *file) bool {
	for i := range t.mappings {
		if m := &t.mappings[i]; m.file == f && m.writable {
			return true
		}
	}
	return false
}

// covers reports whether all of the file was mapped: mappings end at pages.
func (m *mapping) covers() bool { return m.file.size > 0 && m.length >= m.file.size }

// mapped finds copies in which the source, the destination or both were mapped.
// The bytes that go through a mapping are not seen; the sizes have to agree, to
// the byte, with a whole file, and there must be one candidate only.
func (b *books) mapped(taken map[*file]bool) []found {
	var list []found
	for _, s := range b.sinks {
		if f, ok := s.fromMapping(taken); ok {
			list = append(list, f)
			taken[f.dest] = true
		}
	}
	seen := map[*process]bool{}
	for _, p := range b.mappers {
		if seen[p] {
			continue
		}
		seen[p] = true
		for i := range p.flows.mappings {
			m := &p.flows.mappings[i]
			if !m.writable || !m.covers() || taken[m.file] || p.flows.sinks[m.file] != nil || !m.file.created {
				continue
			}
			if f, ok := p.intoMapping(m); ok {
				list = append(list, f)
				taken[m.file] = true
			}
		}
	}
	return list
}

// fromMapping finds the mapped file that a process wrote out whole.
func (s *sink) fromMapping(taken map[*file]bool) (found, bool) {
	n := s.written.Bytes
	if taken[s.file] || !s.file.data() || !s.written.Whole(n) || s.again > 0 || n < s.file.size || len(s.links) > 0 {
		return found{}, false
	}
	var from *mapping
	for i := range s.process.flows.mappings {
		m := &s.process.flows.mappings[i]
		if m.file == s.file || m.file.size != n || !m.covers() || m.at > s.flow.First {
			continue
		}
		if from != nil && alike(from.file.path, s.file.path) == alike(m.file.path, s.file.path) {
			return found{}, false // two candidates
		}
		if from == nil || alike(m.file.path, s.file.path) {
			from = m
		}
	}
	if from == nil || !chosen(s.process, from.file, s.file, n) {
		return found{}, false
	}
	return found{
		source: from.file, dest: s.file, bytes: n, out: s, between: []*process{s.process}, method: "mmap", evidence: "mapped",
		because: "a whole file of this size was mapped, and exactly as many bytes were written, from the beginning to the end",
	}, true
}

// intoMapping finds the file whose bytes a process stored into a mapped one.
func (p *process) intoMapping(into *mapping) (found, bool) {
	n := into.file.size
	f := found{dest: into.file, bytes: n, between: []*process{p}, method: "mmap", evidence: "mapped"}
	candidates := 0
	for _, s := range p.flows.sources {
		if s.file.data() && s.file != into.file && s.read.Whole(n) && s.file.size == n && s.consumed.Bytes == 0 {
			f.source, f.in = s.file, s
			f.because = "a whole file of this size was read, and a new file of the same size was mapped for writing"
			candidates++
		}
	}
	for i := range p.flows.mappings {
		m := &p.flows.mappings[i]
		if !m.writable && m.file != into.file && m.file.size == n && m.covers() {
			f.source, f.in = m.file, nil
			f.at, f.until = min(m.at, into.at), p.EndNS
			f.because = "a whole file of this size was mapped, and a new file of the same size was mapped for writing"
			candidates++
		}
	}
	if f.in == nil && f.source != nil && f.until < f.at {
		f.until = into.at
	}
	return f, candidates == 1 && chosen(p, f.source, f.dest, n)
}

// chosen reports whether equal sizes are no coincidence: the files are large,
// or have like names and the source is not the process's own.
func chosen(p *process, source, dest *file, n int64) bool {
	return n >= own || alike(source.path, dest.path) && !p.wrote(source)
}

// empty is a file that was made while an empty one was open.
type empty struct {
	source, dest *file
	process      *process
	at           int64
}

// empty finds copies of files without bytes: the new file is empty too and has
// the same name, or making it is all that the process did.
func (b *books) empty(taken map[*file]bool) []found {
	var list []found
	for _, e := range b.empties {
		if taken[e.dest] || e.dest.size > 0 || e.source.size > 0 || e.process.flows.sinks[e.dest] != nil || !alike(e.source.path, e.dest.path) {
			continue
		}
		taken[e.dest] = true
		list = append(list, found{
			source: e.source, dest: e.dest, between: []*process{e.process}, method: "read_write", evidence: "flow", at: e.at, until: e.at,
			because: "an empty file was open while an empty file of the like name was made",
		})
	}
	return list
}

// unsized finds the clones of files whose size was not seen.
func (b *books) unsized(taken map[*file]bool) []found {
	var list []found
	for _, x := range b.clones {
		if taken[x.dest] || !x.source.data() || !x.dest.data() {
			continue
		}
		list = append(list, found{
			source: x.source, dest: x.dest, between: []*process{x.process}, method: "reflink", unsized: true, evidence: "call",
			at: x.at, until: x.until, because: "one call named both files; the size of the source was not seen",
		})
	}
	return list
}

// named finds files that got another name instead of a copy, or a further one.
// Renaming what the workload itself has just written is no copy.
func named(t *identities) []found {
	var list []found
	for _, r := range t.renames {
		if r.fresh || !r.file.data() && r.file.kind != trace.FileDirectory {
			continue
		}
		f := found{
			source: r.file, dest: r.file, from: r.from, to: r.to, bytes: max(r.file.size, 0), evidence: "call",
			method: "rename", at: r.call.Start, until: r.call.End(), because: "the file got another name; no data moved",
			pid: r.call.PID,
		}
		if r.call.Op == trace.OpLink {
			f.method, f.because = "hardlink", "the file got a further name; no data moved"
		}
		if r.file.kind == trace.FileDirectory {
			f.bytes = 0
		}
		list = append(list, f)
	}
	return list
}
