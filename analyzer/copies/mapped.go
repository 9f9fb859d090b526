package copies

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// mapped finds copies in which the destination or both files were mapped, or
// the source where addresses are not recorded. The bytes that go through a
// mapping are not seen; the sizes have to agree, to the byte, with a whole
// file, and there must be one candidate only.
func mapped(t *transfers, c contents, taken map[*world.File]bool) []judgedCopy {
	var list []judgedCopy
	for _, s := range t.Sinks {
		if taken[s.File] {
			continue
		}
		if f, ok := fromMapping(t.Processes[s.By], s); ok {
			list = append(list, f)
			taken[f.Dest] = true
		}
	}
	for _, a := range t.Mappers {
		for i := range a.Mappings {
			m := &a.Mappings[i]
			if !m.Writable || !m.Covers() || taken[m.File] || !m.File.Created || !onlySized(a.Written[m.File]) {
				continue
			}
			if f, ok := intoMapping(a, m, c); ok {
				list = append(list, f)
				taken[m.File] = true
			}
		}
	}
	return list
}

// onlySized reports whether calls wrote no data to a file, but its last byte to give it a size, and a header before the
// data, as NumPy does.
func onlySized(s *sink) bool {
	if s == nil {
		return true
	}
	n := s.Written.Bytes
	if s.Written.First() == 0 && len(s.Written.List) > 0 {
		n -= min(s.Written.List[0].Bytes(), small)
	}
	return n <= 1 && s.Written.End() == s.File.Size
}

// fromMapping finds the mapped file that a process wrote out whole.
func fromMapping(a *process, s *sink) (judgedCopy, bool) {
	n := s.Written.Bytes
	if !s.File.Data() || !s.Written.Whole(n) || s.Again > 0 || n < s.File.Size || len(s.Links) > 0 {
		return judgedCopy{}, false
	}
	var from *mapping
	for i := range a.Mappings {
		m := &a.Mappings[i]
		if m.File == s.File || from != nil && m.File == from.File || m.File.Size != n || !m.Covers() ||
			m.Time > s.Flow.First {
			continue
		}
		if from != nil && alike(from.File.Path, s.File.Path) == alike(m.File.Path, s.File.Path) {
			return judgedCopy{}, false // two candidates
		}
		if from == nil || alike(m.File.Path, s.File.Path) {
			from = m
		}
	}
	if from == nil || !chosen(a, from.File, s.File, n) {
		return judgedCopy{}, false
	}
	return judgedCopy{
		Source: from.File, Dest: s.File, ID: from.ID, Into: s.ID, Bytes: n, Out: &s.Flow, Calls: s.Calls, Writer: s,
		Between: []*world.Process{s.By}, Method: profile.ByMapping, Evidence: "mapped", Certainty: SameSize,
		Because: "a whole file of this size was mapped, and exactly as many bytes were written, from the beginning " +
			"to the end",
	}, true
}

// intoMapping finds the file whose bytes a process stored into a mapped one. Those that hold something else are none,
// and one that the process could have changed is one only if it holds the same.
func intoMapping(a *process, into *mapping, c contents) (judgedCopy, bool) {
	n := into.File.Size
	f := judgedCopy{
		Dest: into.File, Into: into.ID, Bytes: n, Between: []*world.Process{a.Process},
		Method: profile.ByMapping, Evidence: "mapped", Certainty: SameSize,
	}
	var from *world.File
	candidates := 0
	for _, s := range a.Sources {
		same, known := c.same(s.File, into.File)
		if s.File.Data() && s.File != into.File && s.Read.Whole(n) && s.File.Size == n && s.Consumed.Bytes == 0 &&
			!s.Mapped && (same || !known) {
			from, f.Source, f.ID, f.In, f.Reader = s.File, s.File, s.ID, s.Detail, s
			f.Because = "a whole file of this size was read, and a new file of the same size was mapped for writing"
			candidates++
		}
	}
	for i := range a.Mappings {
		m := &a.Mappings[i]
		same, known := c.same(m.File, into.File)
		if m.File == into.File || m.File == from || m.File.Size != n || !m.Covers() || !same && (known || m.Writable) {
			continue
		}
		from, f.Source, f.ID, f.In, f.Reader = m.File, m.File, m.ID, nil, nil
		f.At, f.Until = min(m.Time, into.Time), a.Process.EndNS
		f.Because = "a whole file of this size was mapped, and a new file of the same size was mapped for writing"
		candidates++
	}
	if f.In == nil && f.Source != nil && f.Until < f.At {
		f.Until = into.Time
	}
	if candidates != 1 {
		return f, false
	}
	same, _ := c.same(f.Source, f.Dest)
	return f, same || chosen(a, f.Source, f.Dest, n)
}

// chosen reports whether equal sizes are no coincidence: the files are large,
// or have like names and the source is not the process's own.
func chosen(a *process, source, dest *world.File, n int64) bool {
	return n >= own || alike(source.Path, dest.Path) && !a.Wrote(source)
}
