package gap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/internal/spans"
	"github.com/iotrace/iotrace/trace"
)

// tally sums up the calls on the payload's files.
type tally struct {
	Workload
	sizes               map[int64]int64 // bytes moved in calls of a size
	direct, inKernel    int64
	mapped              int64 // came in for mapped pages
	filled, cachedReads int64
	accesses, consec    int64
	spans               [][2]int64
	busy, calls         int64
	from, to            int64
	threads             map[uint32]*thread
	looks, changes      int64
	fullSyncs           int64 // with the file's metadata: fsync, O_SYNC
	zeros               int64 // read from /dev/zero
	all                 int64 // bytes that calls moved from and to regular files
}

func (t *tally) data(c *call, in, out *surveyed) {
	if in != nil {
		t.ReadBytes += c.bytes
		in.read += c.bytes
		if c.mapped {
			t.mapped += c.bytes
			t.accessMapped(&in.readEnd, c.at, c.bytes)
		} else {
			t.access(&in.readEnd, c.at, c.bytes)
		}
		if c.flags&(trace.FlagDirect|trace.FlagNoCache) == 0 {
			t.cachedReads += c.bytes
			t.filled += c.filled
		}
	}
	if out != nil {
		t.WriteBytes += c.bytes
		out.written += c.bytes
		end := c.outAt + c.bytes
		if out.made || c.outAt >= 0 && end > out.Size {
			out.fresh += c.bytes
		}
		t.access(&out.writeEnd, c.outAt, c.bytes)
		if c.flags&(trace.FlagSync|trace.FlagDSync) != 0 {
			t.Syncs++
			if c.flags&trace.FlagSync != 0 {
				t.fullSyncs++
			}
		}
	}
	if c.flags&trace.FlagDirect != 0 {
		t.direct += c.bytes
	}
	if in != nil && out != nil {
		t.inKernel += c.bytes
	}
	t.CallBytes += c.bytes
	t.sizes[c.bytes] += c.bytes
	t.spans = append(t.spans, [2]int64{c.from, c.to})
	t.busy += c.to - c.from
	t.calls++
	t.touch(c)
	x := t.threads[c.tid]
	if x == nil {
		x = &thread{}
		t.threads[c.tid] = x
	}
	x.moved += c.bytes
	x.calls++
}

// access counts how many accesses follow the one before. An offset that is not
// known is taken to be the file position, which only moves on.
func (t *tally) access(end *int64, at, n int64) {
	if at < 0 {
		at = max(*end, 0)
	}
	if *end >= 0 {
		t.accesses++
		if at == *end {
			t.consec++
		}
	}
	*end = at + n
}

// around is how far from the end of what was fetched a page may lie that follows it: the kernel fetches pages before
// and after the one that is touched, and tells not where it began.
const around = 1 << 20

// accessMapped counts likewise for a page that was touched.
func (t *tally) accessMapped(end *int64, at, n int64) {
	if *end >= 0 {
		t.accesses++
		if d := at - *end; -around <= d && d <= around {
			t.consec++
		}
	}
	*end = at + n
}

func (t *tally) other(c *call, f *surveyed) {
	switch {
	case c.op.Durability():
		t.Syncs++
		if c.op == trace.OpSync || c.op == trace.OpSyncFS {
			t.fullSyncs++
		}
		t.SyncSeconds += float64(c.to-c.from) / 1e9
	case c.op.Metadata():
		switch c.op {
		case trace.OpOpen, trace.OpClose:
		case trace.OpStat, trace.OpReadlink, trace.OpStatFS, trace.OpReaddir:
			t.looks++
		default:
			t.changes++
		}
		t.MetaCalls++
		t.MetaSeconds += float64(c.to-c.from) / 1e9
		if c.op == trace.OpOpen && c.flags&trace.FlagTrunc != 0 {
			f.made = true
		}
	default:
		return
	}
	t.touch(c)
}

func (t *tally) touch(c *call) {
	if t.from < 0 {
		t.from = c.from
	}
	t.to = max(t.to, c.to)
}

func (t *tally) finish(files map[trace.FileID]*surveyed) *Workload {
	w := &t.Workload
	w.Bytes = w.WriteBytes
	if w.Reading() {
		w.Bytes = w.ReadBytes
	}
	w.Seconds = float64(max(t.to-t.from, 1)) / 1e9
	w.Block, w.MeanBlock = middle(t.sizes, w.CallBytes), float64(w.CallBytes)/float64(t.calls)
	w.InKernel = 2*t.inKernel > w.CallBytes
	w.Mapped = 2*t.mapped > w.ReadBytes && !w.InKernel
	w.Latency = float64(t.busy) / 1e9 / float64(t.calls)
	w.Depth = 1
	if covered := spans.Union(t.spans); covered > 0 {
		w.Depth = float64(t.busy) / float64(covered)
	}
	w.Random = t.accesses > 0 && 5*t.consec < t.accesses
	w.Buffered = 2*t.direct < w.CallBytes
	w.Warm = !(w.WriteBytes > 0 && !w.Copies() && !w.Reading()) && t.cachedReads > 0 && 5*t.filled < t.cachedReads
	fresh := int64(0)
	for _, f := range files {
		fresh += f.fresh
		if w.Reading() && f.read > 0 || !w.Reading() && f.written > 0 {
			w.Files++
		}
	}
	w.Fresh = 2*fresh > w.WriteBytes
	w.FullSync = 2*t.fullSyncs > w.Syncs
	w.Looks, w.Changes = float64(t.looks)/float64(max(w.Files, 1)), float64(t.changes)/float64(max(w.Files, 1))
	w.Covered.Bytes = float64(w.CallBytes) / float64(max(t.all, w.CallBytes))
	if !w.Copies() && !w.Reading() && 2*t.zeros > w.WriteBytes {
		w.Compressible = 1
	}
	w.Paths = largest(files, w.Reading())
	busiest := &thread{}
	for _, tid := range slices.Sorted(maps.Keys(t.threads)) {
		if x := t.threads[tid]; x.moved > busiest.moved {
			busiest = x
		}
	}
	w.calls, w.dataCalls = busiest.all, busiest.calls
	w.CallGap = float64(busiest.short) / 1e9 / float64(max(busiest.calls, 1))
	return w
}

// largest are the paths of the files that hold most of what was read or written.
func largest(files map[trace.FileID]*surveyed, reading bool) []string {
	moved := func(f *surveyed) int64 {
		if reading {
			return f.read
		}
		return f.written
	}
	var list []*surveyed
	for _, f := range files {
		if moved(f) > 0 {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *surveyed) int {
		return cmp.Or(cmp.Compare(moved(b), moved(a)), cmp.Compare(a.ID, b.ID))
	})
	var paths []string
	for _, f := range list[:min(len(list), 16)] {
		paths = append(paths, f.Path)
	}
	return paths
}

// middle is the size below or at which half of the bytes were moved.
func middle(sizes map[int64]int64, total int64) int64 {
	sum := int64(0)
	for _, n := range slices.Sorted(maps.Keys(sizes)) {
		if sum += sizes[n]; 2*sum >= total {
			return n
		}
	}
	return 0
}
