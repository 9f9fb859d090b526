package fsusage

import (
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

// processes finds the process of a thread: a line names only the thread. The
// system is asked again when a thread turns up that is not known, so a process
// that lives for less than a look takes is known by its command name only.
type processes struct {
	sys   machine.System
	scope tracer.Scope
	self  uint32

	byThread map[uint64]uint32
	byName   map[string]uint32 // recorded processes
	in       map[uint32]bool
	seen     []machine.Process // recorded processes that were not announced yet
	looked   time.Time
	missing  map[uint64]bool // asked about without success since the last look
}

// lookEvery is the least time between two looks at all processes.
const lookEvery = 50 * time.Millisecond

func newProcesses(sys machine.System, scope tracer.Scope, self uint32) *processes {
	p := &processes{sys: sys, scope: scope, self: self, byThread: map[uint64]uint32{}, byName: map[string]uint32{},
		in: map[uint32]bool{}, missing: map[uint64]bool{}}
	for _, pid := range scope.PIDs {
		p.in[pid] = true
	}
	if scope.Launch != 0 {
		p.in[scope.Launch] = true
	}
	p.look()
	return p
}

// recorded lists the processes in scope.
func (p *processes) recorded() (pids []uint32) {
	for pid := range p.in {
		pids = append(pids, pid)
	}
	return pids
}

// of returns the process of a thread, and whether it is recorded.
func (p *processes) of(tid uint64, command string) (uint32, bool) {
	if pid, ok := p.byThread[tid]; ok {
		return pid, p.in[pid]
	}
	if time.Since(p.looked) >= lookEvery || !p.missing[tid] {
		p.look()
		if pid, ok := p.byThread[tid]; ok {
			return pid, p.in[pid]
		}
		p.missing[tid] = true
	}
	pid, ok := p.byName[trace.Comm(command)]
	return pid, ok
}

// look lists the processes of the system and the threads of those recorded.
func (p *processes) look() {
	if time.Since(p.looked) < lookEvery {
		return
	}
	p.looked = time.Now()
	clear(p.missing)
	clear(p.byThread)
	running := p.sys.Processes()
	for _, r := range running {
		if p.scope.All {
			p.in[r.PID] = true
		}
	}
	machine.Choose(p.in, p.scope.Names, running)
	delete(p.in, p.self)
	for _, r := range running {
		for _, tid := range p.sys.Threads(r.PID) {
			p.byThread[tid] = r.PID
		}
		if name := trace.Comm(r.Name); p.in[r.PID] && p.byName[name] != r.PID {
			p.byName[name] = r.PID
			p.seen = append(p.seen, r)
		}
	}
}

// announce writes the processes that were found since the last call.
func (p *processes) announce(sink trace.Sink, now int64, first bool) error {
	for _, r := range p.seen {
		full, ok := p.sys.Inspect(r.PID)
		if !ok {
			full = r
		}
		e := trace.Process{Time: now, Action: trace.ProcessExec, PID: r.PID, TID: r.PID, Parent: r.Parent, UID: r.UID,
			Command: trace.Comm(r.Name), Exe: full.Exe, Args: full.Args}
		if first && r.PID != p.scope.Launch {
			e.Action = trace.ProcessPresent
		}
		if err := sink.Process(&e); err != nil {
			return err
		}
	}
	p.seen = p.seen[:0]
	return nil
}
