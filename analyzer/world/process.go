package world

import (
	"cmp"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// MaxProcesses bounds the processes that are told apart.
const MaxProcesses = 20_000

// maxOmitted bounds the others that are counted: Linux has no more numbers (PID_MAX_LIMIT), but an import may.
const maxOmitted = 1 << 22

// Process is one process of the workload.
type Process struct {
	Number       int // in the order in which they showed up; 0 stands for all beyond MaxProcesses
	PID, Parent  uint32
	UID          uint32
	Command, Exe string
	Args         []string
	Title        string // what it calls itself, where it has written that over its arguments; "" if it has not
	Cgroup       string // path of its control group, "" if not known
	StartNS      int64  // first sign of it
	EndNS, CPUNS int64  // profile.Unknown before it ended; CPUNS if not recorded
	Status       *int
	Signal       int  // that ended it
	Dumped       bool // and had the kernel write its memory to a core file
	Threads      int
	seen         bool     // StartNS is known
	Present      bool     // it ran before the recording began
	before       int64    // its CPU time until then; 0 if not known
	Beside       bool     // so did it or an ancestor, beside commands that are the workload
	asks         bool     // it spoke first on a socket, as clients do
	from         *Process // that it was forked from, nil if not known
	began        bool     // it executed a program of its own
}

// Processes are the processes of a trace. A number that was used again after
// its process had ended is another process.
type Processes struct {
	All     []*Process
	byPID   map[uint32]*Process
	Rest    *Process
	Omitted map[uint32]bool
	last    *Process
	Around  Around
	// Heard says how many threads were heard of a process that was there before: it may have made them before, too. Nil
	// if that is not known.
	Heard func(pid uint32) int
}

// Around is what was recorded around the workload.
type Around uint8

const (
	Nothing    Around = iota // what was recorded is the workload
	Everything               // whoever ran: some worked, and others waited to be asked
	Hosts                    // whole hosts, beside the commands that are the workload
)

// NewProcesses makes a table without processes.
func NewProcesses() *Processes {
	rest := &Process{Command: "(other processes)", EndNS: profile.Unknown, CPUNS: profile.Unknown}
	return &Processes{byPID: map[uint32]*Process{}, Rest: rest, Omitted: map[uint32]bool{}}
}

// get returns the process with a number; first is when it showed up.
func (t *Processes) get(pid uint32, first int64) *Process {
	if t.last != nil && t.last.PID == pid {
		return t.last
	}
	p := t.expect(pid)
	if p == t.Rest {
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
func (t *Processes) expect(pid uint32) *Process {
	p := t.byPID[pid]
	if p == nil {
		if len(t.All) >= MaxProcesses {
			if len(t.Omitted) < maxOmitted {
				t.Omitted[pid] = true
			}
			return t.Rest
		}
		p = &Process{Number: len(t.All) + 1, PID: pid, EndNS: profile.Unknown, CPUNS: profile.Unknown, Threads: 1}
		t.All = append(t.All, p)
		t.byPID[pid] = p
	}
	return p
}

// Find returns the process that had a number last, nil if none had.
func (t *Processes) Find(pid uint32) *Process {
	if p := t.byPID[pid]; p != nil || len(t.All) < MaxProcesses {
		return p
	}
	return t.Rest
}

// event follows forks, execs and exits. Rest stands for many, the commands among them: what one of these is called, the
// CPU time that it had, and how it ended is not said of all.
func (t *Processes) event(e *trace.Process) {
	switch e.Action {
	case trace.ProcessFork:
		if e.TID != e.PID {
			if p := t.get(e.PID, e.Time); t.Heard == nil || !p.Present {
				p.Threads++
			}
			return
		}
		if p := t.byPID[e.PID]; p != nil && p.EndNS != profile.Unknown {
			t.forget(e.PID)
		}
		p := t.get(e.PID, e.Time)
		if p == t.Rest {
			return
		}
		p.name(e)
		if from := t.byPID[e.Parent]; from != nil {
			p.Beside, p.Cgroup, p.from = from.Beside, cmp.Or(p.Cgroup, from.Cgroup), from
			if p.Exe == "" {
				p.Exe, p.Args = from.Exe, from.Args
			}
		}
	case trace.ProcessExec, trace.ProcessPresent:
		p := t.get(e.PID, e.Time)
		if p == t.Rest {
			return
		}
		if e.Action == trace.ProcessPresent {
			p.Present, p.Beside, p.before = true, t.Around == Hosts, e.CPU-max(p.CPUNS, 0) // it may have been recorded before
			if t.Heard != nil {
				p.Threads = max(t.Heard(e.PID), 1)
			}
		}
		p.Args, p.Exe, p.began = Arguments(e.Args), e.Exe, e.Action == trace.ProcessExec
		p.Title = TitleOf(e.Args)
		p.name(e)
		if from := t.byPID[e.Parent]; from != nil && from.Present && p.Present && from.Exe == p.Exe {
			p.from = from // a worker of a server
		}
	case trace.ProcessRunning:
		p := t.get(e.PID, e.Time)
		t.used(p, e.CPU)
		if p != t.Rest {
			p.Title = cmp.Or(TitleOf(e.Args), p.Title)
		}
		if e.CPU == 0 && p.Present { // a thread of the kernel that has hardly begun in its whole life
			p.CPUNS = 0
		}
	case trace.ProcessExit:
		p := t.get(e.PID, e.Time)
		p.EndNS = e.Time
		t.used(p, e.CPU)
		if p != t.Rest {
			status := exitStatus(e.Status)
			p.Status, p.Signal, p.Dumped = &status, int(e.Status&0x7f), e.Status&coreFlag != 0
		}
	}
}

// used takes the CPU time of the whole life of a process until the recording knows no more of it.
func (t *Processes) used(p *Process, cpu int64) {
	if cpu > 0 && p != t.Rest && (p.before > 0 || !p.Present) { // nothing runs without any
		p.CPUNS = max(cpu-p.before, 0)
	}
}

// mostForks is how many processes may be forked one from another without one of them executing a program. A trace may
// say that they are so in a circle.
const mostForks = 1024

// Program is the process that executed the program of this one: itself, or the one that it was forked from. It is known
// when all events were seen.
func (p *Process) Program() *Process {
	for range mostForks {
		if p.began || p.from == nil {
			break
		}
		p = p.from
	}
	return p
}

func (t *Processes) forget(pid uint32) {
	delete(t.byPID, pid)
	t.last = nil
}

func (p *Process) name(e *trace.Process) {
	if e.Command != "" {
		p.Command = e.Command
	}
	if e.Parent != 0 {
		p.Parent = e.Parent
	}
	p.UID, p.Cgroup = e.UID, cmp.Or(e.Cgroup, p.Cgroup)
}

// TitleOf is the title that a process has written over its arguments: one text with a colon within, which is the form
// that programs keep to (setproctitle(3): "postgres: checkpointer"). "" if they are arguments.
func TitleOf(args string) string {
	title := strings.TrimRight(args, " \x00")
	if strings.Contains(title, "\x00") || !strings.Contains(title, ": ") {
		return ""
	}
	return title
}

// Arguments splits what the kernel keeps joined by NUL.
func Arguments(s string) []string {
	if s = strings.TrimSuffix(s, "\x00"); s == "" {
		return nil
	}
	return strings.Split(s, "\x00")
}

// coreFlag is in the wait status of a process whose memory the kernel wrote to a core file.
const coreFlag = 0x80

// exitStatus is a wait status as a shell reports it: 128+n for a signal.
func exitStatus(wait int32) int {
	if signal := int(wait & 0x7f); signal != 0 {
		return 128 + signal
	}
	return int(wait >> 8 & 0xff)
}

// Failed reports whether a process ended with a status other than 0.
func (p *Process) Failed() bool { return p.Status != nil && *p.Status != 0 }

// BrokenOff reports whether a process was ended by a signal, or still ran when
// the recording ended.
func (p *Process) BrokenOff() bool {
	return p.EndNS == profile.Unknown || p.Status != nil && *p.Status > 128
}
