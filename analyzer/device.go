package analyzer

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// device is one block device: one layer of a stack.
type device struct {
	trace.Device
	index  int // in the order seen; the first 64 have a bit in file.seenAt
	used   bool
	level  int // 1: nothing that was used is built on it
	uppers []*device
	in     *layer

	// Bytes of the workload's requests, from the first reading.
	readBytes, writeBytes int64

	read, write, flush, discard measure.Flow
	depth                       *timeline.Depth
	area                        int64 // of depth: latencies of reads and writes
	queue                       measure.Histogram
	merged, requeues            int64
	readahead, background, meta int64
	syncWrites, fua             int64
	evidence                    [4]int64
	foreign, recorder           profile.Share
	failures                    failures
	reads, writes               measure.Pattern
	touched                     measure.Regions
}

// layer names the kind of device.
func (d *device) layer() string {
	switch {
	case strings.HasPrefix(d.Name, "dm-"):
		return "dm"
	case strings.HasPrefix(d.Name, "md"):
		return "md"
	case strings.HasPrefix(d.Name, "loop"):
		return "loop"
	case strings.HasPrefix(d.Name, "zram"):
		return "zram"
	case len(d.Parents) == 1:
		return "partition"
	}
	return "disk"
}

// others reports whether a request is not the workload's.
func others(e *trace.Request) bool { return e.Flags&(trace.ReqForeign|trace.ReqRecorder) != 0 }

// direction of a request, for the time stack and for flows.
func direction(op trace.ReqOp) timeline.Direction {
	switch op {
	case trace.ReqRead:
		return timeline.Read
	case trace.ReqWrite:
		return timeline.Write
	}
	return timeline.OtherRequest
}

// request adds a request that was issued.
func (d *device) request(e *trace.Request) {
	end := max(e.Issued, e.Completed)
	switch {
	case e.Flags&trace.ReqRecorder != 0:
		count(&d.recorder, e)
		return
	case e.Flags&trace.ReqForeign != 0:
		count(&d.foreign, e)
		return
	}
	failed := e.Error != 0
	switch e.Op {
	case trace.ReqRead:
		d.read.Add(e.Issued, end, e.Bytes, failed)
		d.in.read.Add(e.Issued, end, e.Bytes, failed)
		d.reads.Add(int64(e.Sector)*512, e.Bytes)
	case trace.ReqWrite:
		d.write.Add(e.Issued, end, e.Bytes, failed)
		d.in.write.Add(e.Issued, end, e.Bytes, failed)
		d.writes.Add(int64(e.Sector)*512, e.Bytes)
	case trace.ReqFlush:
		d.flush.Add(e.Issued, end, e.Bytes, failed)
	case trace.ReqDiscard, trace.ReqWriteZeroes:
		d.discard.Add(e.Issued, end, e.Bytes, failed)
	}
	if e.Op == trace.ReqRead || e.Op == trace.ReqWrite {
		d.depth.Add(e.Issued, end)
		d.area += end - e.Issued
		d.touched.Add(int64(e.Sector)*512, e.Bytes)
	}
	if e.Queued >= 0 && e.Queued <= e.Issued {
		d.queue.Add(e.Issued - e.Queued)
	}
	d.count(e)
	d.failures.add(e.Error)
}

func (d *device) count(e *trace.Request) {
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
	if e.Flags&trace.ReqMeta != 0 || e.Evidence == trace.EvidenceNone {
		d.meta += e.Bytes
	}
	if e.Flags&trace.ReqFUA != 0 {
		d.fua++
	}
	if e.Op == trace.ReqWrite && e.Flags&trace.ReqSync != 0 {
		d.syncWrites++
	}
}

// count adds a request that is not the workload's.
func count(s *profile.Share, e *trace.Request) {
	s.Count++
	if e.Error != 0 {
		s.Errors++
	}
	switch e.Op {
	case trace.ReqRead:
		s.Read += e.Bytes
	case trace.ReqWrite:
		s.Write += e.Bytes
	}
}

// Latencies are looked at for modes if there are at least so many, and then at
// most so many of them.
const (
	minModes = 50
	maxModes = 1000
)

// profile is the device as the profile shows it.
func (d *device) profile(t *devices, wall int64) profile.Device {
	p := profile.Device{
		Name: d.Name, ID: deviceNumber(d.ID), Layer: d.layer(), Level: d.level, Model: d.Model, Scheduler: d.Scheduler,
		Rotational: d.Rotational, LogicalBlock: d.LogicalBlock, MaxRequest: d.MaxRequest, ReadAhead: d.ReadAhead,
		QueueDepth: d.QueueDepth, Size: d.Size, WriteCache: d.WriteCache, Backing: d.Backing,
		Read: d.read.Profile(wall), Write: d.write.Profile(wall), Flush: d.flush.Profile(wall), Discard: d.discard.Profile(wall),
		Depth: measure.DepthOf(d.depth, d.area, wall), MergedBios: d.merged, Requeues: d.requeues, Readahead: d.readahead,
		Background: d.background, MetaBytes: d.meta, SyncWrites: d.syncWrites, FUA: d.fua,
		Foreign: d.foreign, Recorder: d.recorder, WorkingSet: d.touched.Bytes(), Evidence: map[string]int64{},
		ReadPattern: d.reads.Profile(), WritePattern: d.writes.Profile(), Failed: d.failures.count, Errno: d.failures.numbers(),
	}
	for _, x := range []struct {
		f *profile.Flow
		h *measure.Flow
	}{{p.Read, &d.read}, {p.Write, &d.write}} {
		if x.f != nil && x.h.Count >= minModes {
			x.f.Latency.Modes = measure.Modes(x.h.Detail.Latency.Sample(maxModes))
		}
	}
	for _, id := range d.Parents {
		p.Parents = append(p.Parents, t.get(id).Name)
	}
	for i, n := range d.evidence {
		if n > 0 {
			p.Evidence[trace.Evidence(i).String()] = n
		}
	}
	if d.queue.Count > 0 {
		p.Queue = &profile.Queue{Latency: d.queue.Dist()}
	}
	if busy := p.Depth.BusyNS; busy > 0 {
		p.BandwidthBusy = measure.Rate(d.read.Bytes+d.write.Bytes, busy)
	}
	if n := d.read.Count + d.write.Count; n > 0 {
		p.MeanAccess = d.area / n
	}
	return p
}
