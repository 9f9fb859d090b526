package analyzer

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// maxProcesses bounds the processes that are told apart.
const maxProcesses = 20_000

// process is one process of the workload.
type process struct {
	number       int // in the order in which they showed up; 0 stands for all beyond maxProcesses
	PID, Parent  uint32
	UID          uint32
	Command, Exe string
	Args         []string
	StartNS      int64 // first sign of it
	EndNS, CPUNS int64 // profile.Unknown before it ended
	Status       *int
	threads      int
	seen         bool // StartNS is known
	present      bool // it ran before the recording began
}

// processes are the processes of a trace. A number that was used again after
// its process had ended is another process.
type processes struct {
	all     []*process
	byPID   map[uint32]*process
	rest    *process
	omitted map[uint32]bool
	last    *process
}

func newProcesses() *processes {
	rest := &process{Command: "(other processes)", EndNS: profile.Unknown, CPUNS: profile.Unknown}
	return &processes{byPID: map[uint32]*process{}, rest: rest, omitted: map[uint32]bool{}}
}

// get returns the process with a number; first is when it showed up.
func (t *processes) get(pid uint32, first int64) *process {
	if t.last != nil && t.last.PID == pid {
		return t.last
	}
	p := t.expect(pid)
	if p == t.rest {
		return p
	}
	if !p.seen {
		p.seen, p.StartNS = true, first
	}
	t.last = p
	return p
}

// expect returns the process with a number, of which there may have been no
// sign yet.
func (t *processes) expect(pid uint32) *process {
	p := t.byPID[pid]
	if p == nil {
		if len(t.all) >= maxProcesses {
			t.omitted[pid] = true
			return t.rest
		}
		p = &process{number: len(t.all) + 1, PID: pid, EndNS: profile.Unknown, CPUNS: profile.Unknown, threads: 1}
		t.all = append(t.all, p)
		t.byPID[pid] = p
	}
	return p
}

// find returns the process that had a number last, nil if none had.
func (t *processes) find(pid uint32) *process {
	if p := t.byPID[pid]; p != nil || len(t.all) < maxProcesses {
		return p
	}
	return t.rest
}

// event follows forks, execs and exits.
func (t *processes) event(e *trace.Process) {
	switch e.Action {
	case trace.ProcessFork:
		if e.TID != e.PID {
			t.get(e.PID, e.Time).threads++
			return
		}
		if p := t.byPID[e.PID]; p != nil && p.EndNS != profile.Unknown {
			t.forget(e.PID)
		}
		p := t.get(e.PID, e.Time)
		p.name(e)
		if from := t.byPID[e.Parent]; from != nil && p.Exe == "" {
			p.Exe, p.Args = from.Exe, from.Args
		}
	case trace.ProcessExec, trace.ProcessPresent:
		p := t.get(e.PID, e.Time)
		p.present = p.present || e.Action == trace.ProcessPresent
		p.Args, p.Exe = arguments(e.Args), e.Exe
		p.name(e)
	case trace.ProcessExit:
		p := t.get(e.PID, e.Time)
		p.EndNS = e.Time
		p.CPUNS = e.CPU
		status := exitStatus(e.Status)
		p.Status = &status
	}
}

func (t *processes) forget(pid uint32) {
	delete(t.byPID, pid)
	t.last = nil
}

func (p *process) name(e *trace.Process) {
	if e.Command != "" {
		p.Command = e.Command
	}
	if e.Parent != 0 {
		p.Parent = e.Parent
	}
	p.UID = e.UID
}

// arguments splits what the kernel keeps joined by NUL.
func arguments(s string) []string {
	if s = strings.TrimSuffix(s, "\x00"); s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// exitStatus is a wait status as a shell reports it: 128+n for a signal.
func exitStatus(wait int32) int {
	if signal := int(wait & 0x7f); signal != 0 {
		return 128 + signal
	}
	return int(wait >> 8 & 0xff)
}

// brokenOff reports whether a process was ended by a signal, or still ran when
// the recording ended.
func (p *process) brokenOff() bool {
	return p.EndNS == profile.Unknown || p.Status != nil && *p.Status > 128
}
