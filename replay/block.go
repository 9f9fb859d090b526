package replay

import (
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// group is a row of calls that become one.
type group struct {
	file   int
	end    int64 // where the next call has to begin
	size   int64
	direct bool
	sync   trace.IOFlags
	ops    []int
}

// open are the groups of a thread that may still grow.
type open struct{ reads, writes *group }

// merger finds the groups of a program.
//
// What is read is read when the first call of its group read, and what is
// written is written when the last one wrote: a copy that reads and writes in
// turn reads a whole block and then writes it. So no group goes on once its
// thread has waited for something that another did after its first call; else
// the two could wait for each other.
type merger struct {
	p     *Program
	block int64
	open  []open   // of each thread
	of    []*group // of each operation
}

// merge makes one call of calls that follow each other, up to so many bytes.
func merge(p *Program, block int64) bool {
	m := &merger{p: p, block: block, open: make([]open, p.Threads), of: make([]*group, len(p.Ops))}
	for i := range p.Ops {
		m.add(i)
	}
	e := newEdit(p)
	for i := range p.Ops {
		g := m.of[i]
		switch {
		case g == nil || len(g.ops) == 1:
			e.keep(i)
		case i == g.anchor(p):
			e.put(g.call(p), g.ops...)
			e.changed = true
		default:
			e.owe(i)
		}
	}
	return e.finish()
}

// add has a call join a group, or not.
func (m *merger) add(i int) {
	o := &m.p.Ops[i]
	t := &m.open[o.Thread]
	if t.waits(o) {
		*t = open{}
	}
	switch o.Kind {
	case trace.OpRead:
		if t.writes != nil && t.writes.file == o.File {
			t.writes = nil // what is to be read has to be written before
		}
		t.reads = m.join(t.reads, i)
	case trace.OpWrite:
		if t.reads != nil && t.reads.file == o.File {
			t.reads = nil
		}
		t.writes = m.join(t.writes, i)
	default:
		*t = open{}
	}
}

// waits reports whether an operation waits for something that may have happened
// after a group of its thread began.
func (t *open) waits(o *Op) bool {
	return slices.ContainsFunc([]*group{t.reads, t.writes}, func(g *group) bool {
		return g != nil && slices.ContainsFunc(o.After, func(j int) bool { return j >= g.ops[0] })
	})
}

// join adds a call to a group if it follows it, and begins another one if not.
func (m *merger) join(g *group, i int) *group {
	o := &m.p.Ops[i]
	if g == nil || g.file != o.File || g.end != o.Offset || g.size+o.Size > m.block || g.direct != o.Direct ||
		g.sync != o.Sync || o.Carry {
		g = &group{file: o.File, direct: o.Direct, sync: o.Sync}
	}
	g.ops, g.end, g.size = append(g.ops, i), o.Offset+o.Size, g.size+o.Size
	m.of[i] = g
	return g
}

// anchor is the call whose turn the group takes.
func (g *group) anchor(p *Program) int {
	if p.Ops[g.ops[0]].Kind == trace.OpRead {
		return g.ops[0]
	}
	return g.ops[len(g.ops)-1]
}

// call is what the calls of a group become.
func (g *group) call(p *Program) Op {
	o := p.Ops[g.anchor(p)]
	o.Offset, o.Size, o.After = p.Ops[g.ops[0]].Offset, g.size, nil
	for _, i := range g.ops {
		o.After = append(o.After, p.Ops[i].After...)
	}
	return o
}

// split makes several calls of those that move more bytes.
func split(p *Program, block int64) bool {
	e := newEdit(p)
	for i := range p.Ops {
		o := p.Ops[i]
		if o.Kind != trace.OpRead && o.Kind != trace.OpWrite || o.Carry {
			e.keep(i)
			continue
		}
		for o.Size > block {
			part := o
			part.Size = block
			e.insert(part)
			o.Offset, o.Size, o.Pause, o.After = o.Offset+block, o.Size-block, 0, nil
		}
		e.put(o, i) // whatever waits for the call waits for its last part
	}
	return e.finish()
}
