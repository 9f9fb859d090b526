package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/trace"
)

// books are all transfers of a trace.
type books struct {
	sources []*source
	sinks   []*sink
	empties []*empty
	mappers []*process
	made    []maker
	clones  []unsized
	streams map[*file]*channel
	full    bool // sessions were left out
}

func newBooks() *books { return &books{streams: map[*file]*channel{}} }

// channel is a pipe or a socket: bytes come out of it in the order in which
// they went in.
type channel struct {
	file         *file
	given, taken int64
	writers      map[*process]int64
	readers      map[*process]int64
}

func (b *books) channel(f *file) *channel {
	c := b.streams[f]
	if c == nil {
		c = &channel{file: f, writers: map[*process]int64{}, readers: map[*process]int64{}}
		b.streams[f] = c
	}
	return c
}

// access enters a call that moved data.
func (b *books) access(x *access, p *process) {
	if x.bytes <= 0 || x.failed {
		return
	}
	from, to := x.file, x.file2
	if x.op == trace.OpWrite {
		from, to = nil, x.file
	}
	var src *source
	at := x.at
	if from != nil && (from.data() || from.stream()) {
		if from.stream() {
			c := b.channel(from)
			at = c.taken
			if x.op != trace.OpTee {
				c.taken += x.bytes
				c.readers[p] += x.bytes
			}
		}
		if at >= 0 {
			if src = b.sourceOf(p, from); src == nil {
				return
			}
			src.add(at, x)
			p.flows.latest(src)
		}
	}
	if to == nil || !(to.data() || to.stream()) {
		return
	}
	into := x.at2
	if x.op == trace.OpWrite {
		into = x.at
	}
	if to.stream() {
		c := b.channel(to)
		into = c.given
		c.given += x.bytes
		c.writers[p] += x.bytes
	}
	if into < 0 {
		return
	}
	s := b.sinkOf(p, to)
	if s == nil {
		return
	}
	if src != nil { // one call names both
		s.explicit(src, at, into, x)
		return
	}
	s.add(into, x)
}

// sourceOf is the running session of a process on a file.
func (b *books) sourceOf(p *process, f *file) *source {
	t := p.flows
	if t.source != nil && t.source.file == f && !t.source.stale {
		return t.source
	}
	s := t.sources[f]
	if s == nil || s.stale {
		if len(b.sources) >= maxSessions {
			b.full = true
			return nil
		}
		s = &source{file: f, process: p, flow: measure.Flow{Light: !f.listed}}
		if f.listed {
			s.pace = new(pace)
		}
		t.sources[f] = s
		b.sources = append(b.sources, s)
	}
	t.source = s
	return s
}

func (b *books) sinkOf(p *process, f *file) *sink {
	t := p.flows
	if t.sink != nil && t.sink.file == f && !t.sink.stale {
		return t.sink
	}
	s := t.sinks[f]
	if s == nil || s.stale {
		if len(b.sinks) >= maxSessions {
			b.full = true
			return nil
		}
		s = &sink{file: f, process: p, flow: measure.Flow{Light: !f.listed}}
		t.sinks[f] = s
		b.sinks = append(b.sinks, s)
	}
	t.sink = s
	return s
}
