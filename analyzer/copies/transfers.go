package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// transfers are what moved in a trace: who read what, who wrote where, and which of it
// may belong together.
type transfers struct {
	actors    map[*world.Process]*actor
	actor     *actor // the last one that was looked up
	sources   []*source
	sinks     []*sink
	empties   []*empty
	mappers   []*actor
	made      []maker
	clones    []unsized
	streams   map[*world.File]*channel
	contents  contents
	peers     map[*world.File]*world.File // the other ends of sockets that were read from
	devices   map[*world.File]*blocks
	written   map[*world.File][]*sink // sessions that wrote a file
	full      bool                    // sessions were left out
	addressed bool                    // calls carry the addresses of their buffers
}

func newTransfers() *transfers {
	return &transfers{actors: map[*world.Process]*actor{}, streams: map[*world.File]*channel{}, devices: map[*world.File]*blocks{}, written: map[*world.File][]*sink{}}
}

// by is a process as one that reads and writes.
func (b *transfers) by(p *world.Process) *actor {
	if b.actor != nil && b.actor.process == p {
		return b.actor
	}
	a := b.actors[p]
	if a == nil {
		a = newActor(p)
		b.actors[p] = a
	}
	b.actor = a
	return a
}

// channel is a pipe or a socket: bytes come out of it in the order in which
// they went in.
type channel struct {
	file         *world.File
	given, taken int64
	gave, took   period
	writers      map[*actor]int64
	readers      map[*actor]int64
}

// period is the time from the begin of the first call to the end of the last.
type period struct{ from, to int64 }

func (p *period) add(x *world.Access) {
	if p.to == 0 {
		p.from = x.Start
	}
	p.to = max(p.to, x.End)
}

func (b *transfers) channel(f *world.File) *channel {
	c := b.streams[f]
	if c == nil {
		c = &channel{file: f, writers: map[*actor]int64{}, readers: map[*actor]int64{}}
		b.streams[f] = c
	}
	return c
}

// access enters a call that moved data, or failed to.
func (b *transfers) access(x *world.Access, p *world.Process) {
	a := b.by(p)
	if x.Failed {
		b.failure(x, a)
		return
	}
	if x.Bytes <= 0 {
		return
	}
	b.addressed = b.addressed || x.Buffer != 0
	src, at, ok := b.taking(x, a)
	if to, into := x.Out(); ok && to != nil && (to.Data() || to.Stream()) {
		b.giving(x, a, src, at, to, into)
	}
}

// taking enters what was read: from which session, and from which place. It is
// not ok if there are too many sessions.
func (b *transfers) taking(x *world.Access, a *actor) (src *source, at int64, ok bool) {
	from := x.File
	if x.Op == trace.OpWrite || from == nil || !(from.Data() || from.Stream()) {
		return nil, 0, true
	}
	at = x.At
	if from.Stream() {
		c := b.channel(from)
		at = c.taken
		if x.Op != trace.OpTee {
			c.taken += x.Bytes
			c.took.add(x)
			c.readers[a] += x.Bytes
		}
	}
	if at < 0 {
		return nil, 0, true
	}
	if src = b.sourceOf(a, from, x.Fd, x.Id); src == nil {
		return nil, 0, false
	}
	src.add(at, x)
	a.latest(src)
	if x.Buffer != 0 && x.Op == trace.OpRead {
		a.memory.put(held{x.Buffer, x.Buffer + uint64(x.Bytes), src, src.session, at, x.End})
		b.store(a, src, at, x)
	}
	return src, at, true
}

// giving enters what was written.
func (b *transfers) giving(x *world.Access, a *actor, src *source, at int64, to *world.File, into int64) {
	if to.Stream() {
		c := b.channel(to)
		into = c.given
		c.given += x.Bytes
		c.gave.add(x)
		c.writers[a] += x.Bytes
	}
	if into < 0 {
		return
	}
	fd, id := x.Fd2, x.Id2
	if x.Op == trace.OpWrite {
		fd, id = x.Fd, x.Id
	}
	s := b.sinkOf(a, to, fd, id)
	switch {
	case s == nil:
	case src != nil: // one call names both
		s.explicit(src, at, into, x)
	default:
		s.add(into, x)
	}
}

// failure notes that a file could not be written further.
func (b *transfers) failure(x *world.Access, a *actor) {
	fd := x.Fd2
	if x.Op == trace.OpWrite {
		fd = x.Fd
	}
	if to, _ := x.Out(); to != nil {
		if s := a.sinks[session{to, fd}]; s != nil && !passing(x.Errno) {
			s.failed = true
		}
	}
}

// passing reports whether a call failed only for the moment: EINTR, EAGAIN, or
// what the kernel uses for calls that a signal broke off.
func passing(errno int64) bool { return errno == 4 || errno == 11 || errno >= 512 }

// sourceOf is the running session of a process on a file. One that led to
// nothing makes room for the next.
func (b *transfers) sourceOf(a *actor, f *world.File, fd int32, id trace.FileID) *source {
	if s := a.source; s != nil && s.file == f && s.fd == fd && !s.closed {
		return s
	}
	k := session{f, fd}
	s := a.sources[k]
	if s == nil || s.closed {
		if s != nil && len(s.links) == 0 && !s.hinted && !s.mapped {
			*s = source{session: s.session + 1}
		} else if len(b.sources) >= maxSessions {
			b.full = true
			return nil
		} else {
			s = new(source)
			b.sources = append(b.sources, s)
			a.all = append(a.all, s)
		}
		s.file, s.by, s.fd, s.id = f, a, fd, id
		s.flow.Light, s.detail = true, &measure.Flow{Light: !f.Listed}
		if f.Listed {
			s.pace = new(pace)
		}
		a.sources[k] = s
	}
	a.source = s
	return s
}

func (b *transfers) sinkOf(a *actor, f *world.File, fd int32, id trace.FileID) *sink {
	if s := a.sink; s != nil && s.file == f && s.fd == fd && !s.closed {
		return s
	}
	k := session{f, fd}
	s := a.sinks[k]
	if s == nil || s.closed {
		if s != nil && len(s.links) == 0 && len(s.guesses) == 0 && s.useless {
			*s = sink{}
		} else if len(b.sinks) >= maxSessions {
			b.full = true
			return nil
		} else {
			s = new(sink)
			b.sinks = append(b.sinks, s)
			b.written[f] = append(b.written[f], s)
		}
		s.file, s.by, s.fd, s.id, s.flow.Light = f, a, fd, id, true
		s.midway = a.process.Present && !a.opened[f] && a.written[f] == nil && f.Data()
		a.sinks[k] = s
		a.written[f] = s
	}
	a.sink = s
	return s
}
