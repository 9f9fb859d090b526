package replay

import (
	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/trace"
)

// place gives operations without an offset the file position, and files the
// sizes that the program needs to find.
func place(p *Program) {
	first := p.Ops[0].At
	position, length := make([]program.Position, len(p.Files)), make([]int64, len(p.Files))
	for i := range p.Files {
		length[i] = p.Files[i].Size
	}
	moves := func(f int, at *int64, n int64) (end int64) {
		*at, _, _ = position[f].Move(*at, n)
		p.Files[f].End = max(p.Files[f].End, *at+n)
		return *at + n
	}
	reads := func(f int, at *int64, n int64) {
		if end := moves(f, at, n); end > length[f] { // it was longer than when it was first seen
			p.Files[f].Size, length[f] = end, end
		}
	}
	writes := func(f int, at *int64, n int64) { length[f] = max(length[f], moves(f, at, n)) }
	for i := range p.Ops {
		o := &p.Ops[i]
		p.WallNS = max(p.WallNS, o.At+o.Took-first)
		o.At -= first
		switch o.Kind {
		case trace.OpRead:
			reads(o.File, &o.Offset, o.Size)
		case trace.OpWrite:
			writes(o.File, &o.Offset, o.Size)
		case trace.OpCopyRange:
			reads(o.File, &o.Offset, o.Size)
			writes(o.File2, &o.Offset2, o.Size)
		case trace.OpOpen:
			position[o.File] = program.Position{}
			if o.Trunc {
				length[o.File] = 0
			}
		case trace.OpTruncate:
			length[o.File] = o.Size
		case trace.OpAllocate:
			length[o.File] = max(length[o.File], o.Offset+o.Size)
			p.Files[o.File].End = max(p.Files[o.File].End, length[o.File])
		case touch:
			if end := o.Offset + 1; end > length[o.File] {
				p.Files[o.File].Size, length[o.File] = end, end
			}
		}
	}
}

// depend finds what each operation waits for, and its pause.
func depend(p *Program) {
	last := make([]int, p.Threads) // operation of each thread, −1 if there was none
	for i := range last {
		last[i] = -1
	}
	// done lists, for each file and thread, the operations in order; only the
	// latest that had ended matters.
	done := make([]map[int][]int, len(p.Files))
	for i := range done {
		done[i] = map[int][]int{}
	}
	newestRead := -1
	var reads []int // that may not have ended yet
	for i := range p.Ops {
		o := &p.Ops[i]
		for _, f := range []int{o.File, o.File2} {
			if f < 0 {
				continue
			}
			for t, list := range done[f] {
				if t == o.Thread {
					continue
				}
				if j := latest(p, list, o.At); j >= 0 && !(o.looks() && p.Ops[j].looks()) {
					o.After = append(o.After, j)
				}
			}
			done[f][o.Thread] = append(done[f][o.Thread], i)
		}
		if o.Kind == trace.OpWrite {
			rest := reads[:0]
			for _, j := range reads {
				switch end := p.end(j); {
				case end > o.At:
					rest = append(rest, j)
				case newestRead < 0 || end > p.end(newestRead):
					newestRead = j
				}
			}
			reads = rest
			if newestRead >= 0 && p.Ops[newestRead].Thread != o.Thread {
				o.After = append(o.After, newestRead)
			}
		}
		if o.Kind == trace.OpRead && p.Threads > 1 {
			reads = append(reads, i)
		}
		from := int64(0)
		if j := last[o.Thread]; j >= 0 {
			from = p.end(j)
		}
		for _, j := range o.After {
			from = max(from, p.end(j))
		}
		o.Pause = max(o.At-from, 0)
		last[o.Thread] = i
	}
}

// latest is the last operation of a list that had ended at a time, −1 if none.
func latest(p *Program, list []int, at int64) int {
	for n := len(list) - 1; n >= 0; n-- {
		if p.end(list[n]) <= at {
			return list[n]
		}
	}
	return -1
}
