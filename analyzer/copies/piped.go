package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// maxHops is how many pipes a copy is followed through.
const maxHops = 8

// piped finds copies whose bytes went through pipes, by one process or several.
func (b *transfers) piped() []found {
	into := map[*world.File][]*link{} // links into each stream
	for _, s := range b.sinks {
		for _, l := range s.links {
			if s.file.Stream() && b.holds(l) {
				into[s.file] = append(into[s.file], l)
			}
		}
	}
	var list []found
	for _, s := range b.sinks {
		if !s.file.Data() || !b.pure(s) {
			continue
		}
		for _, l := range s.links {
			if l.source.file.Stream() && b.holds(l) {
				list = append(list, b.follow(l, into)...)
			}
		}
	}
	return list
}

// follow traces what came out of a stream back to files; nothing unless all of
// it can be traced. What was in a stream before the recording is forgiven.
func (b *transfers) follow(l *link, into map[*world.File][]*link) []found {
	t := trail{into: into, peers: b.peers}
	var list []found
	sum := int64(0)
	for _, e := range l.taken.List {
		for _, o := range t.back(l.source.file, e, maxHops) {
			sum += o.bytes
			o.dest, o.into, o.out, o.sink = l.sink.file, l.sink.id, l.out, l.sink
			o.destAt += l.delta
			o.pass(l)
			o.weigh(b)
			o.interrupted = l.sink.interrupted() && o.sourceAt+o.bytes < o.source.Size
			list = append(list, o)
		}
	}
	if sum != l.bytes {
		return nil
	}
	return joinParts(list)
}

// trail leads from a stream back to files.
type trail struct {
	into  map[*world.File][]*link
	peers map[*world.File]*world.File // the other ends of sockets
}

// back finds the files that a stretch of a stream came from. In what it
// returns, destAt is the place in the stream.
func (t *trail) back(stream *world.File, e measure.Extent, hops int) []found {
	if hops == 0 {
		return nil
	}
	links := t.into[stream]
	if peer := t.peers[stream]; peer != nil && len(links) == 0 {
		links = t.into[peer]
	}
	var list []found
	for _, l := range links {
		part := l.taken.Common(measure.Extent{From: e.From - l.delta, To: e.To - l.delta})
		for _, p := range part.List {
			var origins []found
			if l.source.file.Stream() {
				origins = t.back(l.source.file, p, hops-1)
			} else {
				origins = []found{{
					between: []*world.Process{l.source.by.process}, parts: measure.Ranges{List: []measure.Extent{p}, Bytes: p.Bytes()}, source: l.source.file, id: l.source.id, in: l.in, src: l.source, sourceAt: p.From, destAt: p.From, bytes: p.Bytes(),
					evidence: "flow", because: "every byte came through a " + stream.Kind.String() + ", in order, and was read from the file before",
				}}
			}
			for _, o := range origins {
				o.destAt += l.delta
				o.via = stream.Kind.String()
				o.pass(l)
				list = append(list, o)
			}
		}
	}
	return list
}

// pass enters a link that the bytes went through.
func (f *found) pass(l *link) {
	f.calls.merge(l.calls)
	if !l.explicit {
		f.calls.merge(l.source.calls)
	}
	if !l.explicit && !l.byMemory() {
		f.guessed = true
	}
	if !slices.Contains(f.between, l.sink.by.process) {
		f.between = append(slices.Clone(f.between), l.sink.by.process)
	}
}

// weigh says how sure it is that what came out of a stream was what went in.
func (f *found) weigh(b *transfers) {
	switch {
	case !f.guessed:
		f.certainty = traced
	case b.addressed && !f.sameName():
		f.certainty = sameSize
	default:
		f.certainty = likely
	}
}

// joinParts joins stretches of the same pair of files at the same distance that
// the same processes moved.
func joinParts(list []found) []found {
	var out []found
	last := map[[2]*world.File]int{}
	for _, f := range list {
		k := [2]*world.File{f.source, f.dest}
		i, seen := last[k]
		if !seen || !out[i].continues(&f) {
			last[k] = len(out)
			out = append(out, f)
			continue
		}
		o := &out[i]
		o.parts.All(&f.parts, 0)
		o.bytes += f.bytes
		o.sourceAt, o.destAt = min(o.sourceAt, f.sourceAt), min(o.destAt, f.destAt)
		o.in, o.out = o.in.Join(f.in), o.out.Join(f.out)
		if o.src != f.src || o.sink != f.sink {
			o.calls.merge(f.calls)
			o.pace = nil
		}
	}
	return out
}

// continues reports whether another stretch belongs to the same copy.
func (f *found) continues(o *found) bool {
	return f.destAt-f.sourceAt == o.destAt-o.sourceAt && f.via == o.via && slices.Equal(f.between, o.between) && !f.parts.Overlaps(&o.parts)
}
