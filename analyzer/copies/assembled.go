package copies

import (
	"cmp"
	"maps"
	"path"
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
// Where no stream leads from the one to the other, it may lead through programs that pass on other bytes: ssh, stunnel.
func assembled(t *transfers, streams []route, read func() readings, c contents,
	taken map[*world.File]bool) []judgedCopy {
	ways := ways{slices.Concat(streams, stored(t)), networkOf(streams), t}
	if len(ways.direct) == 0 {
		return nil
	}
	var list []judgedCopy
	for dest, sinks := range t.Written {
		held, known := c[dest]
		if !known || taken[dest] || dest.Size < small || !dest.Data() {
			continue
		}
		for _, sources := range read()[sampleOf(held)] {
			if f := ways.assemble(sources, sinks); f != nil {
				list = append(list, *f)
				break
			}
		}
	}
	sorting.Stably(list, func(a, b judgedCopy) int { return cmp.Compare(a.Dest.Number, b.Dest.Number) })
	return list
}

// ways are those on which bytes may have come from one process to another.
type ways struct {
	direct  []route
	network network
	*transfers
}

// assemble is the copy that sessions of two files with equal contents make, over streams from the one process to the
// other or else over the programs between them; nil if something is missing. What these pass on may be packed, so there
// names can speak in place of amounts. Few bytes are the same for other reasons, as in the files of two repositories.
func (w *ways) assemble(sources []*source, sinks []*sink) *judgedCopy {
	source, dest := sources[0].File, sinks[0].File
	if source == dest || source.HadName(dest.Path) {
		return nil
	}
	if f := assemble(w.direct, sources, sinks, dest.Size); f != nil {
		return f
	}
	if slices.ContainsFunc(sinks, func(s *sink) bool { return readBase(w.Processes[s.By], dest) }) {
		return nil
	}
	least := dest.Size
	if path.Base(source.Path) == path.Base(dest.Path) {
		least = 1
	}
	return assemble(w.network.between(sources, sinks, w.Processes), sources, sinks, least)
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

// assemble is the copy that sessions of two files with equal contents make over some routes, which have to carry at
// least so many bytes; nil if something is missing.
func assemble(routes []route, sources []*source, sinks []*sink, least int64) *judgedCopy {
	ends, n := carry(routes, sources, sinks), sinks[0].File.Size
	wrote := &ends.wrote
	if ends.carried == 0 || ends.carried < least || !ends.Parts.Whole(n) || len(wrote.List) != 1 || wrote.First() != 0 ||
		wrote.End() < n || ends.In.First > ends.Out.First {
		return nil
	}
	f := &ends.judgedCopy
	f.Bytes, f.Evidence = n, "content"
	switch {
	case len(f.Through) > 0:
		f.Because = "the whole file was read, as many bytes were written to files, from which another program read them " +
			"and wrote the whole of another file, and both hold the same"
	case ends.relayed:
		f.Because = "the whole file was read at one end of streams, the whole of another was written at the other, " +
			"programs between them passed on what they got, and both hold the same"
	default:
		f.Because = "the whole file was read at one end of streams, in pieces, the whole of another was written at the " +
			"other, the streams carried as many bytes, and both hold the same"
	}
	return f
}

// carriage is what went from sessions that read one file to sessions that wrote another one.
type carriage struct {
	judgedCopy
	carried int64          // by all ways together
	relayed bool           // through other programs
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
		f.relayed = f.relayed || len(r.through) > 0
		f.Via = cmp.Or(r.kind, f.Via)
		for _, x := range r.files {
			if !slices.Contains(f.Through, x) {
				f.Through = append(f.Through, x)
			}
		}
		if !readers[r.from.Process] {
			f.reads(in)
		}
		for _, p := range r.through {
			f.through(p.Process)
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
