package wording

import (
	"cmp"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/internal/unit"
)

// Queued is the mean number of requests in flight from which on the device has the next one waiting for half of the
// time or more, and how much longer a request takes then at a device that serves one at a time.
const Queued = 1.5

// SmallRequest is the size below which a request costs the device its latency rather
// than the transfer of its bytes.
const SmallRequest = 64 << 10

// LargerCalls is what helps where the number of calls is the cost.
const LargerCalls = "larger calls, such as 128 KiB each"

// Disk is the device that did most of the work in one direction: one that the files
// lie on, not what lies beneath.
type Disk struct {
	*profile.Device
	Flow    *profile.Flow
	Own     float64 // of its busy time, what it spent on files that lie on it directly
	Verb    string  // "read", "wrote"
	Pointer string  // JSON pointer of Flow
}

// Busiest finds it; nil if no request of the workload was recorded.
func Busiest(p *profile.Profile, write bool) *Disk {
	var best *Disk
	for i := range p.Devices {
		d, direct := DiskOf(p, i, write), p.Devices[i].DirectRead
		if write {
			direct = d.DirectWrite
		}
		if d.Flow == nil {
			continue
		}
		if d.Own = float64(d.Flow.Depth.BusyNS); d.Level > 1 { // the rest it did for the device above it
			d.Own *= float64(direct) / float64(max(d.Flow.Bytes, 1))
		}
		if (d.Level == 1 || d.Own > 0) && (best == nil || d.Own > best.Own) {
			best = d
		}
	}
	return best
}

// DiskOf is a device of the profile in one direction. Flow is nil if the workload moved nothing in it.
func DiskOf(p *profile.Profile, i int, write bool) *Disk {
	d := &p.Devices[i]
	if write {
		return &Disk{Device: d, Flow: d.Write, Verb: "wrote", Pointer: fmt.Sprintf("/devices/%d/write", i)}
	}
	return &Disk{Device: d, Flow: d.Read, Verb: "read", Pointer: fmt.Sprintf("/devices/%d/read", i)}
}

// Operations is how many pieces of work the program kept in flight at the device: a call that is split into eight
// requests is one. What goes past the page cache waits for each of them; through it, data is read ahead and written
// back by more requests than there are calls. What the queue of the device holds back is in flight too.
func (d *Disk) Operations(p *profile.Profile) float64 {
	m, depth := p.Pattern.Modes, d.Flow.Depth.MeanBusy+d.waiting()
	if m == nil {
		return depth
	}
	waitedFor, all := m.DirectRead, m.DirectRead+m.BufferedRead+m.UncachedRead
	if d.Verb == "wrote" {
		waitedFor, all = max(m.DirectWrite, m.SyncedWrite), m.DirectWrite+m.BufferedWrite+m.UncachedWrite
	}
	if d.most(waitedFor, all) {
		return min(p.Pattern.CallDepth.MeanBusy, depth) // calls that wait for each other are not at the device
	}
	return depth
}

// PastCache reports whether most of what it moved was asked for by calls that go past the page cache. What calls took
// from memory meanwhile, or moved elsewhere, has no part in that.
func (d *Disk) PastCache(p *profile.Profile) bool {
	m := p.Pattern.Modes
	switch {
	case m == nil:
		return false
	case d.Verb == "wrote":
		return d.most(m.DirectWrite, m.DirectWrite+m.BufferedWrite+m.UncachedWrite)
	}
	return d.most(m.DirectRead, m.DirectRead+m.BufferedRead+m.UncachedRead)
}

// most reports whether some bytes are most of those that calls moved, or of those that the device moved for files.
func (d *Disk) most(bytes, all int64) bool {
	moved := d.Flow.Bytes
	if d.Verb == "read" {
		moved -= d.SwapRead
	}
	return 2*bytes > min(all, moved)
}

// waiting is the part of the time with such requests at the device in which the next one waited for it in its queue.
func (d *Disk) waiting() float64 {
	switch {
	case d.Queue == nil:
		return 0
	case d.Verb == "wrote":
		return d.Queue.WritesWaiting
	}
	return d.Queue.ReadsWaiting
}

// Saturated reports whether more pieces of work at once would not have helped: the next one always waited. It did not
// if most requests took hardly longer than those that had the device for themselves; then the device works at all of
// them at the same time, and would at more. Where there were few of these the shortest stands for them, as it may where
// a device takes as long each time. One that is given them singly while others wait is not asked to.
func (d *Disk) Saturated(p *profile.Profile) bool {
	l := &d.Flow.Latency
	alone := cmp.Or(d.Flow.AloneNS, l.Min)
	return d.Operations(p) >= Queued && (d.Flow.Depth.MeanBusy < Queued || float64(l.P50) >= Queued*float64(alone))
}

// Full reports whether the queue of the device had more to do than it let through: it gave one request after another,
// or as many as it holds. The rest of a call that is split waits for no other one.
func (d *Disk) Full(p *profile.Profile) bool {
	return 1+d.waiting() >= Queued && d.Operations(p) >= Queued &&
		(d.Flow.Depth.MeanBusy < Queued || d.QueueDepth > 0 && int64(d.Device.Depth.Max) >= d.QueueDepth)
}

// InPieces reports whether it had several requests at once because each piece of work was split into some.
func (d *Disk) InPieces(p *profile.Profile) bool {
	return d.Flow.Depth.MeanBusy+d.waiting() >= Queued && d.Operations(p) < Queued
}

// Split says that calls came one after another, and that each was several requests.
func (d *Disk) Split(p *profile.Profile) string {
	calls := "one call"
	if n := unit.Significant(p.Pattern.CallDepth.MeanBusy, 2); n != "1.0" && p.Pattern.CallDepth.MeanBusy > 1 {
		calls = n + " calls"
	}
	return fmt.Sprintf("%s %s %s at a time, each split into requests of %s: %s, %s", d.direction(), d.Name, calls,
		Sizes(&d.Flow.Size), unit.Things(d.Flow.Count, "request"), Each(&d.Flow.Latency))
}

// direction is what a device did, before its name.
func (d *Disk) direction() string {
	if d.Verb == "wrote" {
		return "writes to"
	}
	return "reads from"
}

// Lasting is how long the device takes for so many bytes, at the speed at which it served
// the workload.
func (d *Disk) Lasting(bytes int64) int64 {
	return int64(float64(bytes) / float64(max(d.BandwidthBusy, 1)) * 1e9)
}

// Bandwidth says that the device was given enough to do, and how fast it was.
func (d *Disk) Bandwidth(p *profile.Profile) string {
	text := fmt.Sprintf("%s %s %s while it was busy, %s", d.Name, d.Verb, unit.Speed(DiskRate(d.Flow)), d.backlog(p))
	if d.Flow.Size.P50 < SmallRequest {
		text += fmt.Sprintf(", small ones of %s", Sizes(&d.Flow.Size))
	}
	return text
}

// EachTakes says that the device was given enough to do, and that it took so long for each request whatever its size.
func (d *Disk) EachTakes(p *profile.Profile, ns int64) string {
	return fmt.Sprintf("%s took %s for each request whatever its size: it %s %s in requests of %s, %s", d.Name,
		unit.Nanoseconds(ns), d.Verb, unit.Speed(DiskRate(d.Flow)), Sizes(&d.Flow.Size), d.backlog(p))
}

// Cost is what requests cost the device in this direction, nil if that is not known, and its name in the profile.
func (d *Disk) Cost() (cost *profile.Cost, name string) {
	if d.Verb == "wrote" {
		return d.WriteCost, "write_cost"
	}
	return d.ReadCost, "read_cost"
}

// backlog says that the next request always waited, and where.
func (d *Disk) backlog(p *profile.Profile) string {
	depth := unit.Significant(max(d.Flow.Depth.MeanBusy, 1), 2)
	if d.Full(p) {
		return fmt.Sprintf("with %s in flight and more waiting in its queue (%s)", depth, d.queue())
	}
	return fmt.Sprintf("with requests waiting all the time (%s in flight)", depth)
}

// Latency says that requests came one after another, and of what.
func (d *Disk) Latency(p *profile.Profile, of string) string {
	how := "one by one"
	if n := d.Flow.Depth.MeanBusy; n >= Queued {
		how = fmt.Sprintf("%s at a time", unit.Significant(n, 2))
	}
	if d.Full(p) {
		of += fmt.Sprintf(", with more waiting in its queue (%s)", d.queue())
	}
	return fmt.Sprintf("%s %s %s%s: %s of %s, %s", d.direction(), d.Name, how, of,
		unit.Things(d.Flow.Count, "request"), Sizes(&d.Flow.Size),
		Each(&d.Flow.Latency))
}

// queue describes that of the device: what chooses among the requests, and how many there may be.
func (d *Disk) queue() string {
	text := d.Scheduler
	if text == "" || text == "none" {
		text = "no scheduler"
	}
	if d.QueueDepth > 0 {
		text += fmt.Sprintf(", nr_requests %d", d.QueueDepth)
	}
	return text
}

// More says what helps where requests come one at a time. Larger says that files have more to ask for at once.
func (d *Disk) More(p *profile.Profile, larger bool) string {
	several := "several"
	if d.Flow.Depth.MeanBusy >= Queued {
		several = "more"
	}
	deeper := several + " requests in parallel (higher queue depth); a drive of lower latency"
	if d.Full(p) {
		deeper = "a longer queue (nr_requests); a drive of lower latency"
	}
	if larger && d.Flow.Size.P50 < SmallRequest {
		return "larger requests, or " + deeper
	}
	return deeper
}

// Worked is for how long it was busy, or any drive with anybody's requests: what is written to it may be for one
// beneath it.
func (d *Disk) Worked(p *profile.Profile) int64 {
	busy := d.Flow.Depth.BusyNS
	for _, of := range p.Trace.Drives {
		busy = max(busy, of.BusyNS)
	}
	return busy
}

// Whole is what everybody did on it, as far as that is known.
func (d *Disk) Whole(p *profile.Profile) (all profile.Drive) {
	for _, of := range p.Trace.Drives {
		if of.Name == d.Name {
			all = of
		}
	}
	return all
}

// DiskRate is how fast data went while the device was busy, in bytes per second.
func DiskRate(f *profile.Flow) int64 {
	return int64(float64(f.Bytes) / float64(max(f.Depth.BusyNS, 1)) * 1e9)
}
