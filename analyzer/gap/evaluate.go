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

// thread is what is needed to find the time between its calls.
type thread struct {
	moved, calls int64
	until        int64 // end of its calls so far
	short        int64 // time between calls, gaps below longGap
	all          int64 // calls of any kind
	elsewhere    int64 // time in calls on other files since the last call
}

// longGap is the least time without a call of any thread that counts as think
// time, in ns, if the thread that ends it was blocked for half of it (a sleep, a
// lock) or if it lasts for computing or longer. Shorter ones come with each call
// of a thread: they are what the program does around it, and go with the request
// size. What is left is a thread that had to wait for a CPU, which is no property
// of the workload. That some threads pause while others work shows in the depth.
const (
	longGap   = 100_000
	computing = 10_000_000
)

// evaluate sums up the recording; nil if there is no payload. system is true
// to count files of the system too.
//
// It does so twice: first with all files, to know in which direction the
// payload goes, then with those that carry it, so that a script or a setting
// that is read before the work begins has no part in it.
func (s *survey) evaluate(system bool) *Workload {
	candidate := func(id trace.FileID) *surveyed { return s.regular(id, system) }
	w := s.pass(candidate)
	if w == nil {
		return nil
	}
	leastRead, leastWritten := s.carriers()
	reads, writes := w.Copies() || w.Reading(), !w.Reading()
	carries := map[trace.FileID]bool{}
	for id, f := range s.files {
		carries[id] = reads && f.read >= leastRead || writes && f.written >= leastWritten
	}
	return s.pass(func(id trace.FileID) *surveyed {
		if !carries[id] {
			return nil
		}
		return candidate(id)
	})
}

// carriers are the least bytes that a file must hold to count: a hundredth of
// what the file does in which the middle byte lies.
func (s *survey) carriers() (read, written int64) {
	reads, writes := map[int64]int64{}, map[int64]int64{}
	var r, w int64
	for _, f := range s.files {
		reads[f.read] += f.read
		writes[f.written] += f.written
		r, w = r+f.read, w+f.written
	}
	return max(middle(reads, r)/100, 1), max(middle(writes, w)/100, 1)
}

// pass sums up the calls on some files; nil if they moved nothing.
func (s *survey) pass(file func(trace.FileID) *surveyed) *Workload {
	for _, f := range s.files {
		f.read, f.written, f.fresh, f.made = 0, 0, 0, false
		f.readEnd, f.writeEnd = trace.NoOffset, trace.NoOffset
	}
	t := &tally{sizes: map[int64]int64{}, threads: map[uint32]*thread{}, from: -1}
	for i := range s.calls {
		c := &s.calls[i]
		if f := s.files[c.in]; f != nil && f.Path == "/dev/zero" {
			t.zeros += max(c.bytes, 0)
		}
		if s.regular(c.in, true) != nil || s.regular(c.out, true) != nil {
			t.all += max(c.bytes, 0)
		}
		in, out := file(c.in), file(c.out)
		switch {
		case (in != nil || out != nil) && c.bytes > 0:
			t.data(c, in, out)
		case file(c.file) != nil:
			t.other(c, file(c.file))
		}
	}
	if t.ReadBytes+t.WriteBytes == 0 {
		return nil
	}
	t.time(s.calls, s.waits, func(c *call) bool { return file(c.in) != nil || file(c.out) != nil || file(c.file) != nil })
	return t.finish(s.files)
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

// time sums up the gaps between the calls on the payload of the threads that move
// it, in the time of the workload. Calls on anything else are part of the gaps:
// reading from /dev/zero is what the program does around each write, and waiting
// for a pipe is a pause.
func (t *tally) time(calls []call, waits map[uint32][][2]int64, payload func(*call) bool) {
	until := int64(0) // end of the calls of all threads so far
	for i := range calls {
		c := &calls[i]
		x := t.threads[c.tid]
		if x == nil || c.async || c.from < t.from || c.from > t.to {
			continue
		}
		x.all++
		if !payload(c) {
			x.elsewhere += c.to - c.from
			continue
		}
		if gap := c.from - x.until; x.until > 0 && gap > 0 && gap < longGap {
			x.short += gap
		}
		if gap := c.from - until; until > 0 && gap >= longGap &&
			(gap >= computing || 2*max(spans.Within(waits[c.tid], until, c.from), x.elsewhere) >= gap) {
			t.ThinkSeconds += float64(gap) / 1e9
		}
		if gap := c.from - until; until > 0 && gap > 0 && gap < longGap {
			t.GapSeconds += float64(gap) / 1e9
		}
		x.elsewhere = 0
		x.until, until = max(x.until, c.to), max(until, c.to)
	}
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
