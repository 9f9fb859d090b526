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
	peers   map[descriptor]string
	open    map[descriptor]*question
	waiting map[uint32]*question
}

// descriptor is one of a process. Sockets are told by these: what tools call them may change as they are connected.
type descriptor struct {
	pid uint32
	fd  int32
}

// question is a connect, or what was sent, of which nothing has come yet.
type question struct {
	to       *profile.Connection
	connects bool
	socket   descriptor
	thread   uint32
	since    int64 // the thread asked, and has done nothing else
	waited   int64
}

// NewConnections returns a collector.
func NewConnections(files *world.Files) *Connections {
	return &Connections{files: files, of: map[string]*profile.Connection{}, peers: map[descriptor]string{},
		open: map[descriptor]*question{}, waiting: map[uint32]*question{}}
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
	at := descriptor{e.PID, e.FD}
	q := c.open[at]
	switch {
	case e.Op == trace.OpConnect:
		c.connect(e, q)
	case e.Op == trace.OpClose:
		c.settle(q, false)
		delete(c.peers, at)
	case e.Op == trace.OpWrite && e.Result > 0:
		if q != nil && q.connects {
			c.settle(q, true)
			q = nil
		}
		if q == nil {
			q = c.ask(e, cmp.Or(c.peers[at], f.Peer), false)
		}
		c.wait(q, e)
	case e.Op.Reads() && q != nil:
		q.waited += e.Duration
		switch {
		case e.Result >= 0:
			c.settle(q, true)
		case e.Result == -int64(trace.ErrAgain):
			c.wait(q, e)
		}
	}
}

// connect takes a call that begins a connection, or asks how it goes on.
func (c *Connections) connect(e *world.Call, q *question) {
	address := c.files.Address(e.Syscall)
	again := q != nil && q.connects
	if !again {
		if q = c.ask(e, address, true); q == nil {
			return
		}
		c.peers[q.socket] = address
		q.to.Connects++
	}
	q.waited += e.Duration
	switch trace.Errno(-e.Result) {
	case trace.ErrInProgress, trace.ErrAlready, trace.ErrAgain:
		c.wait(q, e)
	case trace.ErrRefused:
		q.to.Refused++
		c.settle(q, true)
	default:
		c.settle(q, e.Result >= 0 || trace.Errno(-e.Result) == trace.ErrConnected)
	}
}

// ask begins a question; nil if there are too many, or if it is not known of whom.
func (c *Connections) ask(e *world.Call, address string, connects bool) *question {
	to := c.of[address]
	if address == "" || len(c.open) >= maxQuestions || len(c.peers) >= maxQuestions ||
		to == nil && len(c.of) >= maxQuestions {
		return nil
	}
	if to == nil {
		to = &profile.Connection{Address: address}
		c.of[address] = to
	}
	q := &question{to: to, connects: connects, socket: descriptor{e.PID, e.FD}}
	c.open[q.socket] = q
	return q
}

// wait says that the thread of a call may wait for an answer from now on.
func (c *Connections) wait(q *question, e *world.Call) {
	if q != nil {
		q.since, q.thread = e.End(), e.TID
		c.waiting[e.TID] = q
	}
}

// settle ends a question.
func (c *Connections) settle(q *question, answered bool) {
	if q == nil {
		return
	}
	delete(c.open, q.socket)
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

// Life ends the wait of a thread that ends.
func (c *Connections) Life(e *world.Life) {
	if q := c.waiting[e.TID]; q != nil && e.Action == trace.ProcessExit {
		q.waited += max(e.Time-q.since, 0)
		delete(c.waiting, e.TID)
	}
}

// maxConnections bounds what a profile lists.
const maxConnections = 16

// Finish lists the addresses.
func (c *Connections) Finish(p *profile.Profile) {
	for tid, q := range c.waiting {
		q.waited += max(p.Trace.DurationNS-q.since, 0)
		delete(c.waiting, tid)
	}
	for _, q := range c.open {
		c.settle(q, false)
	}
	for _, to := range c.of {
		p.Connections = append(p.Connections, *to)
	}
	slices.SortFunc(p.Connections, func(x, y profile.Connection) int {
		return cmp.Or(cmp.Compare(y.WaitNS, x.WaitNS), cmp.Compare(y.Refused, x.Refused), cmp.Compare(x.Address, y.Address))
	})
	p.Connections = p.Connections[:min(len(p.Connections), maxConnections)]
}
