package analyzer

import "github.com/iotrace/iotrace/trace"

// metadata enters a call that begins or ends a transfer, or sets a size.
func (b *books) metadata(e *trace.Syscall, f *file, p *process) {
	t := p.flows
	switch e.Op {
	case trace.OpOpen:
		t.opened(f, e.Flags)
		switch {
		case e.Flags&trace.FlagCreate != 0 && f.data():
			b.make(p, f, e.Start)
		case e.Flags&trace.FlagWrite == 0 && f.data() && f.kind == trace.FileRegular && f.size == 0:
			t.vacant = f
		}
	case trace.OpClose:
		if t.vacant == f {
			t.vacant = nil
		}
	case trace.OpTruncate:
		f.size = e.Requested
	}
}

// maker is a process that made a file.
type maker struct {
	process *process
	file    *file
}

// make notes that a process made a file, and which empty one it had open.
func (b *books) make(p *process, f *file, at int64) {
	if len(b.made) >= maxSessions {
		return
	}
	b.made = append(b.made, maker{p, f})
	f.madeAt = at
	if from := p.flows.vacant; from != nil && from != f {
		b.empties = append(b.empties, &empty{from, f, p, at})
	}
}

func (b *books) mmap(e *trace.Syscall, f *file, p *process) {
	if len(p.flows.mappings) == 0 {
		b.mappers = append(b.mappers, p)
	}
	p.flows.mapped(e, f)
}

// clone enters a call that shares data between two files.
func (b *books) clone(e *trace.Syscall, f, f2 *file, p *process) {
	if f2 == nil {
		return
	}
	if e.Op == trace.OpClone && f.unknown() {
		if len(b.clones) < maxSessions {
			b.clones = append(b.clones, unsized{f, f2, p, e.Start, max(e.Start, e.End())})
		}
		return
	}
	x := access{
		op: e.Op, start: e.Start, end: max(e.Start, e.End()), flags: e.Flags, filled: e.Filled, file: f, at: 0, file2: f2, at2: 0,
		bytes: f.size,
	}
	if e.Op == trace.OpCloneRange {
		x.at, x.at2, x.bytes = max(e.Offset, 0), max(e.Offset2, 0), e.Requested
		if x.bytes == 0 { // to the end
			x.bytes = f.size - x.at
		}
	}
	f2.size = max(f2.size, x.at2+x.bytes)
	b.access(&x, p)
}

// unsized is a clone of a file whose size was not seen: how many bytes the two
// share is not known.
type unsized struct {
	source, dest *file
	process      *process
	at, until    int64
}

// unknown reports whether the size of a file is not known: nobody asked the
// system about it, and no call told.
func (f *file) unknown() bool { return f.size <= 0 && f.inode == 0 }
