package kdebug

import (
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/machine"
)

// ThreadEntry is one entry of the kernel's thread map.
type ThreadEntry struct {
	TID     uint64
	PID     uint32
	Command string // at most 19 bytes
}

// maxName bounds the name of a process: twice MAXCOMLEN, and more than any.
const maxName = 64

// Seed tells the decoder which threads exist, from the kernel's thread map,
// and announces the processes in scope. Called before the first record, and
// again for threads that turn up later in a text.
func (d *Decoder) Seed(entries []ThreadEntry) error {
	for _, e := range entries {
		p := d.process(e.PID)
		if p.name == "" {
			p.name = strings.Clone(e.Command[:min(len(e.Command), maxName)])
		}
		p.in = p.in || e.PID != d.self && d.names[trace.Comm(e.Command)]
		d.thread(e.TID).proc = p
		if p.in && !p.held {
			processes{d}.present(p)
		}
	}
	for _, pid := range d.scope.PIDs {
		processes{d}.present(d.process(pid))
	}
	if d.scope.Launch != 0 { // announced by its exec; its working directory is needed before
		processes{d}.inspect(d.process(d.scope.Launch))
	}
	return d.err
}

// processes follows processes and threads.
type processes struct{ *Decoder }

// present announces a process that was there before the recording.
func (d processes) present(p *process) {
	if p.announced {
		return
	}
	p.announced = true
	e := trace.Process{Time: max(d.now, 0), Action: trace.ProcessPresent, PID: p.pid, TID: p.pid,
		Command: trace.Comm(p.name)}
	if in, ok := d.inspect(p); ok {
		e.Parent, e.Args, e.Exe, e.UID = in.Parent, in.Args, in.Exe, in.UID
		p.parent = in.Parent
		if p.name == "" {
			p.name, e.Command = in.Name, trace.Comm(in.Name)
		}
	}
	d.keep(d.sink.Process(&e))
}

// inspect asks the machine what a process is. What it has open is taken over
// only if that was not known: when it comes into scope other than by a fork, and
// after a loss.
func (d processes) inspect(p *process) (in machine.Process, ok bool) {
	if d.sys == nil || !p.in {
		return in, false
	}
	if in, ok = d.sys.Inspect(p.pid); !ok || p.asked {
		return in, ok
	}
	p.asked = true
	if p.cwd == "" {
		p.cwd = in.Dir
	}
	d.keep(in.Inherit(d.fds, d.files, max(d.clock(), 0)))
	return in, true
}

// adopt brings a process into scope whose beginning was lost: it is a descendant
// of a recorded one. The machine is asked once for each loss.
func (d processes) adopt(p *process) {
	if p.in || p.checked == d.stats.Lost || d.sys == nil || p.pid == d.self || p.pid == 0 {
		return
	}
	p.checked = d.stats.Lost
	if d.parentsAt != d.stats.Lost {
		d.parentsAt = d.stats.Lost
		d.parents = map[uint32]uint32{}
		for _, r := range d.sys.Processes() {
			d.parents[r.PID] = r.Parent
		}
	}
	for pid, steps := p.pid, 0; steps < maxAncestors; steps++ {
		pid = d.parents[pid]
		if a := d.procs[pid]; a != nil && a.in {
			p.in, p.held = true, a.held
			if !p.held {
				d.present(p)
			}
			return
		}
	}
}

// maxAncestors is more than processes are nested.
const maxAncestors = 64

// threadEvent follows threads and processes.
func (d processes) threadEvent(r *Record) {
	switch r.DebugID & idMask {
	case NewThread:
		d.newThread(r)
	case Exec:
		t := d.thread(r.Thread)
		t.proc, t.exec = d.process(uint32(r.Arg[0])), true
	case ExecName:
		if t := d.thread(r.Thread); t.exec {
			t.exec = false
			d.exec(t.proc, name(&r.Arg))
		}
	case ThreadEnd:
		if t := d.threads[r.Arg[0]]; t != nil {
			delete(d.threads, r.Arg[0])
			if d.last == t {
				d.last = nil
			}
		}
	}
}

// newThread is logged by the creating thread: arguments are the new thread, its
// process, and whether the process is about to exec into it.
func (d processes) newThread(r *Record) {
	creator := d.thread(r.Thread)
	pid := uint32(r.Arg[1])
	parent := creator.proc
	if pid == 0 { // a kernel thread
		return
	}
	if parent == nil || parent.pid == pid {
		p := d.process(pid)
		if r.Arg[2] != 0 && creator.call.active {
			p.exe = d.execPath(creator)
		}
		d.thread(r.Arg[0]).proc = p
		return
	}
	child := d.procs[pid]
	if child == nil || child.parent != parent.pid {
		d.fork(parent, pid, creator)
		child = d.process(pid)
	}
	if creator.call.active && callTable[creator.call.number].shape == macos.ShapeSpawn {
		child.exe = d.execPath(creator)
	}
	d.thread(r.Arg[0]).proc = child
}

// fork makes a child of a process: the number may have belonged to another.
func (d processes) fork(parent *process, pid uint32, creator *thread) {
	delete(d.procs, pid)
	c := d.process(pid)
	c.parent, c.name = parent.pid, parent.name
	if c.in = c.in || parent.in && pid != d.self; !c.in {
		return
	}
	c.held = parent.held
	c.cwd = creator.base()
	c.asked = parent.in // it has its parent's files, which are known
	d.fds.Fork(parent.pid, pid)
	if c.announced = !c.held; c.announced {
		d.keep(d.sink.Process(&trace.Process{Time: max(d.now, 0), Action: trace.ProcessFork, PID: pid, TID: pid,
			Parent: parent.pid, Command: trace.Comm(parent.name)}))
	}
}

// execPath is the program of the exec or spawn call that a thread is in.
func (d processes) execPath(t *thread) string {
	if t.look.n == 0 || t.outside() {
		return ""
	}
	return string(macos.AppendAbsolute(nil, t.base(), t.look.path[0]))
}

func (d processes) exec(p *process, name string) {
	p.name = name
	p.in = p.in || p.pid != d.self && d.names[trace.Comm(name)]
	if !p.in {
		return
	}
	p.held, p.announced = false, true
	p.maps = nil
	d.fds.Exec(p.pid)
	e := trace.Process{Time: max(d.now, 0), Action: trace.ProcessExec, PID: p.pid, TID: p.pid, Parent: p.parent,
		Command: trace.Comm(name), Exe: p.exe}
	if in, ok := d.inspect(p); ok {
		e.Args, e.UID = in.Args, in.UID
		if e.Exe == "" {
			e.Exe = in.Exe
		}
		if e.Parent == 0 {
			e.Parent = in.Parent
		}
	}
	d.keep(d.sink.Process(&e))
}

func (d processes) exit(pid uint32, status int32) {
	p := d.procs[pid]
	if p == nil {
		return
	}
	delete(d.procs, pid)
	if d.last != nil && d.last.proc == p {
		d.last = nil
	}
	d.fds.Exit(pid)
	if p.in && !p.held {
		d.keep(d.sink.Process(&trace.Process{Time: max(d.now, 0), Action: trace.ProcessExit, PID: pid, TID: pid,
			Parent: p.parent, Status: status, Command: trace.Comm(p.name)}))
	}
}
