package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// counted is for data that goes through calls of up to a page whose number is their cost: it takes the time within them
// alone. What a program computes between them it may compute with larger ones as well.
func counted(a *account) {
	x := SmallCalls(a.p)
	if x == nil || !a.sees(trace.LimitNoWaits) {
		return
	}
	flow := x.Flow
	pointer := fmt.Sprintf("/files/%d/%s", x.File, x.Verb)
	a.because(profile.Reason{
		Code: cause.SmallCalls, Name: "small calls", TimeNS: a.takeUpTo(x.NS, inData), Certainty: cause.Likely,
		Text: x.Text(""),
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(flow.Count)), at(pointer+"/size_bytes/p50", float64(flow.Size.P50)),
			at(pointer+"/latency_ns/p50", float64(flow.Latency.P50)), a.sliceAt("page_cache"),
		},
		Remedy: wording.LargerCalls + "; a faster drive changes nothing",
	})
}

// discarding is for a device that is told, call by call, which blocks are free again.
func discarding(a *account) {
	d, index := most(a.p.Devices, func(d *profile.Device) int64 { return busyWith(d.Discard) })
	if d == nil || a.along() == nil && busyWith(d.Flush) > busyWith(d.Discard) {
		return
	}
	ns := a.spent[onFlush]
	if a.along() != nil { // each request is known by what it was
		ns = a.onPath(func(x *profile.PathPart) bool {
			return x.Place.Request == trace.ReqDiscard.String() && labels[x.Place.Label] == onFlush
		})
	}
	pointer := fmt.Sprintf("/devices/%d/discard", index)
	remedy := "mount without the option discard, and let fstrim do it now and then"
	if m := a.p.Trace.MountWith("discard", "discard=sync", "discard=async"); m != nil && m.Device == d.Name {
		remedy = m.Without("discard") + ", and let fstrim do it now and then"
	}
	a.because(profile.Reason{
		Code: cause.Discards, Name: d.Name + " discarding", TimeNS: a.takeUpTo(ns, onFlush), Certainty: cause.Measured,
		Text: fmt.Sprintf("%s, %s: %s was told at once which blocks are free again", unit.Things(d.Discard.Count, "discard"),
			wording.Each(&d.Discard.Latency), d.Name),
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(d.Discard.Count)),
			at(pointer+"/latency_ns/p50", float64(d.Discard.Latency.P50)),
		},
		Remedy: remedy,
	})
}

// busyWith is how long a device was busy with a kind of request.
func busyWith(f *profile.Flow) int64 {
	if f == nil {
		return none
	}
	return f.Depth.BusyNS
}
