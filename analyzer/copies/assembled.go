package copies

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// assembled finds files that came in pieces through streams: by several connections at once, or by one after the other
// where the first was cut off. No session has all of the file at either end, and pieces may come in any order, among
// other bytes. All sessions together read the whole of one file and wrote the whole of another, the streams between
// them carried as much, and both hold the same. Files that one program wrote and another one read are such streams too.
func assembled(t *transfers, streams []route, read func() readings, c contents,
	taken map[*world.File]bool) []judgedCopy {
	direct := slices.Concat(streams, stored(t))
	if len(direct) == 0 {
		return nil
	}
	var list []judgedCopy
	for dest, sinks := range t.Written {
		held, known := c[dest]
		if !known || taken[dest] || dest.Size < small || !dest.Data() {
			continue
		}
		for _, sources := range read()[sampleOf(held)] {
			if source := sources[0].File; source == dest || source.HadName(dest.Path) {
				continue
			}
			if f := assemble(direct, sources, sinks); f != nil {
				list = append(list, *f)
				break
			}
		}
	}
	sorting.Stably(list, func(a, b judgedCopy) int { return cmp.Compare(a.Dest.Number, b.Dest.Number) })
	return list
}

// sample is what files have in common that hold the same, as far as samples tell.
type sample struct {
	size, read int64
	seed, sum  uint64
}

func sampleOf(x trace.Content) sample { return sample{x.Size, x.Read, x.Seed, x.Sum} }

// readings are the sessions that read files, file by file, by what these hold.
type readings map[sample][][]*source

func readers(all []*source, c contents) readings {
	of := map[*world.File][]*source{}
	for _, s := range all {
		if _, known := c[s.File]; known && !s.Mapped {
			of[s.File] = append(of[s.File], s)
		}
	}
	files := slices.SortedFunc(maps.Keys(of), func(a, b *world.File) int { return cmp.Compare(a.Number, b.Number) })
	by := readings{}
	for _, f := range files {
		by[sampleOf(c[f])] = append(by[sampleOf(c[f])], of[f])
	}
	return by
}

// assemble is the copy that sessions of two files with equal contents make; nil if something is missing.
func assemble(direct []route, sources []*source, sinks []*sink) *judgedCopy {
	ends, n := carry(direct, sources, sinks), sinks[0].File.Size
	wrote := &ends.wrote
	if ends.carried < n || !ends.Parts.Whole(n) || len(wrote.List) != 1 || wrote.First() != 0 || wrote.End() < n {
		return nil
	}
	f := &ends.judgedCopy
	f.Bytes, f.Evidence = n, "content"
	f.Because = "the whole file was read at one end of streams, in pieces, the whole of another was written at the " +
		"other, the streams carried as many bytes, and both hold the same"
	if len(f.Through) > 0 {
		f.Because = "the whole file was read, as many bytes were written to files, from which another program read them " +
			"and wrote the whole of another file, and both hold the same"
	}
	return f
}

// carriage is what went from sessions that read one file to sessions that wrote another one.
type carriage struct {
	judgedCopy
	carried int64          // by all ways together
	wrote   measure.Ranges // at their ends
}

// carry adds up the ways from those who read a file to those who wrote another one.
func carry(direct []route, sources []*source, sinks []*sink) *carriage {
	reader, writer := sources[0], sinks[0]
	f := &carriage{judgedCopy: judgedCopy{
		Source: reader.File, Dest: writer.File, ID: reader.ID, Into: writer.ID, Reader: reader, Writer: writer,
	}}
	readers, writers := map[*world.Process]bool{}, map[*world.Process]bool{}
	for i := range direct {
		r := &direct[i]
		in := slices.DeleteFunc(slices.Clone(sources), func(s *source) bool { return s.By != r.from.Process })
		out := slices.DeleteFunc(slices.Clone(sinks), func(s *sink) bool { return s.By != r.to.Process })
		if len(in) == 0 || len(out) == 0 {
			continue
		}
		f.carried += r.bytes
		f.Via = cmp.Or(r.kind, f.Via)
		for _, x := range r.files {
			if !slices.Contains(f.Through, x) {
				f.Through = append(f.Through, x)
			}
		}
		if !readers[r.from.Process] {
			f.reads(in)
		}
		if !writers[r.to.Process] {
			f.writes(out, &f.wrote)
		}
		readers[r.from.Process], writers[r.to.Process] = true, true
	}
	return f
}

// reads enters what a process read.
func (f *judgedCopy) reads(list []*source) {
	f.through(list[0].By)
	for _, s := range list {
		f.Parts.All(&s.Read, 0)
		f.In = f.In.Join(s.Detail)
	}
}

// writes enters what a process wrote.
func (f *judgedCopy) writes(list []*sink, wrote *measure.Ranges) {
	f.through(list[0].By)
	for _, s := range list {
		wrote.All(&s.Written, 0)
		f.Out = f.Out.Join(&s.Flow)
		f.Calls.Merge(s.Calls)
	}
}

// through enters a process that the bytes went through.
func (f *judgedCopy) through(p *world.Process) {
	if !slices.Contains(f.Between, p) {
		f.Between = append(f.Between, p)
	}
}
