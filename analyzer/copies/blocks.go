package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// blocks is where in files the devices read and wrote, and when: a part of a
// file has device bytes of its own.
type blocks map[*world.File]*fileBlocks

// fileBlocks are those of one file.
type fileBlocks struct{ read, written []blockIO }

// blockIO is what one request, or several that followed each other, moved.
type blockIO struct {
	measure.Extent
	bytes             int64
	issued, completed int64
}

const (
	maxBlocks      = 1024   // of a file and direction; then neighbours are joined
	maxBlockedFile = 20_000 // files that are followed
)

// request enters what a device moved of a file.
func (b blocks) request(e *trace.Request, f *world.File, at, n int64) {
	if at < 0 || n <= 0 || e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	d := b[f]
	if d == nil {
		if len(b) >= maxBlockedFile {
			return
		}
		d = new(fileBlocks)
		b[f] = d
	}
	list := &d.read
	if e.Op == trace.ReqWrite {
		list = &d.written
	}
	*list = append(*list, blockIO{measure.Extent{From: at, To: at + n}, n, e.Issued, e.Completed})
	if len(*list) > maxBlocks {
		*list = joinBlocks(*list)
	}
}

// joinBlocks halves a list: each block is joined with the next. The first ones
// are in order since they were joined before.
func joinBlocks(list []blockIO) []blockIO {
	n := 1
	for n < len(list) && list[n-1].From <= list[n].From {
		n++
	}
	slices.SortFunc(list[n:], func(a, b blockIO) int { return cmp.Compare(a.From, b.From) })
	fresh := slices.Clone(list[n:])
	for i := len(list) - 1; len(fresh) > 0; i-- { // merged from the end
		last := len(fresh) - 1
		if n > 0 && fresh[last].From < list[n-1].From {
			n--
			list[i] = list[n]
		} else {
			list[i], fresh = fresh[last], fresh[:last]
		}
	}
	for i := 0; i+1 < len(list); i += 2 {
		a, b := list[i], list[i+1]
		list[i/2] = blockIO{measure.Extent{From: a.From, To: max(a.To, b.To)}, a.bytes + b.bytes, min(a.issued, b.issued),
			max(a.completed, b.completed)}
	}
	return list[:len(list)/2]
}

// within sums up what was moved of a part of the file.
func within(list []blockIO, part *measure.Ranges, delta int64) (all measure.Flow) {
	for _, x := range list {
		common := part.Common(measure.Extent{From: x.From - delta, To: x.To - delta})
		if x.Extent.Bytes() > 0 && common.Bytes > 0 {
			all.Light = true
			all.Add(x.issued, x.completed, x.bytes*common.Bytes/x.Extent.Bytes(), false)
		}
	}
	return all
}
