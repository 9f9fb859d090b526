package usage

import (
	"cmp"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Connections says what became of what was asked over sockets. Where a thread waits for an answer in poll, select or
// epoll is not told by calls: it waits from the end of the call that asks to the beginning of its next one.
type Connections struct {
	files   *world.Files
	of      map[string]*profile.Connection
	sockets map[uint32]map[int32]*socket // by process and descriptor: what tools call them may change as they connect
	held    int                          // sockets
	waiting map[uint32]*pause            // by thread
}

// pause is the time that a thread does nothing after it asked.
type pause struct {
	on    *socket
	since int64
}

// NewConnections returns a collector.
func NewConnections(files *world.Files) *Connections {
	return &Connections{files: files, of: map[string]*profile.Connection{},
		sockets: map[uint32]map[int32]*socket{}, waiting: map[uint32]*pause{}}
}

// maxQuestions bounds the sockets that are kept, and the addresses.
const maxQuestions = 1 << 12

// Call takes one of a thread: it ends the wait of the thread, and asks or answers if it is on a socket.
func (c *Connections) Call(e *world.Call) {
	c.resumed(e.TID, e.Start)
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
	case e.Op.Reads():
		c.receive(e, at)
	}
}

// Async takes a connect that io_uring did: it waits for its end by itself.
func (c *Connections) Async(e *world.Async) {
	if e.Op != trace.OpConnect {
		return
	}
	to := c.address(c.files.Peer(e.Op, e.AsyncOp.File2))
	if to == nil {
		return
	}
	to.Connects++
	q := &question{to: to, connects: true, waited: max(e.Complete-e.Submit, 0)}
	switch trace.Errno(-e.Result) {
	case trace.ErrRefused:
		to.Refused++
		q.ends(true)
	default:
		q.ends(e.Result >= 0 || trace.Errno(-e.Result) == trace.ErrConnected)
	}
}

// resumed ends the wait of a thread.
func (c *Connections) resumed(tid uint32, now int64) {
	if p := c.waiting[tid]; p != nil {
		p.on.waits(p.since, now)
		delete(c.waiting, tid)
	}
}

// send takes a call that asks something of who is at the other end, unless it answers.
func (c *Connections) send(e *world.Call, at *socket) {
	to := c.files.Address(e.Syscall)
	if at != nil {
		at.answered(func(q *question) bool { return q.connects })
		if at.heard[to] {
			delete(at.heard, to)
			return
		}
	}
	peer := e.File.Peer
	if at != nil {
		peer = cmp.Or(at.peer, peer)
	}
	peer = cmp.Or(to, peer)
	if at == nil || !at.asks(peer) {
		at = c.ask(e, peer, &question{since: e.End()})
	}
	if at != nil {
		c.wait(at, e)
	}
}

// receive takes a call that waits for an answer, or gets one.
func (c *Connections) receive(e *world.Call, at *socket) {
	from := c.files.Address(e.Syscall)
	if at == nil && from != "" && e.Result >= 0 {
		at = c.socket(e.PID, e.FD)
	}
	if at == nil {
		return
	}
	at.waits(e.Start, e.End())
	if e.Result >= 0 {
		at.hears(from)
	}
	if len(at.open) > 0 && (e.Result >= 0 || e.Result == -int64(trace.ErrAgain)) {
		c.wait(at, e)
	}
}

// connect takes a call that begins a connection, or asks how it goes on.
func (c *Connections) connect(e *world.Call, at *socket) {
	if at == nil || !at.connects() {
		address := c.files.Address(e.Syscall)
		if at = c.ask(e, address, &question{since: e.Start, connects: true}); at == nil {
			return
		}
		at.peer = address
		at.open[0].to.Connects++
	}
	q := at.open[0]
	at.waits(e.Start, e.End())
	switch trace.Errno(-e.Result) {
	case trace.ErrInProgress, trace.ErrAlready, trace.ErrAgain:
		c.wait(at, e)
	case trace.ErrRefused:
		q.to.Refused++
		at.settle(true)
	default:
		at.settle(e.Result >= 0 || trace.Errno(-e.Result) == trace.ErrConnected)
	}
}

// ask begins a question over the socket of a call; nil if there are too many sockets, or if it is not known of whom.
func (c *Connections) ask(e *world.Call, address string, q *question) *socket {
	if q.to = c.address(address); q.to == nil {
		return nil
	}
	at := c.sockets[e.PID][e.FD]
	if at == nil {
		if at = c.socket(e.PID, e.FD); at == nil {
			return nil
		}
	}
	if q.connects {
		at.settle(false)
	}
	at.begin(q)
	return at
}

// address is what is known of one; nil if there are too many.
func (c *Connections) address(name string) *profile.Connection {
	to := c.of[name]
	if to == nil && name != "" && len(c.of) < maxQuestions {
		to = &profile.Connection{Address: name}
		c.of[name] = to
	}
	return to
}

// socket keeps one more; nil if there are too many.
func (c *Connections) socket(pid uint32, fd int32) *socket {
	if c.held >= maxQuestions {
		return nil
	}
	if c.sockets[pid] == nil {
		c.sockets[pid] = map[int32]*socket{}
	}
	at := &socket{}
	c.sockets[pid][fd] = at
	c.held++
	return at
}

// wait says that the thread of a call may wait for an answer from now on.
func (c *Connections) wait(at *socket, e *world.Call) { c.waiting[e.TID] = &pause{at, e.End()} }

func (c *Connections) close(pid uint32, fd int32) {
	c.sockets[pid][fd].settle(false)
	delete(c.sockets[pid], fd)
	c.held--
}

// Life ends the wait of a thread that ends, and closes what a process has that does.
func (c *Connections) Life(e *world.Life) {
	if e.Action != trace.ProcessExit {
		return
	}
	c.resumed(e.TID, e.Time)
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
	for tid := range c.waiting {
		c.resumed(tid, p.Trace.DurationNS)
	}
	for pid := range c.sockets {
		c.closeAll(pid)
	}
	for _, to := range c.of {
		p.Connections = append(p.Connections, *to)
	}
	sorting.Stably(p.Connections, func(x, y profile.Connection) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.Refused, x.Refused), cmp.Compare(x.Address, y.Address))
	})
	p.Connections = p.Connections[:min(len(p.Connections), maxConnections)]
}
