package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// overall gathers what describes the workload as a whole.
type overall struct {
	calls    *timeline.Depth // data calls and asynchronous operations
	callArea int64
	tops     *timeline.Depth // reads and writes at topmost devices
	topArea  int64
	topBytes int64
	topReads int64
	topCount int64
	lastDone map[uint32]int64 // thread → end of its last data call
	thread   uint32
	done     int64
	think    measure.Histogram
	arrivals measure.Histogram
	arrived  int64
	seeks    measure.Histogram
	heads    map[trace.DeviceID]int64
}

func newOverall() *overall {
	return &overall{
		calls: timeline.WithLevels(), tops: timeline.WithLevels(), lastDone: map[uint32]int64{}, heads: map[trace.DeviceID]int64{},
		arrived: -1,
	}
}

// access adds a data call; think time is what passes between two of a thread.
func (o *overall) access(x *access) {
	o.calls.Add(x.start, x.end)
	o.callArea += x.end - x.start
	if x.api != 0 {
		return // asynchronous: the thread goes on meanwhile
	}
	if x.tid != o.thread {
		if o.thread != 0 && len(o.lastDone) < maxThreads {
			o.lastDone[o.thread] = o.done
		}
		o.thread, o.done = x.tid, -1
		if t, ok := o.lastDone[x.tid]; ok {
			o.done = t
		}
	}
	if o.done >= 0 && x.start >= o.done {
		o.think.Add(x.start - o.done)
	}
	o.done = max(o.done, x.end)
}

// request adds a read or a write at a topmost device.
func (o *overall) request(e *trace.Request) {
	if e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	end := max(e.Issued, e.Completed)
	o.tops.Add(e.Issued, end)
	o.topArea += end - e.Issued
	o.topBytes += e.Bytes
	o.topCount++
	if e.Op == trace.ReqRead {
		o.topReads += e.Bytes
	}
	if o.arrived >= 0 {
		o.arrivals.Add(e.Issued - o.arrived)
	}
	o.arrived = e.Issued
	at := int64(e.Sector) * 512
	if head, ok := o.heads[e.Device]; ok {
		o.seeks.Add(max(at-head, head-at))
	}
	o.heads[e.Device] = at + e.Bytes
}

func (a *analysis) wholePattern(p *profile.Profile) profile.WholePattern {
	o := a.overall
	w := profile.WholePattern{
		CallDepth: measure.DepthOf(o.calls, o.callArea, p.WallNS), DeviceDepth: measure.DepthOf(o.tops, o.topArea, a.span()),
		Think: o.think.Dist(), SyncCalls: a.syncs, Modes: &a.modes, InterArrival: o.arrivals.Dist(), SeekDistance: o.seeks.Dist(),
		ReadClass:  a.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.read, s.reads }),
		WriteClass: a.mainClass(func(s *fileStats) (*measure.Flow, *measure.Pattern) { return s.write, s.writes }),
	}
	if n := a.reads.Bytes + a.writes.Bytes; n > 0 {
		w.ReadMix = float64(a.reads.Bytes) / float64(n)
	}
	if o.topBytes > 0 {
		w.DeviceMix = float64(o.topReads) / float64(o.topBytes)
	}
	if o.topCount > 0 {
		w.BandwidthBusy, w.MeanAccess = measure.Rate(o.topBytes, w.DeviceDepth.BusyNS), o.topArea/o.topCount
	}
	cache := profile.Cache{}
	for _, f := range a.files.all {
		s := f.stats
		if s == nil || !f.data() {
			continue
		}
		w.WorkingSet += s.set()
		if s.read != nil && s.cached > 0 {
			c := f.cache()
			cache.ReadBytes += c.ReadBytes
			cache.FilledBytes += min(c.FilledBytes, c.ReadBytes)
			cache.DeviceBytes += min(c.DeviceBytes, c.ReadBytes)
		}
	}
	if cache.ReadBytes > 0 {
		w.Cache = measure.CacheOf(cache.ReadBytes, cache.FilledBytes, cache.DeviceBytes)
	}
	return w
}

// set is how many distinct bytes were read or written.
func (s *fileStats) set() int64 {
	n := int64(0)
	for _, o := range []*measure.Pattern{s.reads, s.writes} {
		if o != nil {
			n += o.Touched.Bytes()
		}
	}
	return n
}

// mainClass is the class of access that holds most bytes, in one direction.
func (a *analysis) mainClass(of func(*fileStats) (*measure.Flow, *measure.Pattern)) string {
	sums := map[string]int64{}
	for _, f := range a.files.all {
		if f.stats == nil || !f.data() {
			continue
		}
		if moved, order := of(f.stats); moved != nil && moved.Bytes > 0 {
			if p := order.Profile(); p != nil {
				sums[p.Class] += moved.Bytes
			}
		}
	}
	best := ""
	for _, c := range measure.SortedKeys(sums) {
		if best == "" || sums[c] > sums[best] {
			best = c
		}
	}
	return best
}
