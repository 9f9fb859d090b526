package evidence

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// assembled finds files that came in pieces through streams: by several connections at once, or by one after the other
// where the first was cut off. No session has all of the file at either end, and pieces may come in any order, among
// other bytes. All sessions together read the whole of one file and wrote the whole of another, the streams between
// them carried as much, and both hold the same.
func assembled(t *transfers.Transfers, peers peers, c contents, taken map[*world.File]bool) []Copy {
	direct := routes(t.Streams, peers)
	if len(direct) == 0 {
		return nil
	}
	read := readers(t.Sources, c)
	var list []Copy
	for dest, sinks := range t.Written {
		held, known := c[dest]
		if !known || taken[dest] || dest.Size < small || !dest.Data() {
			continue
		}
		for _, sources := range read[sampleOf(held)] {
			if source := sources[0].File; source == dest || source.HadName(dest.Path) {
				continue
			}
			if f := assemble(direct, sources, sinks); f != nil {
				list = append(list, *f)
				break
			}
		}
	}
	slices.SortFunc(list, func(a, b Copy) int { return cmp.Compare(a.Dest.Number, b.Dest.Number) })
	return list
}

// sample is what files have in common that hold the same, as far as samples tell.
type sample struct {
	size, read int64
	seed, sum  uint64
}

func sampleOf(x trace.Content) sample { return sample{x.Size, x.Read, x.Seed, x.Sum} }

// readers are the sessions that read files, file by file, by what these hold.
func readers(all []*transfers.Source, c contents) map[sample][][]*transfers.Source {
	of := map[*world.File][]*transfers.Source{}
	for _, s := range all {
		if _, known := c[s.File]; known && !s.Mapped {
			of[s.File] = append(of[s.File], s)
		}
	}
	files := slices.SortedFunc(maps.Keys(of), func(a, b *world.File) int { return cmp.Compare(a.Number, b.Number) })
	by := map[sample][][]*transfers.Source{}
	for _, f := range files {
		by[sampleOf(c[f])] = append(by[sampleOf(c[f])], of[f])
	}
	return by
}

// assemble is the copy that sessions of two files with equal contents make; nil if something is missing.
func assemble(direct []route, sources []*transfers.Source, sinks []*transfers.Sink) *Copy {
	source, dest := sources[0], sinks[0]
	f := &Copy{
		Source: source.File, Dest: dest.File, ID: source.ID, Into: dest.ID, Reader: source, Writer: dest,
		Evidence: "content", Because: "the whole file was read at one end of streams, in pieces, the whole of another " +
			"was written at the other, the streams carried as many bytes, and both hold the same",
	}
	var carried int64
	var wrote measure.Ranges
	readers, writers := map[*world.Process]bool{}, map[*world.Process]bool{}
	for i := range direct {
		r := &direct[i]
		in := slices.DeleteFunc(slices.Clone(sources), func(s *transfers.Source) bool { return s.By != r.from.Process })
		out := slices.DeleteFunc(slices.Clone(sinks), func(s *transfers.Sink) bool { return s.By != r.to.Process })
		if len(in) == 0 || len(out) == 0 {
			continue
		}
		carried += r.bytes
		f.Via = r.kind
		if !readers[r.from.Process] {
			f.reads(in)
		}
		if !writers[r.to.Process] {
			f.writes(out, &wrote)
		}
		readers[r.from.Process], writers[r.to.Process] = true, true
	}
	n := dest.File.Size
	if carried < n || !f.Parts.Whole(n) || len(wrote.List) != 1 || wrote.First() != 0 || wrote.End() < n {
		return nil
	}
	f.Bytes = n
	return f
}

// reads enters what a process read.
func (f *Copy) reads(list []*transfers.Source) {
	f.through(list[0].By)
	for _, s := range list {
		f.Parts.All(&s.Read, 0)
		f.In = f.In.Join(s.Detail)
	}
}

// writes enters what a process wrote.
func (f *Copy) writes(list []*transfers.Sink, wrote *measure.Ranges) {
	f.through(list[0].By)
	for _, s := range list {
		wrote.All(&s.Written, 0)
		f.Out = f.Out.Join(&s.Flow)
		f.Calls.Merge(s.Calls)
	}
}

// through enters a process that the bytes went through.
func (f *Copy) through(p *world.Process) {
	if !slices.Contains(f.Between, p) {
		f.Between = append(f.Between, p)
	}
}
