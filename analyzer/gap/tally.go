package gap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/analyzer/program"
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
	flight              program.Flight // data calls
	calls               int64
	from, to            int64
	threads             map[uint32]*thread
	looks, changes      int64
	fullSyncs           int64 // with the file's metadata: fsync, O_SYNC
	zeros               int64 // read from /dev/zero
	all                 int64 // bytes that calls moved from and to regular files
}

func (t *tally) data(c *program.Step, in, out *surveyed) {
	if in != nil {
		t.ReadBytes += c.Moved
		in.read += c.Moved
		if _, at := c.Source(); c.Page {
			t.mapped += c.Moved
			t.accessMapped(&in.reads, at, c.Moved)
		} else {
			t.access(&in.reads, at, c.Moved)
		}
		if c.Cached() {
			t.cachedReads += c.Moved
			t.filled += c.Filled
		}
	}
	if out != nil {
		t.WriteBytes += c.Moved
		out.written += c.Moved
		_, at := c.Target()
		if out.made || at >= 0 && at+c.Moved > out.Size {
			out.fresh += c.Moved
		}
		t.access(&out.writes, at, c.Moved)
		if c.Synced() {
			t.Syncs++
			if c.Flags&trace.FlagSync != 0 {
				t.fullSyncs++
			}
		}
	}
	if c.Direct() {
		t.direct += c.Moved
	}
	if in != nil && out != nil {
		t.inKernel += c.Moved
	}
	t.CallBytes += c.Moved
	t.sizes[c.Moved] += c.Moved
	t.flight.Add(c.Start, c.End)
	t.calls++
	t.touch(c)
	x := t.threads[c.TID]
	if x == nil {
		x = &thread{}
		t.threads[c.TID] = x
	}
	x.moved += c.Moved
	x.calls++
}

// access counts how many accesses follow the one before.
func (t *tally) access(p *program.Position, at, n int64) {
	_, follows, first := p.Move(at, n)
	t.count(follows, first)
}

func (t *tally) count(follows, first bool) {
	if first {
		return
	}
	t.accesses++
	if follows {
		t.consec++
	}
}

// around is how far from the end of what was fetched a page may lie that follows it: the kernel fetches pages before
// and after the one that is touched, and tells not where it began.
const around = 1 << 20

// accessMapped counts likewise for a page that was touched.
func (t *tally) accessMapped(p *program.Position, at, n int64) {
	apart, known := p.Apart(at)
	p.Move(at, n)
	t.count(-around <= apart && apart <= around, !known)
}

func (t *tally) other(c *program.Step, f *surveyed) {
	switch {
	case c.Op.Durability():
		t.Syncs++
		if c.Op == trace.OpSync || c.Op == trace.OpSyncFS {
			t.fullSyncs++
		}
	case c.Op.Metadata():
		switch c.Op {
		case trace.OpOpen, trace.OpClose:
		case trace.OpStat, trace.OpReadlink, trace.OpStatFS, trace.OpReaddir:
			t.looks++
		default:
			t.changes++
		}
		t.MetaCalls++
		t.MetaSeconds += float64(c.Took()) / 1e9
		if c.Op == trace.OpOpen && c.Flags&trace.FlagTrunc != 0 {
			f.made = true
		}
	default:
		return
	}
	t.touch(c)
}

func (t *tally) touch(c *program.Step) {
	if t.from < 0 {
		t.from = c.Start
	}
	t.to = max(t.to, c.End)
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
	w.Latency, w.Depth = t.flight.Latency(), t.flight.Mean()
	w.Random = program.Random(t.consec, t.accesses)
	w.Buffered = 2*t.direct < w.CallBytes
	w.Warm = !(w.WriteBytes > 0 && !w.Copies() && !w.Reading()) && program.Warm(t.filled, t.cachedReads)
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
