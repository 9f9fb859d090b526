package trace

import "fmt"

// Process is something in the life of a process, such as a fork, an exec or an exit. That one still runs is only told
// with its CPU time, so that 0 is known then.
type Process struct {
	Time   int64         `name:"time" unit:"ns" column:"1 previous"` // in ns since the start of the recording
	Action ProcessAction `name:"action" column:"2"`                  // what happened
	PID    uint32        `name:"pid" column:"3 previous"`            // process
	// TID is the new thread for a fork; equal to PID for a new process.
	TID    uint32 `name:"tid" column:"4 previous"`
	Parent uint32 `name:"parent" column:"5 previous"` // process that made it
	Status int32  `name:"status" column:"6"`          // exit: wait status as waitpid reports it
	// CPU is the CPU time of the whole process until then, in ns (exit, present, running); 0 if not known.
	CPU     int64  `name:"cpu" none:"0" unit:"ns" column:"7"`
	Command string `name:"command" table:",dict" column:"8"` // comm (at most 15 bytes on Linux)
	// Args are the arguments, joined by NUL (exec, present, running). A process may have written a title over them.
	Args string `name:"args" is:"list" column:"9"`
	// Exe is the path of the program (exec, present).
	Exe string `name:"exe" omit:"" table:",dict" column:"10"`
	UID uint32 `name:"uid" column:"11"` // effective user
	// Cgroup is the path of its control group in the hierarchy that tells most (fork, exec, present); "" if not known.
	Cgroup string `name:"cgroup" omit:"" table:",dict" column:"12"`
}

// Comm cuts a command name to the length in which the kernel of Linux keeps
// it; names are compared in this form on every system.
func Comm(name string) string { return name[:min(len(name), 15)] }

// kthreadd is the parent of the threads of Linux itself.
const kthreadd = 2

// OfKernel reports whether a thread outside of the recording (ProcessHelper) is one of the kernel.
func (p *Process) OfKernel() bool { return p.Parent == kthreadd || p.PID == kthreadd }

// Impossible says what about the event cannot be, "" if it is plausible.
func (p *Process) Impossible() string {
	switch {
	case !Within(MaxTime, p.Time):
		return fmt.Sprintf("its time is %d ns", p.Time)
	case !Within(MaxTotal, p.CPU):
		return fmt.Sprintf("a CPU time of %d ns", p.CPU)
	}
	return ""
}

// ProcessAction is what happened to a process.
type ProcessAction uint8

// The process actions.
const (
	ProcessFork ProcessAction = 1 + iota
	ProcessExec
	ProcessExit
	ProcessPresent // already running when the recording attached to it
	ProcessRunning // still running when the recording ended
	// ProcessHelper is a thread outside of the recording that woke a recorded one, or serves its files: from now on
	// its waits are recorded
	ProcessHelper
)

var actionNames = [...]string{"unknown", "fork", "exec", "exit", "present", "running", "helper"}

func (a ProcessAction) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return "unknown"
}
