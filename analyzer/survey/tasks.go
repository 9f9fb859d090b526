package survey

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// maxHelpers bounds the helpers that are named.
const maxHelpers = 1 << 14

// Helper is a thread outside of the recording that woke a recorded one, or serves its files: of a file system, of a
// driver, of another program. Only its waits are recorded, from then on.
type Helper struct {
	PID     uint32
	Command string
	Kernel  bool
}

// tasks are who ran: recorded threads and processes, and the threads outside that woke them.
type tasks struct {
	threads
	unheard
	Helpers  map[uint32]Helper
	parents  map[uint32]uint32 // of processes that were made
	copied   map[uint32]int64  // when these executed a program first, 0 if they have not
	commands map[uint32]string // of processes, the last of each
	titles   map[uint32]string // of processes that had one as they were there before the recording
	rings    map[uint32]uint32 // threads that set a ring up, the last one of each process
}

func newTasks() tasks {
	return tasks{threads: newThreads(), unheard: newUnheard(), Helpers: map[uint32]Helper{}, parents: map[uint32]uint32{},
		copied:   map[uint32]int64{},
		commands: map[uint32]string{}, titles: map[uint32]string{}, rings: map[uint32]uint32{}}
}

func (x *tasks) help(e *trace.Process) {
	if len(x.Helpers) < maxHelpers {
		x.Helpers[e.TID] = Helper{PID: e.PID, Command: e.Command, Kernel: e.OfKernel()}
	}
}

// submits notes what a call says about asynchronous operations of its thread.
func (x *tasks) submits(t *ThreadSurvey, op trace.Op) {
	t.calls = true
	switch op {
	case trace.OpAIOSubmit, trace.OpUringEnter:
		t.async = true
	case trace.OpUringSetup:
		t.async = true
		if len(x.rings) < MaxThreads {
			x.rings[t.PID] = t.TID
		}
	}
}

// Submitter is the thread that a thread queues requests for, and whether that one has asynchronous operations. A thread
// of a ring, which makes no calls, does so for the one that set the ring up.
func (x *tasks) Submitter(tid uint32) (thread uint32, async bool) {
	t := x.Threads[tid]
	if t == nil {
		return tid, false
	}
	if by, of := x.rings[t.PID]; of && !t.calls {
		return by, true
	}
	return tid, t.async
}

// Parent is the process that made a process, 0 if that was not recorded.
func (x *tasks) Parent(pid uint32) uint32 { return x.parents[pid] }

// Copied is until when the first thread of a process that was forked was that of a copy: its process executed a program
// then. It is 0 of others.
func (x *tasks) Copied(tid uint32) int64 { return x.copied[tid] }

// Known says of the number of a thread whether that was recorded, and whether it was followed as a helper.
func (x *tasks) Known(id uint32) (recorded, helper bool) {
	_, helper = x.Helpers[id]
	t := x.Threads[id] // also of those that only queued a request
	return t != nil && t.Events > 0 && !helper, helper
}

// Kernel reports whether a helper is a thread of the kernel, or one that the kernel runs within a recorded process: a
// worker of io_uring.
func (x *tasks) Kernel(id uint32) bool {
	h := x.Helpers[id]
	if h.Kernel || h.PID == 0 {
		return h.Kernel
	}
	within, _ := x.Known(h.PID)
	return within
}

// SameCommand gives for a recorded thread the one that it was asked for first of all threads of the same command; of
// others the thread itself.
func (x *tasks) SameCommand() func(thread uint32) uint32 {
	first := map[string]uint32{}
	return func(id uint32) uint32 {
		t := x.Threads[id]
		if t == nil {
			return id
		}
		name := x.commands[t.PID]
		if name == "" {
			return id
		}
		if _, known := first[name]; !known {
			first[name] = id
		}
		return first[name]
	}
}

// First is when a recorded thread was heard first: before that it waited, as nothing else makes no event, unless its
// process had used a processor meanwhile. 0 if that is not known.
func (x *tasks) First(tid uint32) int64 {
	if t := x.Threads[tid]; t != nil && t.Events > 0 && !x.ComputingFirst(t.PID) {
		return t.first
	}
	return 0
}

// Acted is when a recorded thread ran or waited, as far as is known: from its first event to its last. That it was made
// is none: then it waited for its first processor.
func (x *tasks) Acted(tid uint32) (from, to int64) {
	t := x.Threads[tid]
	if t == nil {
		return 0, 0
	}
	if x.ComputingFirst(t.PID) && tid == t.PID {
		return 0, t.last
	}
	return min(t.acted, t.last), t.last
}

// command keeps what a process is called. A child is called as its parent until it runs a program of its own.
func (x *tasks) command(e *trace.Process) {
	name := e.Command
	switch e.Action {
	case trace.ProcessExec, trace.ProcessPresent:
	case trace.ProcessFork:
		if e.TID != e.PID { // threads have names of their own
			return
		}
		name = cmp.Or(name, x.commands[e.Parent])
	default:
		return
	}
	if name != "" && len(x.commands) < MaxThreads {
		x.commands[e.PID] = name
	}
	delete(x.titles, e.PID)
	if title := world.TitleOf(e.Args); title != "" && e.Action == trace.ProcessPresent && len(x.titles) < MaxThreads {
		x.titles[e.PID] = title
	}
}

// Title is what a process called itself as the recording found it, "" if that is not known: so parts of a server are
// told apart, and not what it makes for each answer.
func (x *tasks) Title(pid uint32) string { return x.titles[pid] }

// Command is what the process of a thread is called, "" if that is not known.
func (x *tasks) Command(pid uint32) string { return x.commands[pid] }
