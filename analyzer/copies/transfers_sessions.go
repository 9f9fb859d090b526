package copies

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// mostSessions bounds the sources and the sinks that are followed.
const mostSessions = 100_000

// sessions are those of all processes. A session is what one process does to one
// file from an open to its close.
type sessions struct {
	writes    func(pid uint32) bool // whether a process does
	processes map[*world.Process]*process
	present   map[*world.Process]bool // that ran before the recording began
	last      *process                // that was looked up
	sources   []*source
	sinks     []*sink
	written   map[*world.File][]*sink
	full      bool // some were left out
}

// by is a process as one that reads and writes.
func (t *sessions) by(p *world.Process) *process {
	if t.last != nil && t.last.Process == p {
		return t.last
	}
	a := t.processes[p]
	if a == nil {
		a = newProcess(p)
		a.writer = t.writes(p.PID)
		t.processes[p] = a
	}
	t.last = a
	return a
}

// source is the running session of a process that reads a file. One that led to
// nothing makes room for the next.
func (t *sessions) source(a *process, f *world.File, fd int32, id trace.FileID) *source {
	if s := a.lastRead; s != nil && s.File == f && s.fd == fd && !s.closed {
		return s
	}
	k := session{f, fd}
	s := a.reads[k]
	if s == nil || s.closed {
		if s != nil && len(s.Links) == 0 && !s.hinted && !s.Mapped {
			*s = source{session: s.session + 1}
		} else if len(t.sources) >= mostSessions {
			t.full = true
			return nil
		} else {
			s = new(source)
			t.sources = append(t.sources, s)
			a.Sources = append(a.Sources, s)
		}
		s.File, s.By, s.fd, s.ID = f, a.Process, fd, id
		s.Flow.Light, s.Detail = true, &measure.Flow{Light: !f.Listed}
		if f.Listed {
			s.Pace = new(pace)
		}
		a.reads[k] = s
	}
	a.lastRead = s
	return s
}

// sink is the running session of a process that writes a file, likewise.
func (t *sessions) sink(a *process, f *world.File, fd int32, id trace.FileID) *sink {
	if s := a.lastWrite; s != nil && s.File == f && s.fd == fd && !s.closed {
		return s
	}
	k := session{f, fd}
	s := a.writes[k]
	if s == nil || s.closed {
		if s != nil && len(s.Links) == 0 && len(s.Guesses) == 0 && s.useless {
			*s = sink{}
		} else if len(t.sinks) >= mostSessions {
			t.full = true
			return nil
		} else {
			s = new(sink)
			t.sinks = append(t.sinks, s)
			t.written[f] = append(t.written[f], s)
		}
		s.File, s.By, s.fd, s.ID, s.Flow.Light = f, a.Process, fd, id, true
		s.midway = t.present[a.Process] && !a.opened[f] && a.Written[f] == nil && f.Data()
		a.writes[k] = s
		a.Written[f] = s
	}
	a.lastWrite = s
	return s
}
