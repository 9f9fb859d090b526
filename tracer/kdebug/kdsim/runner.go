package kdsim

import (
	"maps"
	"path"
	"strings"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/tracer/kdebug"
)

// runner is a thread as the kernel sees it: what it does is logged at its own
// time. Threads overlap, and Records merges them as the kernel does.
type runner struct {
	m    *Machine
	Proc *Process
	TID  uint64
	Now  uint64 // ticks
	cpu  uint32
}

// log appends a record of the thread and lets a little time pass.
func (t *runner) log(id uint32, args ...uint64) {
	r := kdebug.Record{Time: t.Now, DebugID: id, Thread: t.TID, CPU: t.cpu}
	copy(r.Arg[:], args)
	t.m.records = append(t.m.records, r)
	t.Now += 12 // half a microsecond
}

// constant logs a record of a trace point that release kernels for Apple
// silicon are built without.
func (t *runner) constant(id uint32, args ...uint64) {
	if t.m.Model != macos.AppleSilicon {
		t.log(id, args...)
	}
}

// lookup logs the kernel's search for a path: the vnode it led to and 24 bytes
// of the path, then 32 bytes a record.
func (t *runner) lookup(vnode uint64, p string) {
	word := func(at int) (w uint64) {
		for i := range 8 {
			if at+i < len(p) {
				w |= uint64(p[at+i]) << (8 * i)
			}
		}
		return w
	}
	id := uint32(kdebug.Lookup | kdebug.FuncStart)
	if len(p) <= 24 {
		id |= kdebug.FuncEnd
	}
	t.log(id, vnode, word(0), word(8), word(16))
	for at := 24; at < len(p); at += 32 {
		id := uint32(kdebug.Lookup)
		if at+32 >= len(p) {
			id |= kdebug.FuncEnd
		}
		t.log(id, word(at), word(at+8), word(at+16), word(at+24))
	}
}

// call runs one system call: body logs what happens inside and returns the
// result, or minus a macOS error number. The truth is kept unless the call has
// no name in it.
func (t *runner) call(truth Call, args []uint64, body func() int64) int64 {
	id := kdebug.CallID(numbers[truth.Name])
	begin := t.Now
	t.log(id|kdebug.FuncStart, args...)
	ret := int64(0)
	if body != nil {
		ret = body()
	}
	errno, lo, hi := uint64(0), uint64(uint32(ret)), uint64(ret)>>32
	if ret < 0 {
		errno, lo, hi = uint64(-ret), ^uint64(0), ^uint64(0)
	}
	end := t.Now
	t.log(id|kdebug.FuncEnd, errno, lo, hi, uint64(t.Proc.PID))
	t.Now += 24
	truth.PID, truth.TID = t.Proc.PID, uint32(t.TID)
	truth.Start, truth.End = int64(begin-t.m.Base), int64(end-t.m.Base)
	truth.Result = ret
	t.m.Calls = append(t.m.Calls, truth)
	return ret
}

var numbers = func() map[string]uint16 {
	m := map[string]uint16{}
	for _, c := range macos.Calls {
		m[c.Name] = c.Number
	}
	return m
}()

func name(s string) []uint64 {
	var w [4]uint64
	for i := 0; i < len(s) && i < 32; i++ {
		w[i/8] |= uint64(s[i]) << (i % 8 * 8)
	}
	return w[:]
}

// abs is where a path leads for the process.
func (t *runner) abs(p string) string {
	if !strings.HasPrefix(p, "/") {
		p = path.Join(t.Proc.Cwd, p)
	}
	return path.Clean(p)
}

func (t *runner) newFD(d *descriptor, cloexec bool) int32 {
	for fd := int32(3); ; fd++ {
		if _, used := t.Proc.fds[fd]; !used {
			t.Proc.fds[fd] = descr{d, cloexec}
			return fd
		}
	}
}

// find logs the lookup of a path that need not exist, and returns its file.
func (t *runner) find(p string) *node {
	abs := t.abs(p)
	n := t.m.files[abs]
	v := uint64(0)
	if n != nil {
		v = n.vnode
	} else if dir := t.m.files[path.Dir(abs)]; dir != nil {
		v = dir.vnode
	}
	t.lookup(v, p)
	return n
}

// made puts a file on the disk that a call makes, and logs that it is looked up
// again, as in a compound create, unless the machine does not.
func (t *runner) made(p string, size int64) *node {
	t.m.MakeFile(t.abs(p), size)
	if t.m.Once {
		return t.m.files[t.abs(p)]
	}
	return t.find(p)
}

// child makes a process that shares the open files.
func (t *runner) child(name string) *Process {
	p := &Process{PID: t.m.nextPID, Name: name, Cwd: t.Proc.Cwd, fds: map[int32]descr{}}
	t.m.nextPID++
	maps.Copy(p.fds, t.Proc.fds)
	return p
}

func (t *runner) became(prog string) {
	t.Proc.Name = path.Base(prog)
	for fd, d := range t.Proc.fds {
		if d.cloexec {
			delete(t.Proc.fds, fd)
		}
	}
	t.log(kdebug.Exec, uint64(t.Proc.PID), 0x1000005, 42)
	t.log(kdebug.ExecName, name(t.Proc.Name)...)
}
