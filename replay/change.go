package replay

import (
	"errors"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/program"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/unit"

	"github.com/iotrace/iotrace/trace"
)

// maxDepth is how many calls a thread may have in flight: each needs a thread.
const maxDepth = 256

// ErrSame means that a change has nothing to change.
var ErrSame = errors.New("the program does nothing that this changes")

// Apply is a program with a change made. The program itself stays as it is.
func Apply(c program.Change, p *Program) (*Program, error) {
	if c.Depth < 0 || c.Depth > maxDepth {
		return nil, fmt.Errorf("%d calls in flight: want 1 to %d, each is a thread", c.Depth, maxDepth)
	}
	q := *p
	q.Ops = append([]Op(nil), p.Ops...)
	for _, part := range []struct {
		asked bool
		what  string
		apply func(q *Program) bool
	}{
		{c.NoThink, "no pauses", noThink},
		{c.NoSync, "no syncs", noSync},
		{c.Block > 0, "blocks of " + unit.BlockSize(c.Block), func(q *Program) bool {
			merged := merge(q, c.Block)
			return split(q, c.Block) || merged
		}},
		{c.Direct, "direct", direct},
		{c.ReadAhead > 0, "readahead", func(q *Program) bool { return readAhead(q, c.ReadAhead) }},
		{c.Depth > 1, fmt.Sprintf("%d in flight", c.Depth), func(q *Program) bool { return deepen(q, c.Depth) }},
	} {
		if part.asked && !part.apply(&q) {
			return nil, fmt.Errorf("%s: %w", part.what, ErrSame)
		}
	}
	return &q, nil
}

func noThink(p *Program) bool {
	changed := false
	for i := range p.Ops {
		changed = changed || p.Ops[i].Pause > 0
		p.Ops[i].Pause = 0
	}
	return changed
}

func noSync(p *Program) bool {
	e := newEdit(p)
	for i := range p.Ops {
		o := p.Ops[i]
		switch o.Kind {
		case trace.OpSync, trace.OpDataSync, trace.OpSyncRange:
			e.drop(i)
		default:
			e.changed = e.changed || o.Sync != 0
			o.Sync = 0
			e.put(o, i)
		}
	}
	return e.finish()
}

// direct has the reads and writes of files go past the page cache whose offsets
// allow it; a size that does not is that of the end of a file.
func direct(p *Program) bool {
	unfit := make([]bool, len(p.Files))
	for i := range p.Ops {
		switch o := &p.Ops[i]; o.Kind {
		case trace.OpRead, trace.OpWrite:
			end := o.Offset + o.Size
			fits := o.Offset%host.Sector == 0 && (end%host.Sector == 0 || end == p.Files[o.File].End)
			unfit[o.File] = unfit[o.File] || !fits
		case trace.OpCopyRange: // a descriptor is direct or is not, and these need one that is not
			unfit[o.File], unfit[o.File2] = true, true
		}
	}
	changed := false
	for i := range p.Ops {
		o := &p.Ops[i]
		switch o.Kind {
		case trace.OpRead, trace.OpWrite, trace.OpOpen:
			if !unfit[o.File] {
				changed = changed || !o.Direct && o.Kind != trace.OpOpen
				o.Direct = true
			}
		}
	}
	return changed
}

// inOrder and willNeed are POSIX_FADV_SEQUENTIAL and POSIX_FADV_WILLNEED of Linux.
const inOrder, willNeed = 2, 3

// readAhead tells the kernel of what a thread is going to read, as far as that
// lies in order.
func readAhead(p *Program, ahead int64) bool {
	type stream struct{ thread, file int }
	told := map[stream]int64{} // up to where
	at := map[stream]int64{}   // the end of the last read
	e := newEdit(p)
	for i := range p.Ops {
		o := p.Ops[i]
		s := stream{o.Thread, o.File}
		if o.Kind == trace.OpRead && !o.Direct {
			end := o.Offset + o.Size
			if at[s] != o.Offset {
				told[s] = 0
			}
			if at[s] = end; end+ahead/2 > told[s] {
				from := max(told[s], o.Offset)
				advice := Op{Kind: trace.OpAdvise, Thread: o.Thread, File: o.File, File2: -1, Offset: from,
					Offset2: willNeed, Size: end + ahead - from, At: o.At, Pause: o.Pause, After: o.After, Turn: o.Turn}
				e.insert(advice)
				p.Ops[i].Pause, p.Ops[i].After = 0, nil
				told[s] = end + ahead
			}
		}
		e.keep(i)
	}
	return e.finish()
}
