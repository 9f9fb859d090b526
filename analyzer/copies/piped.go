package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
)

// maxHops is how many pipes a copy is followed through.
const maxHops = 8

// trail leads from a stream back to files.
type trail struct {
	into  map[*world.File][]*link
	peers peers
}

// piped finds copies whose bytes went through pipes, by one process or several.
func piped(j *judge, peers peers) []judgedCopy {
	into := map[*world.File][]*link{} // links into each stream
	for _, s := range j.Sinks {
		for _, l := range s.Links {
			if s.File.Stream() && j.holds(l) {
				into[s.File] = append(into[s.File], l)
			}
		}
	}
	t := trail{into, peers}
	var list []judgedCopy
	for _, s := range j.Sinks {
		if !s.File.Data() || !j.pure(s) {
			continue
		}
		for _, l := range s.Links {
			if l.Source.File.Stream() && j.holds(l) {
				list = append(list, t.follow(l, j.Addressed)...)
			}
		}
	}
	return list
}

// follow traces what came out of a stream back to files; nothing unless all of
// it can be traced. What was in a stream before the recording is forgiven.
func (t *trail) follow(l *link, addressed bool) []judgedCopy {
	var list []judgedCopy
	sum := int64(0)
	for _, e := range l.Taken.List {
		for _, o := range t.back(l.Source.File, e, maxHops) {
			sum += o.Bytes
			o.Dest, o.Into, o.Out, o.Writer = l.Sink.File, l.Sink.ID, l.Out, l.Sink
			o.DestAt += l.Delta
			o.pass(l)
			o.Certainty = weigh(&o, addressed)
			o.Interrupted = l.Sink.Interrupted() && o.SourceAt+o.Bytes < o.Source.Size
			list = append(list, o)
		}
	}
	if sum != l.Bytes {
		return nil
	}
	return joinParts(list)
}

// back finds the files that a stretch of a stream came from. In what it
// returns, DestAt is the place in the stream.
func (t *trail) back(stream *world.File, e measure.Extent, hops int) []judgedCopy {
	if hops == 0 {
		return nil
	}
	links := t.into[stream]
	if peer := t.peers[stream]; peer != nil && len(links) == 0 {
		links = t.into[peer]
	}
	var list []judgedCopy
	for _, l := range links {
		part := l.Taken.Common(measure.Extent{From: e.From - l.Delta, To: e.To - l.Delta})
		for _, p := range part.List {
			var origins []judgedCopy
			if l.Source.File.Stream() {
				origins = t.back(l.Source.File, p, hops-1)
			} else {
				origins = []judgedCopy{entering(l, p, stream.Kind.String())}
			}
			for _, o := range origins {
				o.DestAt += l.Delta
				o.Via = stream.Kind.String()
				o.pass(l)
				list = append(list, o)
			}
		}
	}
	return list
}

// entering is a stretch of a file that went into a stream.
func entering(l *link, p measure.Extent, stream string) judgedCopy {
	return judgedCopy{
		Source: l.Source.File, ID: l.Source.ID, SourceAt: p.From, DestAt: p.From, Bytes: p.Bytes(),
		Parts: measure.Ranges{List: []measure.Extent{p}, Bytes: p.Bytes()},
		In:    l.In, Reader: l.Source, Between: []*world.Process{l.Source.By}, Evidence: "flow",
		Because: "every byte came through a " + stream + ", in order, and was read from the file before",
	}
}

// weigh says how sure it is that what came out of a stream was what went in.
func weigh(f *judgedCopy, addressed bool) string {
	switch {
	case !f.guessed:
		return Traced
	case addressed && !f.sameName():
		return SameSize
	}
	return Likely
}
