package verdict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict/disk"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// syncing is for the time spent waiting for data to be safe: in fsync and the like, or in
// writes that return no sooner.
func syncing(a *account) {
	if ofServer(a, a.spent[inSync]) {
		a.spent[inSync] = 0
	}
	if synchronousWrites(a) {
		return
	}
	most, index := longest(a, func(c *profile.Call) bool { return c.Op.Durability() })
	if most == nil {
		a.because(writtenBack(a))
		return
	}
	pointer, ns := fmt.Sprintf("/calls/%d", index), a.take(inSync)
	ns += a.takeWithin(trace.Op.Durability, onReads, onWrites, onFlush)
	ns += a.takeUpTo(a.onPath(waitsToFlush), onQueue)
	if a.ringSyncs() {
		ns += a.takeWithin(func(o trace.Op) bool { return o == trace.OpUringEnter || o == trace.OpAIOGetEvents }, onReads,
			onWrites, onFlush, onQueue, onNothing, inCall)
	}
	if !a.serial { // the labels gave part of it to the device
		ns += a.takeUpTo(most.TimeNS-ns, onFlush, onWrites)
	}
	if d := disk.Busiest(a.p, true); d != nil {
		ns -= shared(a, d, ns)
		if d.Flow.Bytes > most.Count*largeSync {
			part := min(ns, a.movingData(d))
			a.spent[onWrites] += part
			a.large, ns = largeSyncs{part, most}, ns-part
		}
		if behindLimit(a, d, ns) {
			return
		}
	}
	a.because(profile.Reason{
		Code: cause.Sync, Name: "waiting until data was safe", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(most.Count)),
			at(pointer+"/time_ns", float64(most.TimeNS)),
			at(pointer+"/latency_ns/p50", float64(most.Latency.P50)),
		},
		Text: fmt.Sprintf("%s, %s%s", unit.Things(most.Count, most.Name, most.Name+" calls"),
			wording.Each(&most.Latency), a.every(most.Count)),
		Remedy: map[bool]string{true: "batch more writes per sync",
			false: "one sync cannot be shortened: do without it, or use a drive whose cache is protected"}[most.Count > 1],
	})
}

// waitsToFlush is for a flush that the block layer holds until others of the device have ended: it has no data that a
// limit would hold back.
func waitsToFlush(x *profile.PathPart) bool {
	return x.Place.Label == "queued" && x.Place.Request == trace.ReqFlush.String() &&
		trace.OpNamed(x.Place.Call).Durability()
}

// synchronousWrites is for writes that return no sooner than their data is safe, if most are such.
func synchronousWrites(a *account) bool {
	m := a.p.Pattern.Modes
	if m == nil || m.SyncedWrite == 0 || m.SyncedWrite*2 <= m.BufferedWrite+m.DirectWrite+m.UncachedWrite {
		return false
	}
	uses, remedy := []use{onWrites, onFlush, inSync}, "write larger pieces, or let one fsync follow many writes"
	if a.serial {
		uses = append(uses, inCall, onQueue, onNothing)
	}
	r := profile.Reason{
		Code: cause.Sync, Name: "waiting until data was safe", TimeNS: a.take(uses...), Certainty: cause.Measured,
		Evidence: []profile.Evidence{at("/pattern/cache_modes/synced_write_bytes", float64(m.SyncedWrite))},
		Text: fmt.Sprintf("each write waited until its data was safe (%s): %s", synchronous(a.p, &remedy),
			unit.Bytes(m.SyncedWrite)),
	}
	r.Remedy = remedy
	a.because(r)
	return true
}

// ringSyncs reports whether most of the time in asynchronous operations was in syncs, which a program then waits for in
// calls that wait for anything.
func (a *account) ringSyncs() bool {
	var all, syncs int64
	for i := range a.p.Calls {
		if c := &a.p.Calls[i]; c.Async {
			if all += c.TimeNS; c.Op.Durability() {
				syncs += c.TimeNS
			}
		}
	}
	return 2*syncs > all
}

// movingData is for how long a device was busy, in syncs, with what would have had to be written without them as well:
// all but the file system's journal.
func (a *account) movingData(d *disk.Disk) int64 {
	journal := a.onPath(func(x *profile.PathPart) bool {
		return x.Place.Call != "" && trace.OpNamed(x.Place.Call).Durability() && labels[x.Place.Label] == onWrites &&
			x.Place.Meta
	})
	return max(d.Flow.Depth.BusyNS-a.spent[onWrites]-journal, 0)
}

// every says after how much data a sync came, if that is worth telling.
func (a *account) every(syncs int64) string {
	if each := a.p.Written() / max(syncs, 1); syncs > 1 && each >= 1<<20 {
		a.figure("written_bytes_each", float64(each))
		return ", one per " + unit.Bytes(each) + " written"
	}
	return ""
}

// writtenBack is for a program that made no sync and yet waited until data was safe.
func writtenBack(a *account) profile.Reason {
	return profile.Reason{
		Code: cause.Sync, Name: "waiting until data was safe", TimeNS: a.take(inSync), Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.sliceAt("sync")},
		Text: "the kernel wrote what was in memory while the program waited for that, as in umount; also what others had " +
			"written there",
		Remedy: "less unwritten data at that moment: sync before, or write less",
	}
}

// largeSync is how much one sync has to write to be limited by the speed of the device, not by
// being one.
const largeSync = 4 << 20

// throttled is for writers that the kernel holds back.
func throttled(a *account) {
	ns, d := a.take(onThrottle), disk.Busiest(a.p, true)
	if ofServer(a, ns) || d != nil && behindLimit(a, d, ns) {
		return
	}
	if d != nil && contradicted(a, d, ns) {
		a.spent[onNothing] += ns
		return
	}
	r := profile.Reason{
		Code: cause.DirtyLimit, Name: "held back by unwritten data", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.thread("throttled")},
		Text:     "the kernel held its writes back: too much data waited to be written",
		Remedy:   "a drive that writes faster; a higher vm.dirty_bytes only puts it off",
	}
	if d != nil {
		r.Text = fmt.Sprintf("the kernel held its writes back, as %s takes no more than %s", d.Name,
			unit.Speed(disk.Rate(d.Flow)))
		r.Evidence = append(r.Evidence, at(d.Pointer+"/bytes", float64(d.Flow.Bytes)))
	}
	a.because(r)
}

// copying is for calls that move data without waiting for a device.
func copying(a *account) {
	ns := a.take(inData)
	if !a.sees(trace.LimitNoWaits) {
		a.because(profile.Reason{
			Code: cause.OutsideOfCalls, Name: "in calls", TimeNS: ns, Certainty: cause.Open,
			Evidence:   []profile.Evidence{a.sliceAt("page_cache")},
			Text:       "in read and write calls; whether they waited for the drive is not recorded",
			Experiment: Recording(a.p),
		})
		return
	}
	if m := a.p.Pattern.Modes; m != nil && m.DirectRead+m.DirectWrite > m.BufferedRead+m.BufferedWrite {
		a.because(profile.Reason{
			Code: cause.OwnCPU, Name: "the processor in direct calls", TimeNS: ns, Certainty: cause.Likely,
			Evidence: []profile.Evidence{a.sliceAt("page_cache"), a.thread("data_calls")},
			Text:     "in direct reads and writes beside the time at the drive: what each call costs the processor",
			Remedy:   "larger calls: each costs the processor about as much",
		})
		return
	}
	r := profile.Reason{
		Code: cause.PageCache, Name: "copying in memory", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.sliceAt("page_cache"), a.thread("data_calls")},
		Text:     "copied in memory, with no wait for a drive",
		Remedy:   lessCopying(a.p) + "; a faster drive changes nothing",
	}
	if speed := memorySpeed(a, ns); speed > 0 && speed < slowMemory {
		a.figure("copied_bytes_per_s", float64(speed))
		r.Text += fmt.Sprintf("; only %s, as where a virtual machine uses memory for the first time, or memory is short",
			unit.Speed(speed))
	}
	a.because(r)
}

// lessCopying says what moves the same data with less work in memory. Where most goes through small calls, each of them
// costs more than what it copies.
func lessCopying(p *profile.Profile) string {
	switch {
	case inSmallCalls(p):
		return "larger calls, such as of 128 KiB; mapped files copy less"
	case len(p.Copies) == 0:
		return "mapped files or direct I/O copy less"
	case slices.ContainsFunc(p.Copies, func(c profile.Copy) bool { return c.Method == profile.ByCopyFileRange }):
		return "direct I/O or a clone copy less"
	}
	return "direct I/O, copy_file_range or a clone copy less"
}

// inSmallCalls reports whether the typical call that moves data is as small as a small request: of copies what the
// largest asks for at a time; a file that is no larger leaves it nothing to ask for.
func inSmallCalls(p *profile.Profile) bool {
	if len(p.Copies) > 0 {
		c := slices.MaxFunc(p.Copies, func(a, b profile.Copy) int { return cmp.Compare(a.Bytes, b.Bytes) })
		return c.BufferBytes > 0 && c.BufferBytes < min(disk.SmallRequest, c.SourceSize)
	}
	if len(p.Layers) == 0 || p.Layers[0].Name != "calls" {
		return false
	}
	f := larger(p.Layers[0].Read, p.Layers[0].Write)
	return f != nil && f.Size.P50 > 0 && f.Size.P50 < disk.SmallRequest
}

// slowMemory is a speed that is low for copying in memory, in bytes per second: a page fault
// into the host for each page of a virtual machine costs that.
const slowMemory = 1_000_000_000

// memorySpeed is what went through calls over the time it took; 0 if that is too little to
// tell, as where calls are small.
func memorySpeed(a *account, ns int64) int64 {
	if len(a.p.Layers) == 0 || ns <= 0 {
		return 0
	}
	var bytes, calls int64
	for _, f := range []*profile.Flow{a.p.Layers[0].Read, a.p.Layers[0].Write} {
		if f != nil && f.Bytes > bytes {
			bytes, calls = f.Bytes, f.Count
		}
	}
	if bytes < 64<<20 || bytes < calls*disk.SmallRequest {
		return 0
	}
	return int64(float64(bytes) / float64(ns) * 1e9)
}

// InMemory reports whether all that was written went to files that never reach a
// disk.
func InMemory(p *profile.Profile) bool {
	some := false
	for i := range p.Files {
		f := &p.Files[i]
		if f.Type != trace.FileRegular || f.Write == nil || f.Write.Bytes == 0 {
			continue
		}
		if !trace.InMemory(f.FSType) {
			return false
		}
		some = true
	}
	return some && p.Omitted.Files == 0
}
