package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"slices"
)

// maxHops is how many pipes a copy is followed through.
const maxHops = 8

// piped finds copies whose bytes went through pipes, by one process or several.
func (b *books) piped() []found {
	into := map[*file][]*link{} // links into each stream
	for _, s := range b.sinks {
		for _, l := range s.links {
			if s.file.stream() && l.holds() {
				into[s.file] = append(into[s.file], l)
			}
		}
	}
	var list []found
	for _, s := range b.sinks {
		if !s.file.data() || !s.pure() {
			continue
		}
		for _, l := range s.links {
			if l.source.file.stream() && l.holds() {
				list = append(list, follow(l, into)...)
			}
		}
	}
	return list
}

// follow traces what came out of a stream back to files; nothing unless all of
// it can be traced.
func follow(l *link, into map[*file][]*link) []found {
	var list []found
	traced := int64(0)
	for _, e := range l.taken.List {
		for _, o := range trail(l.source.file, e, into, maxHops) {
			traced += o.bytes
			o.dest, o.out = l.sink.file, l.sink
			o.destAt += l.delta
			o.calls.merge(l.sink.calls)
			o.calls.merge(l.source.calls)
			if !slices.Contains(o.between, l.sink.process) {
				o.between = append(o.between, l.sink.process)
			}
			list = append(list, o)
		}
	}
	if traced != l.bytes {
		return nil
	}
	return joinFound(list)
}

// trail finds the files that a stretch of a stream came from. In what it
// returns, destAt is the place in the stream.
func trail(stream *file, e measure.Extent, into map[*file][]*link, hops int) []found {
	if hops == 0 {
		return nil
	}
	var list []found
	for _, l := range into[stream] {
		part := l.taken.Common(measure.Extent{From: e.From - l.delta, To: e.To - l.delta})
		for _, p := range part.List {
			var origins []found
			if l.source.file.stream() {
				origins = trail(l.source.file, p, into, hops-1)
			} else {
				origins = []found{{
					source: l.source.file, in: l.source, sourceAt: p.From, destAt: p.From, bytes: p.Bytes(),
					evidence: "flow", because: "every byte came through a pipe, in order, and was read from the file before",
				}}
			}
			for _, o := range origins {
				o.destAt += l.delta
				o.calls.merge(l.sink.calls)
				o.calls.merge(l.source.calls)
				o.via = stream.kind.String()
				if !slices.Contains(o.between, l.sink.process) {
					o.between = append(o.between, l.sink.process)
				}
				list = append(list, o)
			}
		}
	}
	return list
}

// joinFound joins stretches of the same pair of files at the same distance.
func joinFound(list []found) []found {
	var out []found
	for _, f := range list {
		i := slices.IndexFunc(out, func(o found) bool {
			return o.source == f.source && o.in == f.in && o.destAt-o.sourceAt == f.destAt-f.sourceAt
		})
		if i < 0 {
			out = append(out, f)
			continue
		}
		o := &out[i]
		o.bytes += f.bytes
		o.sourceAt, o.destAt = min(o.sourceAt, f.sourceAt), min(o.destAt, f.destAt)
	}
	return out
}
