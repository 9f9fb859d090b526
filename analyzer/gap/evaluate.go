package gap

import (
	"cmp"
	"maps"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// tally sums up the calls on the payload's files.
type tally struct {
	Workload
	sizes               map[int64]int64 // bytes moved in calls of a size
	direct, inKernel    int64
	filled, cachedReads int64
	accesses, consec    int64
	spans               [][2]int64
	busy, calls         int64
	from, to            int64
	threads             map[uint32]*thread
}

// thread is what is needed to find the time between its calls.
type thread struct {
	moved       int64
	from, until int64
	inside      int64
}

// evaluate sums up the recording; nil if there is no payload. system is true
// to count files of the system too.
func (s *survey) evaluate(system bool) *Workload {
	for _, f := range s.files {
		f.read, f.written, f.fresh, f.made = 0, 0, 0, false
		f.end, f.readEnd, f.writeEnd = max(f.Size, 0), trace.NoOffset, trace.NoOffset
	}
	t := &tally{sizes: map[int64]int64{}, threads: map[uint32]*thread{}, from: -1}
	for i := range s.calls {
		c := &s.calls[i]
		in, out := s.regular(c.in, system), s.regular(c.out, system)
		switch {
		case (in != nil || out != nil) && c.bytes > 0:
			t.data(c, in, out)
		case s.regular(c.file, system) != nil:
			t.other(c, s.regular(c.file, system))
		}
	}
	if t.ReadBytes+t.WriteBytes == 0 {
		return nil
	}
	t.time(s.calls)
	return t.finish(s.files)
}

func (t *tally) data(c *call, in, out *surveyed) {
	if in != nil {
		t.ReadBytes += c.bytes
		in.read += c.bytes
		t.access(&in.readEnd, c.at, c.bytes)
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
	t.thread(c).moved += c.bytes
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

func (t *tally) other(c *call, f *surveyed) {
	switch {
	case c.op.Durability():
		t.Syncs++
		t.SyncSeconds += float64(c.to-c.from) / 1e9
	case c.op.Metadata():
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

func (t *tally) thread(c *call) *thread {
	x := t.threads[c.tid]
	if x == nil {
		x = &thread{from: c.from}
		t.threads[c.tid] = x
	}
	return x
}

// time sums up what each thread spent in calls between its first and the end
// of its last one in the time of the workload, whatever they worked on.
func (t *tally) time(calls []call) {
	for i := range calls {
		c := &calls[i]
		x := t.threads[c.tid]
		if x == nil || c.async || c.from < t.from || c.from > t.to {
			continue
		}
		if x.until == 0 {
			x.from, x.until = c.from, c.from
		}
		x.inside += max(min(c.to, t.to)-max(c.from, x.until), 0)
		x.until = max(x.until, min(c.to, t.to))
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
	w.Latency = float64(t.busy) / 1e9 / float64(t.calls)
	w.Depth = 1
	if covered := union(t.spans); covered > 0 {
		w.Depth = float64(t.busy) / float64(covered)
	}
	w.Random = t.accesses > 0 && 5*t.consec < t.accesses
	w.Buffered = 2*t.direct < w.CallBytes
	w.Warm = t.cachedReads > 0 && 5*t.filled < t.cachedReads
	fresh := int64(0)
	for _, f := range files {
		fresh += f.fresh
		if w.Reading() && f.read > 0 || !w.Reading() && f.written > 0 {
			w.Files++
		}
	}
	w.Fresh = 2*fresh > w.WriteBytes
	busiest := &thread{}
	for _, tid := range slices.Sorted(maps.Keys(t.threads)) {
		if x := t.threads[tid]; x.moved > busiest.moved {
			busiest = x
		}
	}
	w.ThinkSeconds = max(float64(busiest.until-busiest.from-busiest.inside)/1e9, 0)
	return w
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

// union is the time covered by at least one span.
func union(spans [][2]int64) int64 {
	slices.SortFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	covered, until := int64(0), int64(0)
	for _, s := range spans {
		covered += max(s[1]-max(s[0], until), 0)
		until = max(until, s[1])
	}
	return covered
}
