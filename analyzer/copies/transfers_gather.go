package copies

import (
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// gatherer gathers transfers while a trace is read. The data itself is not
// recorded. What is, from the best evidence to the poorest: a call that names both
// files; the memory that bytes were read into and written from; the order and the
// places of reads and writes; names and sizes. docs/copies.md says what each is
// worth.
type gatherer struct {
	sessions  sessions
	streams   streams
	created   created
	mappers   []*process
	clones    []clone
	addressed bool
}

// newGatherer makes one that has seen nothing. What a process that never writes has in its memory it does not follow.
func newGatherer(writes func(pid uint32) bool) *gatherer {
	return &gatherer{
		sessions: sessions{writes: writes, processes: map[*world.Process]*process{},
			present: map[*world.Process]bool{}, written: map[*world.File][]*sink{}},
		streams: streams{},
	}
}

// Transfers is what was gathered.
func (g *gatherer) Transfers() *transfers {
	s := &g.sessions
	return &transfers{
		Processes: s.processes, Sources: s.sources, Sinks: s.sinks, Written: s.written, Full: s.full,
		Streams: g.streams, Made: g.created.made, Empties: g.created.empties,
		Mappers: g.mappers, Clones: g.clones, Addressed: g.addressed,
	}
}

// Life enters that a process ran before the recording began. What world.Process says of it may be of later: others read
// ahead meanwhile.
func (g *gatherer) Life(e *world.Life) {
	if e.Action != trace.ProcessPresent || e.Who.Number == 0 { // one process that stands for many
		return
	}
	g.sessions.present[e.Who] = true
}

// Access enters a call that moved data, or failed to.
func (g *gatherer) Access(x *world.Access) {
	a := g.sessions.by(x.Process)
	if x.Failed {
		g.failure(x, a)
		return
	}
	if x.Bytes <= 0 {
		return
	}
	g.addressed = g.addressed || x.Buffer != 0
	src, at, ok := g.taking(x, a)
	if to, into := x.Out(); ok && to != nil && (to.Data() || to.Stream()) {
		g.giving(x, a, src, at, to, into)
	}
}

// taking enters what was read: from which session, and from which place. It is
// not ok if there are too many sessions.
func (g *gatherer) taking(x *world.Access, a *process) (src *source, at int64, ok bool) {
	from := x.File
	if x.Op == trace.OpWrite || from == nil || !(from.Data() || from.Stream()) {
		return nil, 0, true
	}
	at = x.At
	if from.Stream() {
		at = g.streams.read(from, a, x)
	}
	if at < 0 {
		return nil, 0, true
	}
	if src = g.sessions.source(a, from, x.FD, x.ID); src == nil {
		return nil, 0, false
	}
	src.add(at, x)
	a.latest(src)
	if x.Buffer != 0 && x.Op == trace.OpRead {
		if a.writer {
			a.memory.put(loaded{x.Buffer, x.Buffer + uint64(x.Bytes), src, src.session, at, x.End})
		}
		g.store(a, src, at, x)
	}
	return src, at, true
}

// giving enters what was written.
func (g *gatherer) giving(x *world.Access, a *process, src *source, at int64, to *world.File, into int64) {
	if to.Stream() {
		into = g.streams.wrote(to, a, x)
	}
	if into < 0 {
		return
	}
	fd, id := x.FD2, x.ID2
	if x.Op == trace.OpWrite {
		fd, id = x.FD, x.ID
	}
	s := g.sessions.sink(a, to, fd, id)
	switch {
	case s == nil:
	case src != nil: // one call names both
		s.explicit(src, at, into, x)
	default:
		w := write{by: a, to: s, at: into, x: x}
		w.match()
	}
}

// failure notes that a file could not be written further.
func (g *gatherer) failure(x *world.Access, a *process) {
	fd := x.FD2
	if x.Op == trace.OpWrite {
		fd = x.FD
	}
	if to, _ := x.Out(); to != nil {
		if s := a.writes[session{to, fd}]; s != nil && !passing(x.Errno) {
			s.failed = true
		}
	}
}

// passing reports whether a call failed only for the moment: EINTR, EAGAIN, or
// what the kernel uses for calls that a signal broke off.
func passing(errno int64) bool { return errno == 4 || errno == 11 || errno >= 512 }

// store enters bytes that were read into a mapping: they are those of the
// mapped file.
func (g *gatherer) store(a *process, src *source, at int64, x *world.Access) {
	m := a.mappedAt(x.Buffer, x.Bytes, src.File)
	if m == nil {
		return
	}
	if s := g.sessions.sink(a, m.File, mappedFD, m.ID); s != nil {
		if l := s.explicit(src, at, m.at+int64(x.Buffer-m.address), x); l != nil {
			l.Mapped = true
		}
	}
}

// Call enters a call that succeeded and moved no data itself.
func (g *gatherer) Call(e *world.Call) {
	switch {
	case e.Op.Metadata():
		g.metadata(e.Syscall, e.File, g.sessions.by(e.Process))
	case e.Op == trace.OpMmap:
		a := g.sessions.by(e.Process)
		if len(a.Mappings) == 0 {
			g.mappers = append(g.mappers, a)
		}
		a.mmap(e.Syscall, e.File)
	case e.Op == trace.OpClone || e.Op == trace.OpCloneRange || e.Op == trace.OpCopyfile:
		g.clone(e.Syscall, e.File, e.File2, e.Process)
	}
}

// metadata enters a call that begins or ends a session, or sets a size.
func (g *gatherer) metadata(e *trace.Syscall, f *world.File, a *process) {
	switch e.Op {
	case trace.OpOpen:
		a.end(f, e.FD)
		if g.sessions.present[a.Process] {
			a.opens(f)
		}
		switch {
		case e.Flags&trace.FlagCreate != 0 && f.Data():
			g.created.file(a, f, e.Start)
		case e.Flags&trace.FlagWrite == 0 && f.Data() && f.Kind == trace.FileRegular:
			a.opensToRead(f)
		}
	case trace.OpClose:
		a.closes(f, e.FD)
	case trace.OpTruncate:
		if e.Requested > 0 && a.Written[f] == nil {
			g.created.sized(a, f, e.Start)
		}
	}
}

// clone enters a call that shares data between two files.
func (g *gatherer) clone(e *trace.Syscall, f, f2 *world.File, p *world.Process) {
	if f2 == nil {
		return
	}
	if e.Op == trace.OpClone && f.Unknown() {
		if len(g.clones) < mostSessions {
			g.clones = append(g.clones, clone{f, f2, p, e.Start, max(e.Start, e.End())})
		}
		return
	}
	x := world.CallAccess(e, f, f2)
	x.Process = p
	x.At, x.At2, x.Bytes, x.Failed = 0, 0, f.Size, false
	if e.Op == trace.OpCloneRange {
		x.At, x.At2, x.Bytes = max(e.Offset, 0), max(e.Offset2, 0), e.Requested
		if x.Bytes == 0 { // to the end
			x.Bytes = f.Size - x.At
		}
	}
	g.Access(&x)
}
