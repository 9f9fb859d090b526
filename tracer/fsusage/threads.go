package fsusage

import (
	"maps"
	"slices"

	"github.com/iotrace/iotrace/internal/fdtable"
	"github.com/iotrace/iotrace/trace"
)

// threads finds the processes of a text, which names commands and threads. Threads with one command name are taken for
// one process until what they do shows that they are several: two have the same descriptor open at once, or one ends
// the process and others go on.
type threads struct {
	d        *Decoder
	current  map[string]*process // by the first commandWidth bytes of the name
	byThread map[uint64]*process
}

// process is what a text tells of one.
type process struct {
	pid     uint32 // number of its first thread
	key     string
	command string
	threads map[uint64]bool
	opened  map[int32]uint64 // the thread that opened a descriptor
	doubts  map[int32]doubt
	ending  *trace.Process // it ended if no other thread goes on
	ended   bool
}

// doubt is a descriptor that a thread opened while another one had it open, as far as could be seen: either that one's
// close is under way, or they are of two processes.
type doubt struct {
	before *fdtable.Open
	by     uint64 // thread that had it open
	at     int64  // when the other thread had opened it
}

const (
	// commandWidth is how much of a command's name disk lines print; lines of
	// calls print all of it.
	commandWidth = 16
	// maxCommands bounds the commands and the threads of a text that are told apart.
	maxCommands    = 1 << 16
	maxDescriptors = 1 << 10 // of a process, of which it is known who opened them
	maxDoubts      = 64
)

func newThreads(d *Decoder) *threads {
	return &threads{d: d, current: map[string]*process{}, byThread: map[uint64]*process{}}
}

// of is the process of a line.
func (c *threads) of(l *Line, start int64) *process {
	key := l.Command[:min(len(l.Command), commandWidth)]
	p := c.byThread[l.TID]
	switch {
	case p == nil || p.key != key:
		p = c.join(l.TID, key)
	case !l.Disk: // requests are ended by others, and later
		p = c.tell(p, l, start)
	}
	if len(l.Command) > len(p.command) { // also where a disk line named it before
		p.command = l.Command
		c.present(p, start)
	}
	return p
}

func (c *threads) present(p *process, now int64) {
	c.d.keep(c.d.sink.Process(&trace.Process{Time: max(now, 0), Action: trace.ProcessPresent, PID: p.pid, TID: p.pid,
		Command: p.command}))
}

// join puts a thread that was not known into the process of its command.
func (c *threads) join(tid uint64, key string) *process {
	p := c.current[key]
	if p != nil && p.ending != nil { // nothing of it went on
		c.end(p)
	}
	if p == nil || p.ended {
		p = newProcess(key)
		p.pid = uint32(tid)
		if len(c.current) < maxCommands || c.current[key] != nil {
			c.current[key] = p
		}
	}
	if len(c.byThread) < maxCommands {
		c.byThread[tid], p.threads[tid] = p, true
	}
	return p
}

func newProcess(key string) *process {
	return &process{key: key, threads: map[uint64]bool{}, opened: map[int32]uint64{}, doubts: map[int32]doubt{}}
}

// tell takes what a line says of who is whose. It returns the process of its thread.
func (c *threads) tell(p *process, l *Line, start int64) *process {
	if e := p.ending; e != nil && uint64(e.TID) != l.TID {
		p.ending = nil
		gone := c.apart(p, uint64(e.TID), min(start, e.Time)) // it was there before it ended
		gone.ending = e
		c.end(gone)
		if p = c.byThread[l.TID]; c.current[p.key] == gone {
			c.current[p.key] = p
		}
	}
	var back []int32
	for fd, q := range p.doubts {
		if q.by == l.TID && start+l.Elapsed > q.at && (!closes(l, fd) || start >= q.at) {
			back = append(back, fd)
		}
	}
	if len(back) == 0 {
		return p
	}
	c.apart(p, l.TID, start)
	own := c.byThread[l.TID]
	for _, fd := range back {
		c.d.fds.Set(own.pid, fd, p.doubts[fd].before, false)
		own.opened[fd] = l.TID
		delete(p.doubts, fd)
	}
	return own
}

func closes(l *Line, fd int32) bool {
	return (l.Call == "close" || l.Call == "guarded_close_np") && l.FD == fd
}

// apart parts a thread from the others of its process, each side with the descriptors that it opened. The side that
// does not have the first thread becomes a new process. It returns the process of the thread.
func (c *threads) apart(p *process, tid uint64, now int64) *process {
	leaves := func(t uint64) bool { return (t == tid) == (uint32(tid) != p.pid) }
	n := newProcess(p.key)
	n.command = p.command
	for t := range p.threads {
		if leaves(t) {
			delete(p.threads, t)
			n.threads[t], c.byThread[t] = true, n
			if n.pid == 0 || uint32(t) < n.pid {
				n.pid = uint32(t)
			}
		}
	}
	if n.pid == 0 {
		return p
	}
	for fd, t := range p.opened {
		if leaves(t) {
			if o := c.d.fds.Get(p.pid, fd); o != nil {
				c.d.fds.Set(n.pid, fd, o, false)
			}
			c.d.fds.Close(p.pid, fd)
			delete(p.opened, fd)
			n.opened[fd] = t
		}
	}
	c.present(n, now)
	return c.byThread[tid]
}

// opens takes note of who opened a descriptor, before that is entered in the table.
func (c *threads) opens(tid uint64, fd int32, end int64) {
	p := c.byThread[tid]
	if p == nil {
		return
	}
	by, open := p.opened[fd]
	if before := c.d.fds.Get(p.pid, fd); open && by != tid && before != nil && len(p.doubts) < maxDoubts {
		p.doubts[fd] = doubt{before, by, end}
	}
	if open || len(p.opened) < maxDescriptors {
		p.opened[fd] = tid
	}
}

// closed enters a close in the table, and returns what was closed if that is not what the table has.
func (c *threads) closed(tid uint64, pid uint32, fd int32, began int64) *fdtable.Open {
	p := c.byThread[tid]
	if p == nil {
		c.d.fds.Closed(pid, fd, began)
		return nil
	}
	q, doubtful := p.doubts[fd]
	delete(p.doubts, fd)
	switch {
	case doubtful && q.by == tid: // another thread opened it anew meanwhile
		return q.before
	case doubtful:
		c.d.fds.Set(pid, fd, q.before, false)
		p.opened[fd] = q.by
	default:
		c.d.fds.Close(pid, fd)
		delete(p.opened, fd)
	}
	return nil
}

// exit takes the end of a process.
func (c *threads) exit(l *Line, e *trace.Process) {
	p := c.byThread[l.TID]
	if p == nil {
		c.d.fds.Exit(e.PID)
		c.d.keep(c.d.sink.Process(e))
		return
	}
	e.TID = uint32(l.TID)
	if p.ending = e; len(p.threads) < 2 {
		c.end(p)
	}
}

// end ends a process.
func (c *threads) end(p *process) {
	e := p.ending
	p.ending, p.ended = nil, true
	e.PID, e.TID = p.pid, p.pid
	c.d.fds.Exit(p.pid)
	clear(p.opened)
	clear(p.doubts)
	c.d.keep(c.d.sink.Process(e))
}

// flush ends those of which no other thread went on.
func (c *threads) flush() {
	for _, tid := range slices.Sorted(maps.Keys(c.byThread)) {
		if p := c.byThread[tid]; p.ending != nil {
			c.end(p)
		}
	}
}
