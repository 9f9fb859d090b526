package usage

import (
	"cmp"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/trace"
)

// Computed says what programs computed for: a thread that has read a file, computes and writes another one makes that
// out of it.
type Computed struct {
	threads map[uint32]*making
	last    *making // of the thread of the last event
	tid     uint32
	pairs   map[[2]string]*profile.Computed
	of      world.Table[bool] // files that are counted
}

// maxPairs bounds the pairs of extensions that are told apart, maxComputed those that are listed.
const (
	maxPairs    = 1024
	maxComputed = 16
)

// making is what a thread does between its calls.
type making struct {
	process *world.Process // another one may get its number
	known   bool
	end     int64 // of its last call
	waited  int64 // since then
	pending int64 // computed since from was read
	from    *world.File
	bytes   int64 // read of it at a stretch: of several files the most
	of      *world.File
	reads   int64 // of the file that is being read
	wrote   bool  // since then
}

// NewComputed returns a collector.
func NewComputed() *Computed {
	return &Computed{threads: map[uint32]*making{}, pairs: map[[2]string]*profile.Computed{}}
}

func (c *Computed) thread(tid uint32) *making {
	if c.last == nil || c.tid != tid {
		m := c.threads[tid]
		if m == nil {
			m = &making{}
			c.threads[tid] = m
		}
		c.last, c.tid = m, tid
	}
	return c.last
}

// Call takes a call, which ends a stretch of computing.
func (c *Computed) Call(e *world.Call) {
	m := c.thread(e.TID)
	if m.process != e.Process {
		*m = making{process: e.Process}
	}
	if m.known {
		m.pending += max(e.Start-m.end-m.waited, 0)
	}
	m.known, m.waited, m.end = true, 0, max(m.end, e.End())
	if e.File == nil || e.File.Kind != trace.FileRegular || e.Result <= 0 {
		return
	}
	switch e.Op {
	case trace.OpRead:
		m.read(e.File, e.Result)
	case trace.OpWrite:
		if m.from != nil && m.from != e.File {
			c.made(m, e.File)
		}
		m.wrote, m.pending = true, 0
	}
}

// read takes a read of a file: the file of which most is read at a stretch is what something is made out of. Others say
// how, or are locks.
func (m *making) read(f *world.File, bytes int64) {
	if m.from == nil || m.wrote {
		*m = making{process: m.process, known: m.known, end: m.end, of: f}
	}
	if m.of != f {
		m.of, m.reads = f, 0
	}
	if m.reads += bytes; m.reads > m.bytes {
		m.from, m.bytes = f, m.reads
	}
}

// Wait takes a time off the CPU; one within a call is none of the time between calls.
func (c *Computed) Wait(e *world.Wait) {
	if m := c.thread(e.TID); m.known && e.Start >= m.end {
		m.waited += e.Duration
	}
}

// made counts what a thread has computed before it wrote to a file. A file without an extension is of no kind.
func (c *Computed) made(m *making, to *world.File) {
	k := [2]string{path.Ext(m.from.Path), path.Ext(to.Path)}
	x := c.pairs[k]
	if x == nil {
		if k[0] == "" || k[1] == "" || len(c.pairs) >= maxPairs {
			return
		}
		x = &profile.Computed{From: k[0], To: k[1]}
		c.pairs[k] = x
	}
	x.NS += m.pending
	if counted := c.of.Of(to.Number); !*counted {
		*counted = true
		x.Files++
	}
}

// Finish lists the pairs, most time first.
func (c *Computed) Finish(p *profile.Profile) {
	for _, x := range c.pairs {
		p.Computed = append(p.Computed, *x)
	}
	sorting.Stably(p.Computed, func(a, b profile.Computed) int {
		return cmp.Or(cmp.Compare(b.NS, a.NS), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	p.Computed = p.Computed[:min(len(p.Computed), maxComputed)]
}
