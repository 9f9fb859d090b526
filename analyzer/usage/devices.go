package usage

import (
	"cmp"
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Devices gathers what each device did.
type Devices struct {
	devices  *world.Devices
	used     world.Table[deviceUse]
	span     int64
	outsider outsider
}

// NewDevices takes what programs and threads of the kernel are called that were not recorded, "" where that is unknown.
func NewDevices(t *world.Devices, span int64, outsider outsider) *Devices {
	return &Devices{devices: t, span: span, outsider: outsider}
}

// Request adds a request to its device.
func (c *Devices) Request(e *world.Request) { c.used.Of(e.Device.Number).request(e) }

// Finish lists the devices, those with most bytes first.
func (c *Devices) Finish(p *profile.Profile) {
	var list []*world.Device
	for _, d := range c.devices.All {
		if u := c.used.Of(d.Number); d.Used || u.foreign.Count+u.recorder.Count > 0 {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *world.Device) int {
		return cmp.Compare(c.used.Of(b.Number).moved(), c.used.Of(a.Number).moved())
	})
	for _, d := range list {
		u := c.used.Of(d.Number)
		u.turns.upTo(math.MaxInt64)
		u.shared()
		u.foreign.Users = users(u.others, u.foreign.Read+u.foreign.Write, c.outsider)
		p.Devices = append(p.Devices, u.profile(d, c.devices, c.span))
		p.Recorder.DeviceBytes += u.recorder.Read + u.recorder.Write
	}
}

// deviceUse is what one device did.
type deviceUse struct {
	read, write, flush, discard measure.Flow
	depth                       *timeline.Depth
	area                        int64 // of depth: latencies of reads and writes
	queue                       measure.Histogram
	readLine, writeLine         line
	merged, requeues            int64
	readahead, background, meta int64
	directRead, directWrite     int64 // below another device: not asked for by that one
	syncWrites, fua, idleClass  int64
	swapRead, swapWrite         int64
	evidence                    [5]int64
	foreign, recorder           profile.Share
	others                      map[uint32]int64 // bytes of foreign by who asked for them
	theirs                      *timeline.Depth  // of foreign
	theirArea                   int64            // of theirs
	turns                       turns
	failures                    failures
	reads, writes               measure.Pattern
	touched                     measure.Regions
	offsets                     offsets
}

func (d *deviceUse) moved() int64 { return d.read.Bytes + d.write.Bytes }

// request adds a request that was issued.
func (d *deviceUse) request(e *world.Request) {
	end := max(e.Issued, e.Completed)
	d.turns.add(e, end)
	switch {
	case e.Flags&trace.ReqRecorder != 0:
		count(&d.recorder, e)
		return
	case !e.Ours:
		count(&d.foreign, e)
		if d.theirs == nil {
			d.theirs = timeline.WithLevels()
		}
		d.theirs.Add(e.Issued, end)
		d.theirArea += end - e.Issued
		d.by(e, e.Bytes)
		return
	}
	failed := world.Failed(e.Request)
	below := int64(0)
	if e.Direct && e.Device.Level > 1 {
		below = e.Bytes
	}
	if e.Others > 0 {
		d.foreign.Write += e.Others
		d.by(e, e.Others)
	}
	switch e.Op {
	case trace.ReqRead:
		d.directRead += below
		d.read.Add(e.Issued, end, e.Bytes, failed)
		d.reads.Add(int64(e.Sector)*512, e.Bytes)
	case trace.ReqWrite:
		d.directWrite += below
		d.write.Add(e.Issued, end, e.Own(), failed)
		d.writes.Add(int64(e.Sector)*512, e.Bytes)
	case trace.ReqFlush:
		d.flush.Add(e.Issued, end, e.Bytes, failed)
	case trace.ReqDiscard, trace.ReqWriteZeroes:
		d.discard.Add(e.Issued, end, e.Bytes, failed)
	}
	if e.Op == trace.ReqRead || e.Op == trace.ReqWrite {
		if d.depth == nil {
			d.depth = timeline.WithLevels()
		}
		d.stood(e)
		d.depth.Add(e.Issued, end)
		d.area += end - e.Issued
		d.touched.Add(int64(e.Sector)*512, e.Bytes)
		d.offsets.add(e)
	}
	if e.Queued >= 0 && e.Queued <= e.Issued {
		d.queue.Add(e.Issued - e.Queued)
	}
	d.count(e)
	if failed {
		d.failures.add(trace.Errno(e.Error))
	}
}

func (d *deviceUse) count(e *world.Request) {
	if e.Bios > 1 {
		d.merged += int64(e.Bios) - 1
	}
	d.requeues += int64(e.Requeues)
	if int(e.Evidence) < len(d.evidence) {
		d.evidence[e.Evidence] += e.Bytes
	}
	if e.Flags&trace.ReqReadahead != 0 {
		d.readahead += e.Bytes
	}
	if e.Flags&trace.ReqBackground != 0 {
		d.background += e.Bytes
	}
	if e.Flags&trace.ReqIdle != 0 {
		d.idleClass += e.Bytes
	}
	switch {
	case e.Flags&trace.ReqSwap != 0 && e.Op == trace.ReqRead:
		d.swapRead += e.Bytes
	case e.Flags&trace.ReqSwap != 0:
		d.swapWrite += e.Bytes
	case e.Flags&trace.ReqMeta != 0 || e.Evidence == trace.EvidenceNone:
		d.meta += e.Own()
	}
	if e.Flags&trace.ReqFUA != 0 {
		d.fua++
	}
	if e.Op == trace.ReqWrite && e.Flags&trace.ReqSync != 0 {
		d.syncWrites++
	}
}

// Latencies are looked at for modes if there are at least minModes of them, and
// then at most maxModes.
const (
	minModes = 50
	maxModes = 1000
)

// profile is the device as the profile shows it.
func (u *deviceUse) profile(d *world.Device, t *world.Devices, wall int64) profile.Device {
	if u.depth == nil {
		u.depth = timeline.WithLevels()
	}
	p := profile.Device{
		Name: d.Name, ID: world.DeviceNumber(d.ID), Layer: d.Layer(), Level: d.Level, Model: d.Model,
		Firmware: d.Firmware, Scheduler: d.Scheduler,
		Rotational: d.Rotational, LogicalBlock: d.LogicalBlock, MaxRequest: d.MaxRequest, ReadAhead: d.ReadAhead,
		QueueDepth: d.QueueDepth, Size: d.Size, WriteCache: d.WriteCache, Backing: d.Backing,
		BackingDirect: d.BackingDirect, HardwareRequest: d.HardwareRequest, Shifted: u.offsets.shifted(),
		Read: u.read.Profile(wall), Write: u.write.Profile(wall), Flush: u.flush.Profile(wall),
		Discard:  u.discard.Profile(wall),
		ReadCost: u.turns.reads.cost.Profile(), WriteCost: u.turns.writes.cost.Profile(),
		DirectRead: u.directRead, DirectWrite: u.directWrite,
		Depth: measure.DepthOf(u.depth, u.area, wall), MergedBios: u.merged, Requeues: u.requeues, Readahead: u.readahead,
		Background: u.background, MetaBytes: u.meta, SyncWrites: u.syncWrites, FUA: u.fua, IdleClass: u.idleClass,
		SwapRead: u.swapRead, SwapWrite: u.swapWrite,
		Foreign: u.foreign, Recorder: u.recorder, WorkingSet: u.touched.Bytes(), Evidence: map[string]int64{},
		ReadPattern: u.reads.Profile(), WritePattern: u.writes.Profile(), Failed: u.failures.count,
		Errno: u.failures.errno,
	}
	for _, x := range []struct {
		f  *profile.Flow
		h  *measure.Flow
		by *behind
	}{{p.Read, &u.read, &u.turns.reads}, {p.Write, &u.write, &u.turns.writes}} {
		if x.f != nil {
			x.f.AloneNS = x.by.usuallyAlone()
		}
		if x.f != nil && x.h.Count >= minModes {
			x.f.Latency.Modes = measure.Modes(x.h.Detail.Latency.Sample(maxModes))
		}
	}
	for _, id := range d.Parents {
		p.Parents = append(p.Parents, t.Get(id).Name)
	}
	for i, n := range u.evidence {
		if n > 0 {
			p.Evidence[trace.Evidence(i).String()] = n
		}
	}
	if u.queue.Count > 0 {
		p.Queue = &profile.Queue{Latency: u.queue.Dist(), ReadsWaiting: u.readLine.share(p.Read),
			WritesWaiting: u.writeLine.share(p.Write)}
	}
	if busy := p.Depth.BusyNS; busy > 0 {
		p.BandwidthBusy = measure.Rate(u.read.Bytes+u.write.Bytes, busy)
	}
	if n := u.read.Count + u.write.Count; n > 0 {
		p.MeanAccess = u.area / n
	}
	return p
}
