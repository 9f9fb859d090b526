package usage

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Connections says what became of what was asked over sockets. Where a thread waits for an answer in poll, select or
// epoll is not told by calls: it waits from the end of the call that asks to the beginning of its next one.
type Connections struct {
	files   *world.Files
	of      map[string]*profile.Connection
	sockets map[uint32]map[int32]*socket // by process and descriptor: what tools call them may change as they connect
	held    int                          // sockets
	waiting map[uint32]*question         // by thread
}

// socket is one that a process has, with what it was asked last.
type socket struct {
	peer string
	open *question // nil: nothing, or it was answered
}

// question is a connect, or what was sent, of which nothing has come yet.
type question struct {
	to       *profile.Connection
	connects bool
	thread   uint32
	since    int64 // the thread asked, and has done nothing else
	waited   int64
}

// NewConnections returns a collector.
func NewConnections(files *world.Files) *Connections {
	return &Connections{files: files, of: map[string]*profile.Connection{},
		sockets: map[uint32]map[int32]*socket{}, waiting: map[uint32]*question{}}
}

// maxQuestions bounds the sockets that are kept, and the addresses.
const maxQuestions = 1 << 12

// Call takes one of a thread: it ends the wait of the thread, and asks or answers if it is on a socket.
func (c *Connections) Call(e *world.Call) {
	if q := c.waiting[e.TID]; q != nil {
		q.waited += max(e.Start-q.since, 0)
		delete(c.waiting, e.TID)
	}
	f := e.File
	if f == nil || f.Kind != trace.FileSocket || e.FD < 0 {
		return
	}
	at := c.sockets[e.PID][e.FD]
	switch {
	case e.Op == trace.OpConnect:
		c.connect(e, at)
	case at != nil && e.Op == trace.OpClose:
		c.close(e.PID, e.FD)
	case e.Op == trace.OpWrite && e.Result > 0:
		c.send(e, at)
	case e.Op.Reads() && at != nil && at.open != nil:
		at.open.waited += e.Duration
		switch {
		case e.Result >= 0:
			c.settle(at, true)
		case e.Result == -int64(trace.ErrAgain):
			c.wait(at.open, e)
		}
	}
}

// send takes a call that asks something of who is at the other end.
func (c *Connections) send(e *world.Call, at *socket) {
	if at != nil && at.open != nil && at.open.connects {
		c.settle(at, true)
	}
	if at == nil || at.open == nil {
		peer := e.File.Peer
		if at != nil {
			peer = cmp.Or(at.peer, peer)
		}
		at = c.ask(e, peer, false)
	}
	if at != nil {
		c.wait(at.open, e)
	}
}

// connect takes a call that begins a connection, or asks how it goes on.
func (c *Connections) connect(e *world.Call, at *socket) {
	if at == nil || at.open == nil || !at.open.connects {
		address := c.files.Address(e.Syscall)
		if at = c.ask(e, address, true); at == nil {
			return
		}
		at.peer = address
		at.open.to.Connects++
	}
	at.open.waited += e.Duration
	switch trace.Errno(-e.Result) {
	case trace.ErrInProgress, trace.ErrAlready, trace.ErrAgain:
		c.wait(at.open, e)
	case trace.ErrRefused:
		at.open.to.Refused++
		c.settle(at, true)
	default:
		c.settle(at, e.Result >= 0 || trace.Errno(-e.Result) == trace.ErrConnected)
	}
}

// ask begins a question; nil if there are too many sockets, or if it is not known of whom.
func (c *Connections) ask(e *world.Call, address string, connects bool) *socket {
	at, to := c.sockets[e.PID][e.FD], c.of[address]
	if address == "" || at == nil && c.held >= maxQuestions || to == nil && len(c.of) >= maxQuestions {
		return nil
	}
	if to == nil {
		to = &profile.Connection{Address: address}
		c.of[address] = to
	}
	if at == nil {
		if c.sockets[e.PID] == nil {
			c.sockets[e.PID] = map[int32]*socket{}
		}
		at = &socket{}
		c.sockets[e.PID][e.FD] = at
		c.held++
	}
	at.open = &question{to: to, connects: connects}
	return at
}

// wait says that the thread of a call may wait for an answer from now on.
func (c *Connections) wait(q *question, e *world.Call) {
	q.since, q.thread = e.End(), e.TID
	c.waiting[e.TID] = q
}

// settle ends the question of a socket, if there is one.
func (c *Connections) settle(at *socket, answered bool) {
	q := at.open
	if q == nil {
		return
	}
	at.open = nil
	if c.waiting[q.thread] == q {
		delete(c.waiting, q.thread)
	}
	to := q.to
	to.WaitNS, to.LongestNS = to.WaitNS+q.waited, max(to.LongestNS, q.waited)
	if !q.connects {
		to.Asked++
	}
	switch {
	case answered:
	case q.connects:
		to.Unmet, to.UnmetNS = to.Unmet+1, to.UnmetNS+q.waited
	default:
		to.Unanswered, to.VainNS = to.Unanswered+1, to.VainNS+q.waited
	}
}

func (c *Connections) close(pid uint32, fd int32) {
	c.settle(c.sockets[pid][fd], false)
	delete(c.sockets[pid], fd)
	c.held--
}

// Life ends the wait of a thread that ends, and closes what a process has that does.
func (c *Connections) Life(e *world.Life) {
	if e.Action != trace.ProcessExit {
		return
	}
	if q := c.waiting[e.TID]; q != nil {
		q.waited += max(e.Time-q.since, 0)
		delete(c.waiting, e.TID)
	}
	if e.TID == e.PID {
		c.closeAll(e.PID)
	}
}

func (c *Connections) closeAll(pid uint32) {
	for fd := range c.sockets[pid] {
		c.close(pid, fd)
	}
	delete(c.sockets, pid)
}

// maxConnections bounds what a profile lists.
const maxConnections = 16

// Finish lists the addresses.
func (c *Connections) Finish(p *profile.Profile) {
	for tid, q := range c.waiting {
		q.waited += max(p.Trace.DurationNS-q.since, 0)
		delete(c.waiting, tid)
	}
	for pid := range c.sockets {
		c.closeAll(pid)
	}
	for _, to := range c.of {
		p.Connections = append(p.Connections, *to)
	}
	slices.SortFunc(p.Connections, func(x, y profile.Connection) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.Refused, x.Refused), cmp.Compare(x.Address, y.Address))
	})
	p.Connections = p.Connections[:min(len(p.Connections), maxConnections)]
}
