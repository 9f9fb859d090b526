package usage

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Whole gathers what describes the workload as a whole.
type Whole struct {
	calls    *timeline.Depth // data calls and asynchronous operations
	callArea int64
	only     *world.Device   // that was used; nil if there are others, or none
	tops     *timeline.Depth // reads and writes at topmost devices, unless they are one
	topArea  int64
	topBytes int64
	topReads int64
	topCount int64
	lastDone map[uint32]ended // of each thread
	thread   uint32
	done     ended
	think    measure.Histogram
	gaps     measure.Gaps
	arrivals measure.Histogram
	arrived  int64
	seeks    measure.Histogram
	heads    map[trace.DeviceID]int64
	modes    profile.CacheModes
	span     int64
}

// ended is the end of the last data call of a thread, at -1 if there was none, and what the call did.
type ended struct {
	at  int64
	way measure.Way
}

func NewWhole(t *world.Devices, span int64) *Whole {
	return &Whole{
		span: span, only: t.Only(),
		calls: timeline.WithLevels(), tops: timeline.WithLevels(), lastDone: map[uint32]ended{},
		heads:   map[trace.DeviceID]int64{},
		arrived: -1,
	}
}

// Data adds a data call; think time is what passes between two of a thread.
func (o *Whole) Data(x *world.Access) {
	countMode(&o.modes, x)
	o.calls.Add(x.Start, x.End)
	o.callArea += x.End - x.Start
	if x.API != 0 {
		return // asynchronous: the thread goes on meanwhile
	}
	if x.TID != o.thread {
		if o.thread != 0 && len(o.lastDone) < survey.MaxThreads {
			o.lastDone[o.thread] = o.done
		}
		o.thread, o.done = x.TID, ended{at: -1}
		if t, ok := o.lastDone[x.TID]; ok {
			o.done = t
		}
	}
	way := measure.Way{Reads: x.Reads, Writes: x.Writes}
	if o.done.at >= 0 && x.Start >= o.done.at {
		o.think.Add(x.Start - o.done.at)
		o.gaps.Add(o.done.way, way, x.Start-o.done.at)
	}
	if x.End >= o.done.at {
		o.done = ended{x.End, way}
	}
}

// Request adds a read or a write that the workload asked for.
func (o *Whole) Request(e *world.Request) {
	if !e.Direct || e.Op != trace.ReqRead && e.Op != trace.ReqWrite {
		return
	}
	end := max(e.Issued, e.Completed)
	if o.only == nil {
		o.tops.Add(e.Issued, end)
	}
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
	if head, ok := o.heads[e.Request.Device]; ok {
		o.seeks.Add(max(at-head, head-at))
	}
	o.heads[e.Request.Device] = at + e.Bytes
}

// Finish describes the workload as a whole.
func (o *Whole) Finish(p *profile.Profile) {
	w := &p.Pattern
	w.CallDepth = measure.DepthOf(o.calls, o.callArea, p.WallNS)
	if w.DeviceDepth = measure.DepthOf(o.tops, o.topArea, o.span); o.only != nil {
		w.DeviceDepth = deviceOf(p.Devices, o.only).Depth
	}
	w.Think, w.Gaps, w.Modes = o.think.Dist(), o.gaps.Profile(), &o.modes
	w.InterArrival, w.SeekDistance = o.arrivals.Dist(), o.seeks.Dist()
	for i := range p.Calls {
		if c := &p.Calls[i]; c.Syncs() {
			w.SyncCalls += c.Count
		}
	}
	if o.topBytes > 0 {
		w.DeviceMix = float64(o.topReads) / float64(o.topBytes)
	}
	if o.topCount > 0 {
		w.BandwidthBusy, w.MeanAccess = measure.Rate(o.topBytes, w.DeviceDepth.BusyNS), o.topArea/o.topCount
	}
}
