package copies

import (
	"cmp"
	"path"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// framed finds copies that went through a pipe or a socket among other bytes, or
// several one after the other: tar to tar, rsync. The stream cannot be followed byte by byte; instead whole
// files went in at one side, whole files of the same names and sizes came out
// at the other, in the same order, and the stream carried at least as many
// bytes. A file may get another name if nothing else of its size went the same
// way. Of a stream that carried fewer (packed, only differences) equal contents have to tell.
func framed(t *transfers, streams []route, c contents, files *world.Files, taken map[*world.File]bool) []judgedCopy {
	var list []judgedCopy
	made := map[*process][]made{}
	for _, n := range t.Made {
		made[n.By] = append(made[n.By], n)
	}
	claimed := map[*sink]bool{}
	for _, r := range streams {
		some := c.check(match(&r, taken, claimed, c))
		list = append(list, some...)
		list = append(list, emptyAmong(some, &r, made[r.to], files, taken)...)
		for i := range some {
			claimed[some[i].Writer] = claimed[some[i].Writer] || some[i].Certainty != SameSize || some[i].Checked
		}
	}
	return slices.DeleteFunc(list, func(f judgedCopy) bool { // another route says more of that file
		return f.Certainty == SameSize && !f.Checked && claimed[f.Writer]
	})
}

// match pairs the files of both sides of a route: of each a stretch at the same
// place, the whole file or its end.
func match(r *route, taken map[*world.File]bool, claimed map[*sink]bool, c contents) []judgedCopy {
	sources, sinks := sent(r.from), received(r, taken, claimed, c)
	var list []judgedCopy
	need, last := int64(0), int64(-1)
	for _, out := range sinks {
		p := originOf(r, sources, sinks, out, c)
		in := p.source
		if in == nil || in.Flow.First > out.Flow.First || in.Flow.Last > out.Flow.Last && !p.cutOff || in.Flow.First < last {
			continue
		}
		last = in.Flow.First
		need += out.Written.Bytes
		list = append(list, judgedCopy{
			Source: in.File, Dest: out.File, ID: in.ID, Into: out.ID, SourceAt: p.part.From, DestAt: p.part.From,
			Bytes: out.Written.Bytes, Holes: p.part.Bytes() - out.Written.Bytes,
			In: in.Detail, Reader: in, Out: writesOf(out), Writer: out, Calls: out.Calls,
			Between: r.processes(), Via: r.kind, Evidence: "framed", Because: p.because, Certainty: p.certainty,
			Interrupted: p.cutOff,
		})
	}
	if need < small && len(list)*2 <= len(sinks) { // few bytes among other things: chance
		return nil
	}
	if need > r.bytes { // packed, or only differences
		list = slices.DeleteFunc(list, func(f judgedCopy) bool {
			same, known := c.same(f.Source, f.Dest)
			return !same || !known
		})
		for i := range list {
			list[i].Evidence = "content"
		}
	}
	return list
}

// sentPart is a stretch of a file of a name.
type sentPart struct {
	name string
	part measure.Extent
}

// sent is what a process read that can have gone into a stream: a whole file, or
// its end.
func sent(from *process) map[sentPart][]*source {
	sources := map[sentPart][]*source{}
	for _, s := range from.Sources {
		if e, ok := s.Read.Rest(s.File.Size); ok && s.File.Data() && len(s.Read.List) == 1 {
			k := sentPart{path.Base(s.File.Path), e}
			sources[k] = append(sources[k], s)
		}
	}
	return sources
}

// received is what the process at the end of a route wrote that can have come out
// of the stream, in the order in which it began. What another route explains is left out.
func received(r *route, taken map[*world.File]bool, claimed map[*sink]bool, c contents) []*sink {
	var sinks []*sink
	for _, s := range r.to.Written {
		_, ok := stretch(s)
		if claimed[s] || taken[s.File] || !s.File.Data() || s.Again > 0 || readBase(r.to, s.File) {
			continue
		}
		if ok || held(r, c, s) != nil {
			sinks = append(sinks, s)
		}
	}
	slices.SortFunc(sinks, func(a, b *sink) int {
		return cmp.Or(cmp.Compare(a.Flow.First, b.Flow.First), cmp.Compare(a.File.Path, b.File.Path))
	})
	return sinks
}

// origin is the source of what came out of a stream.
type origin struct {
	source             *source // nil if there is none
	part               measure.Extent
	because, certainty string
	cutOff             bool // the copying ended before its end
}

// originOf finds where what one process wrote was read by the other.
func originOf(r *route, sources map[sentPart][]*source, sinks []*sink, out *sink, c contents) origin {
	e, _ := stretch(out)
	if in := closest(sources[sentPart{path.Base(out.File.Path), e}], out); in != nil {
		return origin{source: in, part: e, certainty: Likely,
			because: "a file of this name and size was read at one end of the stream and written at the other, " +
				"in the same order, and the stream carried at least as many bytes"}
	}
	if in := held(r, c, out); in != nil {
		return origin{source: in, part: measure.Extent{From: out.Written.First(), To: out.Written.End()}, certainty: Likely,
			because: "one end of the stream read what the other wrote, both files hold the same, " +
				"and the stream carried at least as many bytes"}
	}
	if in := begun(r, sinks, out); in != nil {
		return origin{source: in, part: e, certainty: Likely, cutOff: true,
			because: "both ends of the stream were broken off: the one had read the beginning of this file last, " +
				"the other had written no more than that of the new one"}
	}
	return origin{source: sole(r.from, sinks, out, e), part: e, certainty: SameSize,
		because: "the only file of this size that was read at one end of the stream, " +
			"the only one that was written at the other, and the stream carried at least as many bytes"}
}

// begun is what the sender was reading when both ends were broken off, and the receiver wrote the last of its files:
// the beginning of a file of the same name, or of the only one. rsync --partial keeps what it has if it is told to end.
func begun(r *route, sinks []*sink, out *sink) *source {
	from, to := r.from.Process, r.to.Process
	failed := from.Failed() && to.Failed() || from.Failed() && to.BrokenOff() || from.BrokenOff() && to.Failed()
	if !failed || out != sinks[len(sinks)-1] || out.Written.First() != 0 {
		return nil
	}
	var last *source
	for _, s := range r.from.Sources {
		if s.File.Data() && len(s.Read.List) == 1 && s.Read.First() == 0 && s.Read.End() >= out.Written.End() &&
			s.Read.End() < s.File.Size && (last == nil || s.Flow.Last > last.Flow.Last) {
			last = s
		}
	}
	if last != nil && len(sinks) > 1 && path.Base(last.File.Path) != path.Base(out.File.Path) {
		return nil
	}
	return last
}

// held is what the sender read of a file that holds the same as the one that was
// written, if it read all that was. Only a new file has holes between what was.
func held(r *route, c contents, out *sink) *source {
	if _, known := c[out.File]; !known || len(out.Written.List) == 0 || len(out.Written.List) > 1 && !out.File.Created {
		return nil
	}
	for _, s := range r.from.Sources {
		unread := func(e measure.Extent) bool { return !s.Read.Has(e) }
		if same, known := c.same(s.File, out.File); same && known && !slices.ContainsFunc(out.Written.List, unread) {
			return s
		}
	}
	return nil
}

// stretch is what a sink stands for: with holes, if the file is new.
func stretch(s *sink) (measure.Extent, bool) {
	e, ok := s.Written.Rest(s.File.Size)
	if s.File.Created {
		e.From = 0
	}
	return e, ok && (s.File.Created || len(s.Written.List) == 1)
}

// sole is the source of a file that got another name on the way: one that is
// not small and has a size of its own at both ends.
func sole(from *process, sinks []*sink, out *sink, e measure.Extent) *source {
	if e.Bytes() < small || slices.ContainsFunc(sinks, func(s *sink) bool {
		return s != out && s.File.Size == out.File.Size
	}) {
		return nil
	}
	var found *source
	for _, s := range from.Sources {
		x, ok := s.Read.Rest(s.File.Size)
		if ok && s.File.Data() && len(s.Read.List) == 1 && s.File != out.File && x == e {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// readBase reports whether the process read an older file of the same name: a
// base for differences.
func readBase(a *process, f *world.File) bool {
	return slices.ContainsFunc(a.Sources, func(s *source) bool {
		return s.File != f && s.File.Data() && s.Read.Bytes > 0 && s.File.HadName(f.Path)
	})
}
