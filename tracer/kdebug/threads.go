package kdebug

import (
	"bytes"

	"github.com/iotrace/iotrace/trace"
)

// outside reports whether a thread is known to be of a process that is not
// recorded.
func (t *thread) outside() bool { return t.proc != nil && !t.proc.in }

// Bounds of what the decoder keeps.
const (
	maxThreads  = 1 << 14
	maxProcs    = 1 << 14
	maxRequests = 1 << 16
	maxPath     = 1024 // PATH_MAX
	maxMappings = 256
)

// process is what is known of one process.
type process struct {
	pid       uint32
	parent    uint32
	name      string
	exe       string // path of the program of an exec that is under way
	cwd       string
	in        bool // recorded
	held      bool // the launched workload before its exec
	asked     bool // its open files were asked for
	announced bool // an event names it
	maps      []mapping
	checked   uint64 // losses until it was last seen not to be a descendant of one in scope
}

// mapping is a mapped piece of a file, for msync.
type mapping struct {
	addr, size uint64
	file       trace.FileID
	offset     int64
}

// thread is what is known of one thread.
type thread struct {
	tid  uint64
	proc *process // nil if not known yet
	call pending
	look lookup
	disk pendingIoctl
	cwd  string // of the thread alone (__pthread_chdir)
	seen bool   // a call of it was seen
	exec bool   // TRACE_DATA_EXEC seen, its name is still to come

	inside    uint16 // number of the call it is in, 0 if none
	issued    int    // disk requests of its own under way
	completed completion
	idle      bool // its processor has nothing to do
	helper    bool // not recorded, but woke one that is
	wait      waiting
}

// pending is a system call that has begun.
type pending struct {
	active bool
	ext    bool // ext holds the extra arguments
	ext2   bool
	number uint16
	start  uint64
	arg    [4]uint64
	extra  [4]uint64
	extra2 [4]uint64
	flow   *flow // of the file that it reads or writes, on some volumes
	asked  int64
}

// lookup gathers the paths that the kernel looked up for a call: the first two
// different ones, and for each the vnode it led to.
type lookup struct {
	n     int // paths complete
	path  [2][]byte
	vnode [2]uint64
	again [2]bool // the path was looked up twice
	work  []byte  // the path being put together
	at    uint64  // its vnode
	open  bool    // work is incomplete
}

func (l *lookup) reset() {
	l.n = 0
	l.open = false
}

// add takes one record of a VFS_LOOKUP: the first holds the vnode and 24 bytes
// of the path, each further one 32 bytes; the last may be padded with NUL, or
// with '>' where only the beginning of a path was found (kernels before 15.4).
func (l *lookup) add(r *Record) {
	args := r.Arg[:]
	if r.DebugID&FuncStart != 0 {
		l.work = l.work[:0]
		l.at = r.Arg[0]
		l.open = true
		args = r.Arg[1:]
	}
	if !l.open {
		return // its beginning was lost
	}
	for _, a := range args {
		if len(l.work) >= maxPath {
			break
		}
		for i := 0; i < 64; i += 8 {
			l.work = append(l.work, byte(a>>i))
		}
	}
	if r.DebugID&FuncEnd == 0 {
		return
	}
	l.open = false
	if i := bytes.IndexByte(l.work, 0); i >= 0 {
		l.work = l.work[:i]
	}
	l.finish()
}

// finish files the path that is complete. The same path a second time is the
// file that the call has just made there: the first lookup found its directory.
func (l *lookup) finish() {
	for i := 0; i < l.n; i++ {
		if bytes.Equal(l.path[i], l.work) {
			l.vnode[i], l.again[i] = l.at, true
			return
		}
	}
	if l.n < len(l.path) && len(l.work) > 0 {
		l.path[l.n] = append(l.path[l.n][:0], l.work...)
		l.vnode[l.n], l.again[l.n] = l.at, false
		l.n++
	}
}

// base is the directory that relative paths of a thread start from.
func (t *thread) base() string {
	if t.cwd != "" || t.proc == nil {
		return t.cwd
	}
	return t.proc.cwd
}

// name reads the NUL-padded name in the arguments of a TRACE_STRING record.
func name(args *[4]uint64) string {
	var b [32]byte
	for i := range b {
		b[i] = byte(args[i/8] >> (i % 8 * 8))
	}
	if i := bytes.IndexByte(b[:], 0); i >= 0 {
		return string(b[:i])
	}
	return string(b[:])
}
