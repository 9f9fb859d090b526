package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// syncing is for the time spent waiting for data to be safe: in fsync and the like, or in
// writes that return no sooner.
func syncing(a *account) {
	if ns := a.take(inSync); !ofServer(a, ns) {
		a.give(inSync, ns)
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
	ns += a.takeOf(forSync, a.onPath(waitsToFlush), onQueue)
	if a.ringSyncs() {
		ns += a.takeWithin(func(o trace.Op) bool { return o == trace.OpUringEnter || o == trace.OpAIOGetEvents }, onReads,
			onWrites, onFlush, onQueue, onNothing, inCall)
	}
	if !a.serial { // the labels gave part of it to the device
		ns += a.takeUpTo(most.TimeNS-ns, onFlush, onWrites)
	}
	if d := wording.Busiest(a.p, true); d != nil {
		ns -= shared(a, d, ns)
		if everything(most) {
			a.forOthers(d, most)
		}
		if d.Flow.Bytes > most.Count*largeSync || most.Op == trace.OpSyncRange { // which makes nothing safe
			part := min(ns, a.movingData(d))
			a.give(onWrites, part)
			a.large, ns = largeSyncs{part, most}, ns-part
		}
		if a.letThrough(ns) || behindLimit(a, d, ns) {
			return
		}
	}
	of := synced(a.p, most)
	r := profile.Reason{
		Code: cause.Sync, Name: "waiting until data was durable", TimeNS: ns, Certainty: cause.Measured,
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(most.Count)),
			at(pointer+"/time_ns", float64(most.TimeNS)),
			at(pointer+"/latency_ns/p50", float64(most.Latency.P50)),
		},
		Text: fmt.Sprintf("%s%s, %s%s%s", unit.Things(most.Count, most.Name, most.Name+" calls"), of.text(a, most),
			wording.Each(&most.Latency), a.every(most.Count), a.atATime(most)),
		Remedy: of.remedy(most.Op, most.Count),
	}
	a.behind(most, &r)
	a.because(r)
}

// everything reports whether a call makes the data of all programs safe, not that of one file.
func everything(c *profile.Call) bool { return c.Op == trace.OpSyncFS || c.Op == trace.OpUnmount }

// forOthers says that such a call waited for what others had left in memory, beside its own.
func (a *account) forOthers(d *wording.Disk, call *profile.Call) {
	r := a.reason(cause.OtherUsers, usersOf(d))
	if r == nil {
		return
	}
	r.Text = fmt.Sprintf("%s had to wait for %s that others had left in memory, on %s%s",
		unit.Things(call.Count, call.Name, call.Name+" calls"), unit.Bytes(foreign(a, d)), d.Name, outsiders(d))
	if r.Remedy = "sync its own files alone (fsync, sync FILE)"; call.Op == trace.OpUnmount {
		r.Remedy = "leave less there to be written: a sync before, or a file system that others do not write to"
	}
	r.Experiment = ""
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
	if served, _ := fileServer(a); served != nil { // it has to answer, whether it makes data safe or not
		return false
	}
	// Threads of the kernel that work for such a write make it safe: nothing is left in memory that a limit would count.
	uses := []use{onWrites, onFlush, inSync, onThrottle}
	remedy := "let one fsync follow many writes"
	if longerCalls(a.p) {
		remedy = "a larger block size, or " + remedy
	}
	if a.serial {
		uses = append(uses, inCall, onQueue, onNothing)
	}
	r := profile.Reason{
		Code: cause.Sync, Name: "waiting until data was durable", TimeNS: a.take(uses...), Certainty: cause.Measured,
		Evidence: []profile.Evidence{at("/pattern/cache_modes/synced_write_bytes", float64(m.SyncedWrite))},
		Text: fmt.Sprintf("each write waited until its data was durable (%s): %s", synchronous(a.p, &remedy),
			unit.Bytes(m.SyncedWrite)),
	}
	r.Remedy = remedy
	givenInTurn(a, &r)
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
func (a *account) movingData(d *wording.Disk) int64 {
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

// writtenBack is for a program that made no sync and yet waited until data was durable.
func writtenBack(a *account) profile.Reason {
	return profile.Reason{
		Code: cause.Sync, Name: "waiting until data was durable", TimeNS: a.take(inSync), Certainty: cause.Measured,
		Evidence: []profile.Evidence{a.sliceAt("sync")},
		Text: "the kernel wrote what was in memory while the program waited for that, as in umount; also what others had " +
			"written there",
		Remedy: "less unwritten data at that moment: sync before, or write less",
	}
}

// largeSync is how much one sync has to write to be limited by the speed of the device, not by
// being one.
const largeSync = 4 << 20
