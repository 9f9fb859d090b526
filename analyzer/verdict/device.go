package verdict

import (
	"cmp"
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// waiting is for the time in which the workload waited for requests at a device.
func waiting(a *account) {
	othersFirst(a)
	reader := wording.Busiest(a.p, false)
	forgotten(a, reader)
	mapped(a)
	lookingUp(a)
	waited(a, reader, a.take(onReads))
	writer, writing := wording.Busiest(a.p, true), a.take(onWrites, onFlush)
	if writer != nil {
		writing += a.takeUpTo(busyAfter(a, writer), after)
	}
	waited(a, writer, writing)
	drained := a.take(after)
	if writer != nil && heldBack(a, writer, drained) {
		a.give(onNothing, drained)
		return
	}
	text := "journal commit and cache flush after the last write"
	if writer != nil && !a.p.Trace.Journals(writer.Name) {
		text = "metadata and cache flush after the last write"
	}
	if !a.sees(trace.LimitNoRequests) {
		text = "what it had written went to the drive after it returned; disk requests were not recorded"
	}
	a.because(profile.Reason{
		Code: cause.Settling, Name: "making it safe", TimeNS: drained, Certainty: cause.Likely,
		Evidence: []profile.Evidence{a.sliceAt("draining")}, Text: text,
		Remedy: "nothing to fix in the program; wait until it is durable before unplugging the drive",
	})
}

// Unwaited reports whether what took longest is write-back that nobody notices: the command had returned, little data
// was left, and it was durable soon.
func Unwaited(p *profile.Profile) bool {
	if len(p.Verdict.Causes) == 0 {
		return false
	}
	c := &p.Verdict.Causes[0]
	return c.Code == cause.Settling && Brief(c.TimeNS) && p.Written() < notableBytes
}

// Brief reports whether a time is too short to be noticed.
func Brief(ns int64) bool { return ns < noticeable }

// heldBack reports whether writes came to an idle device, bit by bit, for most of the time
// after the command: something let them through no faster. What only waits for the
// journal or the drive's cache has no more requests to come, or has the journal's between them.
func heldBack(a *account, d *wording.Disk, drained int64) bool {
	coming := d.Flow.LastNS - (a.p.StartNS + a.p.WallNS)
	if drained <= noticeable || coming*3 <= drained*2 || busyAfter(a, d)*3 >= drained {
		return false
	}
	return reaches(a, d, drained) || d.Flow.Count >= several && d.Whole(a.p).Writes <= 2*d.Flow.Count ||
		drained >= long && len(a.p.Trace.Drives) > 0 && d.Worked(a.p)*3 < drained
}

// busyAfter is how long a device was busy with the workload's writes after the command
// had returned: what it was busy in all, less what it was until then.
func busyAfter(a *account, d *wording.Disk) int64 {
	busy := d.Flow.Depth.BusyNS
	for _, s := range a.p.TimeStack.Slices {
		if s.Label == "device_write" || s.Label == "device_both" {
			busy -= s.NS
		}
	}
	return max(busy, 0)
}

// contradicted reports whether the drives were idle for most of the time that would be theirs: they would have taken
// more.
func contradicted(a *account, d *wording.Disk, ns int64) bool { return 2*d.Worked(a.p) < ns }

// waited divides the time spent waiting for a device between it, its other users, and what
// made it do more than it had to.
func waited(a *account, d *wording.Disk, ns int64) {
	if d == nil {
		a.because(profile.Reason{
			Code: cause.DeviceLatency, Name: "waiting for the drive", TimeNS: ns, Certainty: cause.Likely,
			Text:     "the requests that it waited for are not recorded",
			Evidence: []profile.Evidence{a.thread("waiting_io")},
		})
		return
	}
	if contradicted(a, d, ns) {
		a.give(onNothing, ns)
		return
	}
	ns -= served(a, d, ns)
	ns -= slowed(a, d, ns)
	r := profile.Reason{
		Name:      d.Name + map[string]string{"read": " read", "wrote": " write"}[d.Verb],
		TimeNS:    ns,
		Certainty: cause.Measured,
		Evidence: []profile.Evidence{
			at(d.Pointer+"/bytes", float64(d.Flow.Bytes)),
			at(d.Pointer+"/depth/mean_busy", d.Flow.Depth.MeanBusy),
			at(d.Pointer+"/latency_ns/p50", float64(d.Flow.Latency.P50)),
		},
	}
	switch {
	case partial(a, d, &r), submitted(a, d, &r), halting(a, d, &r):
	case d.Verb == "read" && (scattered(a, d, &r) || unforeseen(a, d, &r)):
	case d.Saturated(a.p):
		saturated(a, d, ns, &r)
	default:
		files, remedy := smallFiles(a, d)
		where, before := atRandom(a, d)
		r.Code, r.Text = cause.DeviceLatency, d.Latency(a.p, cmp.Or(files, where))
		r.Remedy = before + cmp.Or(remedy, d.More(a.p, extensible(a, d) && !apart(a, d)))
		if d.InPieces(a.p) {
			r.Text = d.Split(a.p)
			r.Evidence = append(r.Evidence, at("/pattern/call_depth/mean_busy", a.p.Pattern.CallDepth.MeanBusy))
		}
	}
	crowding(a, d, ns, &r)
	fileLocked(a, d, &r)
	stored(a, d, &r)
	replaced(a, d, &r)
	if large(a, d, ns) {
		a.behind(a.large.call, &r)
	}
	image(a, d, &r)
	kept(a, d, &r)
	a.because(r)
}

// throughSyncs says that it was syncs that waited for a device's writes, if they did so in most of the time.
func throughSyncs(a *account, d *wording.Disk, ns int64) string {
	l := a.large
	if !large(a, d, ns) {
		return ""
	}
	name := l.call.Name
	return fmt.Sprintf("in %s, %s: ", unit.Things(l.call.Count, name+" call"),
		wording.Each(&l.call.Latency))
}
