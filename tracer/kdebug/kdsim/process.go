package kdsim

import "github.com/iotrace/iotrace/tracer/kdebug"

// NewThread starts a further thread of the process.
func (t *Thread) NewThread() *Thread {
	n := t.m.thread(t.Proc, t.Now)
	t.log(kdebug.NewThread, n.TID, uint64(t.Proc.PID), 0, 7)
	t.log(kdebug.NewThreadName, name(t.Proc.Name)...)
	n.Now = t.Now
	return n
}

// EndThread ends the thread; the kernel's reaper logs it.
func (t *Thread) EndThread() {
	t.log(kdebug.ThreadEndPID, uint64(t.Proc.PID), 7)
	reaper := runner{m: t.m, TID: 99, Now: t.Now}
	reaper.log(kdebug.ThreadEnd, t.TID)
}

// Fork is fork(2): it returns the child's thread.
func (t *Thread) Fork() (c *Thread) {
	t.call(Call{Name: "fork"}, nil, func() int64 {
		p := t.child(t.Proc.Name)
		c = t.m.thread(p, t.Now)
		t.log(kdebug.NewThread, c.TID, uint64(p.PID), 0, 8)
		t.log(kdebug.NewThreadName, name(p.Name)...)
		c.Now = t.Now
		return int64(p.PID)
	})
	return c
}

// Exec is execve(2): the process goes on in a new thread, and the call never
// returns.
func (t *Thread) Exec(prog string) *Thread {
	id := kdebug.CallID(numbers["execve"])
	t.log(id|kdebug.FuncStart, 0x16f00)
	t.find(prog)
	n := t.m.thread(t.Proc, t.Now)
	t.log(kdebug.NewThread, n.TID, uint64(t.Proc.PID), 1, 7)
	t.log(kdebug.NewThreadName, name(t.Proc.Name)...)
	n.Now = t.Now
	n.became(prog)
	t.Now = n.Now
	return n
}

// Spawn is posix_spawn(2): everything up to the new program's first call is
// logged while the parent is inside the call.
func (t *Thread) Spawn(prog string) (c *Thread) {
	t.call(Call{Name: "posix_spawn"}, []uint64{0x7f00, 0x16f00, 0, 0x17f00}, func() int64 {
		t.find(prog)
		p := t.child(t.Proc.Name)
		c = t.m.thread(p, t.Now)
		t.log(kdebug.NewThread, c.TID, uint64(p.PID), 0, 9)
		t.log(kdebug.NewThreadName, name(p.Name)...)
		c.Now = t.Now
		c.became(prog)
		t.Now = c.Now
		return 0
	})
	return c
}

// Exit ends the process with a wait status.
func (t *Thread) Exit(status int) {
	id := kdebug.CallID(numbers["exit"])
	t.log(id|kdebug.FuncStart, uint64(status>>8))
	t.log(kdebug.ThreadEndPID, uint64(t.Proc.PID), 7)
	t.log(kdebug.ProcExit|kdebug.FuncStart, uint64(t.Proc.PID), uint64(status))
	t.log(kdebug.ProcExit|kdebug.FuncEnd, uint64(t.Proc.PID), uint64(status))
	reaper := runner{m: t.m, TID: 99, Now: t.Now}
	reaper.log(kdebug.ThreadEnd, t.TID)
}
