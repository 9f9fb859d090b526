// Package fdtable rebuilds, from the calls of processes, which file each of
// their descriptors stands for and where in it the next read or write goes.
// The backends whose source reports descriptor numbers and paths but no files
// (kdebug, DTrace, fs_usage) share it.
//
// Memory is bounded: past MaxOpen descriptors new ones are not remembered and
// past MaxFiles paths new ones are not named (Files.Overflow counts them).
package fdtable

import "github.com/iotrace/iotrace/trace"

// Limits of what is remembered.
const (
	MaxOpen  = 1 << 20
	MaxFiles = 1 << 18
	maxNames = 32 << 20 // bytes of the names that files have
	maxProcs = 1 << 16
)

// Open is an open file description: what dup and fork share.
type Open struct {
	File   trace.FileID
	Flags  trace.IOFlags
	Offset int64  // of the next read or write, trace.NoOffset if not known
	Dir    string // path, if it may serve as the base of a relative path
	Stream bool   // it has no offsets: a pipe, a socket, a terminal
	Since  int64  // ns: this was so at a look at the process; 0 if rebuilt from calls
	Opened int64  // ns: when the call that opened it had ended, 0 if that is not known
}

type slot struct {
	open    *Open
	closeOn bool // FD_CLOEXEC
	notFork bool // FD_CLOFORK, of macOS
}

// Table holds the descriptors of all recorded processes.
type Table struct {
	procs map[uint32]map[int32]slot
	count int
}

// NewTable returns an empty table.
func NewTable() *Table { return &Table{procs: map[uint32]map[int32]slot{}} }

// Get returns the open file of a descriptor, nil if it is not known.
func (t *Table) Get(pid uint32, fd int32) *Open { return t.procs[pid][fd].open }

// At returns the open file of a descriptor as it was for a call that ended at a
// time. What was learnt by a look at the process later than that may not have
// been so yet.
func (t *Table) At(pid uint32, fd int32, end int64) *Open {
	o := t.Get(pid, fd)
	if o != nil && o.Since > end {
		return nil
	}
	return o
}

// Set makes a descriptor stand for an open file.
func (t *Table) Set(pid uint32, fd int32, o *Open, closeOnExec bool) {
	if fd < 0 {
		return
	}
	fds := t.procs[pid]
	if fds == nil {
		if len(t.procs) >= maxProcs {
			return
		}
		fds = map[int32]slot{}
		t.procs[pid] = fds
	}
	if _, had := fds[fd]; !had {
		if t.count >= MaxOpen {
			return
		}
		t.count++
	}
	fds[fd] = slot{open: o, closeOn: closeOnExec}
}

// Dup makes two descriptors share one open file. If the old one is not known,
// neither is the new one.
func (t *Table) Dup(pid uint32, from, to int32, closeOnExec bool) {
	if from == to {
		return
	}
	o := t.Get(pid, from)
	if o == nil {
		t.Close(pid, to)
		return
	}
	t.Set(pid, to, o, closeOnExec)
}

// CloseOnExec sets or clears FD_CLOEXEC.
func (t *Table) CloseOnExec(pid uint32, fd int32, on bool) {
	if s, ok := t.procs[pid][fd]; ok {
		s.closeOn = on
		t.procs[pid][fd] = s
	}
}

// CloseOnFork sets or clears FD_CLOFORK.
func (t *Table) CloseOnFork(pid uint32, fd int32, on bool) {
	if s, ok := t.procs[pid][fd]; ok {
		s.notFork = on
		t.procs[pid][fd] = s
	}
}

// Close forgets a descriptor.
func (t *Table) Close(pid uint32, fd int32) {
	fds := t.procs[pid]
	if _, ok := fds[fd]; ok {
		delete(fds, fd)
		t.count--
	}
}

// Closed forgets the descriptor of a close that began at a time. The kernel frees the number first, and what is then
// done, such as writing back, may take long: what another thread has opened by that number meanwhile stays open.
func (t *Table) Closed(pid uint32, fd int32, began int64) {
	if o := t.Get(pid, fd); o == nil || o.Opened == 0 || o.Opened <= began {
		t.Close(pid, fd)
	}
}

// CloseRange forgets the descriptors between two, both included; or, if so asked, lets the next exec close them.
func (t *Table) CloseRange(pid, from, to uint32, atExec bool) {
	for fd := range t.procs[pid] {
		switch {
		case uint32(fd) < from || uint32(fd) > to:
		case atExec:
			t.CloseOnExec(pid, fd, true)
		default:
			t.Close(pid, fd)
		}
	}
}

// Fork gives a child its parent's descriptors; offsets are shared.
func (t *Table) Fork(parent, child uint32) {
	t.Exit(child)
	for fd, s := range t.procs[parent] {
		if !s.notFork {
			t.Set(child, fd, s.open, s.closeOn)
		}
	}
}

// Exec closes the descriptors that do not survive it.
func (t *Table) Exec(pid uint32) {
	for fd, s := range t.procs[pid] {
		if s.closeOn {
			t.Close(pid, fd)
		}
	}
}

// Exit forgets a process.
func (t *Table) Exit(pid uint32) {
	t.count -= len(t.procs[pid])
	delete(t.procs, pid)
}

// Clear forgets everything. It is called after a loss: an open, close or seek
// may be missing, so nothing that was known can be trusted.
func (t *Table) Clear() {
	clear(t.procs)
	t.count = 0
}

// Advance is called after a read or write at the descriptor's own offset that
// moved n bytes. It returns the offset the call worked at. size is the known
// size of the file (trace.NoOffset if not known): an append goes there.
func (o *Open) Advance(n, size int64, write bool) int64 {
	if o.Stream {
		return trace.NoOffset
	}
	if write && o.Flags&trace.FlagAppend != 0 {
		if size == trace.NoOffset {
			o.Offset = trace.NoOffset
			return trace.NoOffset
		}
		o.Offset = size
	}
	at := o.Offset
	if at != trace.NoOffset && n > 0 {
		if o.Offset += n; o.Offset < 0 { // a damaged record: no file is that long
			o.Offset = trace.NoOffset
		}
	}
	return at
}
