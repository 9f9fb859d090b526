package replay

import (
	"fmt"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/unit"

	"github.com/iotrace/iotrace/trace"
)

// TrialCopy is a file that was copied.
type TrialCopy struct {
	Bytes int64
	Warm  bool // it was in memory
}

// mostCalls is how many a method may take, as of a recording that is replayed.
const mostCalls = 1 << 20

// Unfit says why a method does not suit some copies; "" if it does.
func (m Method) Unfit(copies []TrialCopy) string {
	total := int64(0)
	for _, c := range copies {
		total += c.Bytes
	}
	if m.kind == trace.OpRead && total/m.Block+4*int64(len(copies)) > mostCalls {
		return fmt.Sprintf("it takes more than %d calls, which are all held in memory", mostCalls)
	}
	if least := m.Block * int64(m.Depth); m.ring && total < least*int64(len(copies)) {
		return "most files are smaller than the " + unit.BlockSize(least) + " it has in flight"
	}
	return ""
}

// Variant is the program that makes copies by the method.
func (m Method) Variant(copies []TrialCopy) Variant {
	b := &builder{method: m, p: &Program{Threads: m.Depth}}
	if m.ring {
		b.p.Threads = 1
	}
	b.shared = len(copies) < 2*m.Depth
	for i, c := range copies {
		b.thread = i % b.p.Threads
		if b.shared {
			b.thread = 0
		}
		b.copy(c)
	}
	return Variant{Name: m.String(), Program: b.p}
}

// builder writes a program that copies files, one after the other.
type builder struct {
	method   Method
	p        *Program
	thread   int  // that opens and closes
	shared   bool // all threads have a part of each file; else each has files of its own
	from, to int  // the files of the copy
}

// add writes an operation of a thread.
func (b *builder) add(o Op) (index int) {
	b.p.Ops = append(b.p.Ops, o)
	return len(b.p.Ops) - 1
}

// on is an operation on one file.
func (b *builder) on(kind trace.Op, file int) Op {
	return Op{Kind: kind, Thread: b.thread, File: file, File2: -1, Direct: b.method.Direct}
}

// copy writes one copy. Direct calls move whole sectors: what they write beyond
// the end is cut off.
func (b *builder) copy(c TrialCopy) {
	whole := host.Sectors(c.Bytes)
	b.from, b.to = len(b.p.Files), len(b.p.Files)+1
	b.p.Files = append(b.p.Files, File{Size: c.Bytes, End: c.Bytes, Warm: c.Warm}, File{End: whole})
	b.p.Copies = append(b.p.Copies, Copy{From: b.from, To: b.to})
	b.p.Bytes += 2 * c.Bytes

	b.add(b.on(trace.OpOpen, b.from))
	opened := b.add(b.on(trace.OpOpen, b.to))
	done := b.data(c.Bytes, opened)
	if b.method.Direct && whole != c.Bytes {
		cut := b.on(trace.OpTruncate, b.to)
		cut.Size, cut.After = c.Bytes, done
		b.add(cut)
		done = nil
	}
	closing := b.on(trace.OpClose, b.to)
	closing.After = done
	b.add(closing)
	b.add(b.on(trace.OpClose, b.from))
}

// data writes the operations that move the data, after one of the thread that
// has opened the files, and returns the last ones of other threads.
func (b *builder) data(bytes int64, opened int) (done []int) {
	m := b.method
	switch {
	case bytes == 0:
		return nil
	case m.kind == trace.OpClone:
		b.add(b.pair(0, 0))
		return nil
	case m.ring:
		b.reserve(bytes)
		all := b.pair(0, bytes)
		all.Ring, all.Block = m.Depth, m.Block
		b.add(all)
		return nil
	case m.kind == trace.OpCopyRange:
		b.sequential()
		for at := int64(0); at < bytes; at += m.Block {
			b.add(b.pair(at, min(m.Block, bytes-at)))
		}
		return nil
	case b.shared && m.Depth > 1:
		return b.parts(bytes, b.reserve(bytes))
	}
	for at := int64(0); at < bytes; at += m.Block {
		b.block(b.thread, at, min(m.Block, bytes-at), nil)
	}
	return nil
}

// pair is an operation of the kernel on both files.
func (b *builder) pair(at, n int64) Op {
	o := b.on(b.method.kind, b.from)
	o.File2, o.Offset, o.Offset2, o.Size = b.to, at, at, n
	return o
}

// sequential tells the kernel what cp tells it too: that the whole source is read in order. It reads ahead twice as
// far then.
func (b *builder) sequential() {
	o := b.on(trace.OpAdvise, b.from)
	o.Offset2 = inOrder
	b.add(o)
}

// reserve allocates the room of the copy, so that blocks may come in any order.
func (b *builder) reserve(bytes int64) (index int) {
	o := b.on(trace.OpAllocate, b.to)
	o.Size = bytes
	return b.add(o)
}

// block reads and writes a block, and returns the write.
func (b *builder) block(thread int, at, n int64, after []int) (index int) {
	read, write := b.on(trace.OpRead, b.from), b.on(trace.OpWrite, b.to)
	read.Thread, read.Offset, read.Size, read.After = thread, at, n, after
	write.Thread, write.Offset, write.Size, write.Carry = thread, at, n, true
	b.add(read)
	return b.add(write)
}

// parts has each thread copy a part of the file, as programs with several streams do.
func (b *builder) parts(bytes int64, ready int) (done []int) {
	m := b.method
	last := map[int]int{}
	blocks := (bytes + m.Block - 1) / m.Block
	for at := int64(0); at < bytes; at += m.Block {
		thread := int(at / m.Block * int64(m.Depth) / blocks)
		var after []int
		if _, begun := last[thread]; !begun && thread != b.thread {
			after = []int{ready}
		}
		last[thread] = b.block(thread, at, min(m.Block, bytes-at), after)
	}
	for thread := range m.Depth {
		if i, ok := last[thread]; ok && thread != b.thread {
			done = append(done, i)
		}
	}
	return done
}
