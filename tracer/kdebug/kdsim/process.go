package kdsim

import (
	"path"

	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/macos"
)

// Device is the disk that Disk uses: major 1, minor 5.
const Device = 1<<24 | 5

// BlockSize is the size of the disk's blocks in bytes, as on an APFS volume.
const BlockSize = 4096

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
	reaper := Thread{m: t.m, TID: 99, Now: t.Now}
	reaper.log(kdebug.ThreadEnd, t.TID)
}

// child makes a process that shares the open files.
func (t *Thread) child(name string) *Process {
	p := &Process{PID: t.m.nextPID, Name: name, Cwd: t.Proc.Cwd, fds: map[int32]descr{}}
	t.m.nextPID++
	for fd, d := range t.Proc.fds {
		p.fds[fd] = d
	}
	return p
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

func (t *Thread) became(prog string) {
	t.Proc.Name = path.Base(prog)
	for fd, d := range t.Proc.fds {
		if d.cloexec {
			delete(t.Proc.fds, fd)
		}
	}
	t.log(kdebug.Exec, uint64(t.Proc.PID), 0x1000005, 42)
	t.log(kdebug.ExecName, name(t.Proc.Name)...)
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
	reaper := Thread{m: t.m, TID: 99, Now: t.Now}
	reaper.log(kdebug.ThreadEnd, t.TID)
}

// Disk issues a request for a file from the thread; it completes after some
// ticks on another thread.
func (t *Thread) Disk(file string, read bool, bytes int64, ticks uint64, errno int64) {
	n := t.m.files[file]
	code := uint32(kdebug.DiskAsync)
	if read {
		code = kdebug.DiskRead
	}
	buf, block := t.m.id(), t.m.block
	t.m.block += uint64(bytes / BlockSize)
	q := Request{PID: t.Proc.PID, Path: file, Read: read, Block: block, Bytes: bytes, Start: int64(t.Now - t.m.Base), Errno: errno}
	t.log(kdebug.GroupDisk|code<<2, buf, Device, block, uint64(bytes))
	done := Thread{m: t.m, TID: 7, Now: t.Now + ticks}
	q.End = int64(done.Now - t.m.Base)
	done.log(kdebug.GroupDisk|(code|kdebug.DiskDone)<<2, buf, n.vnode, 0, uint64(errno))
	if read { // the caller waits
		t.Now = done.Now
	}
	t.m.Requests = append(t.m.Requests, q)
}

// FullSync is fcntl(F_FULLFSYNC), in which the disk empties its cache.
func (t *Thread) FullSync(fd int32, ticks uint64) {
	truth := Call{Name: "fcntl", FD: fd, Path: t.Proc.fds[fd].node.path, Offset: -1}
	at := len(t.m.Calls)
	t.call(truth, []uint64{uint64(fd), 51, 0}, func() int64 {
		t.Flush(ticks)
		return 0
	})
	t.m.Calls[at].Name = macos.FcntlName("F_FULLFSYNC")
}

// Flush logs a cache flush of the disk (DKIOCSYNCHRONIZE).
func (t *Thread) Flush(ticks uint64) {
	t.constant(kdebug.SpecIoctl|kdebug.FuncStart, Device, 0x80206416, 0, 3)
	t.Now += ticks
	t.constant(kdebug.SpecIoctl|kdebug.FuncEnd, Device, 0x80206416, 0, 0)
}
