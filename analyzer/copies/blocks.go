package copies

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// blocks is where in files the devices read and wrote, and when: a part of a
// file has device bytes of its own, and so has each copy of a file that is
// written again and again.
type blocks struct {
	of    map[*world.File]*fileBlocks
	count int // of all files
	join  joiner
}

// fileBlocks are those of one file.
type fileBlocks struct{ read, written blockList }

type blockList struct {
	list   []blockIO
	bytes  int64
	joined bool // neighbours are one: when is only roughly known
}

// blockIO is what one request, or several that followed each other, moved.
type blockIO struct {
	measure.Extent
	bytes             int64
	issued, completed int64
}

const (
	manyBlocks     = 1024    // of a file and direction: with more, neighbours are joined when there are too many in all
	maxBlocks      = 1 << 14 // of all files: each copy of a part looks at all of its file
	maxBlockedFile = 20_000  // files that are followed
)

// request enters what a device moved of a file.
func (b *blocks) request(e *trace.Request, f *world.File, at, n int64) {
	if at < 0 || n <= 0 || e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	d := b.of[f]
	if d == nil {
		if len(b.of) >= maxBlockedFile {
			return
		}
		d = new(fileBlocks)
		b.of[f] = d
	}
	l := &d.read
	if e.Op == trace.ReqWrite {
		l = &d.written
	}
	l.list = append(l.list, blockIO{measure.Extent{From: at, To: at + n}, n, e.Issued, e.Completed})
	l.bytes += n
	b.count++
	if len(l.list) > manyBlocks && b.count > maxBlocks {
		b.count -= len(l.list)
		l.list, l.joined = b.join.halve(l.list), true
		b.count += len(l.list)
	}
}

// read is where the devices read of a file; written, where they wrote. nil if that is not known.
func (b *blocks) read(f *world.File) *blockList {
	if d := b.of[f]; d != nil {
		return &d.read
	}
	return nil
}

func (b *blocks) written(f *world.File) *blockList {
	if d := b.of[f]; d != nil {
		return &d.written
	}
	return nil
}

// turn is a stretch of time in which a place in a file belongs to one copy.
type turn struct{ from, to int64 }

// always is that of a copy which has the place to itself.
var always = turn{math.MinInt64, math.MaxInt64}

// within sums up what was moved of a part of the file, by requests issued in a turn.
func (l *blockList) within(part *measure.Ranges, delta int64, t turn) (all measure.Flow) {
	if l == nil {
		return all
	}
	for _, x := range l.list {
		if x.issued < t.from || x.issued > t.to || x.To-delta <= part.First() || x.From-delta >= part.End() {
			continue
		}
		common := part.Common(measure.Extent{From: x.From - delta, To: x.To - delta})
		if x.Extent.Bytes() > 0 && common.Bytes > 0 {
			all.Light = true
			all.Add(x.issued, x.completed, x.bytes*common.Bytes/x.Extent.Bytes(), false)
		}
	}
	return all
}
