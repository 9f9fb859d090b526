package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Calls are small where one costs more than what it moves, and they are the work where so many
// follow each other this closely.
const (
	smallCall = 512
	manyCalls = 10_000
	closely   = 10_000 // ns
)

// choppedUp is for data that goes through calls in tiny pieces: the calls and what the program
// does between them would be fewer with larger ones.
func choppedUp(a *account) {
	l, think := a.p.AtCalls(), &a.p.Pattern.Think
	if l == nil {
		return
	}
	f, what, pointer := l.Read, "reads", "/layers/0/read"
	if f == nil || l.Write != nil && l.Write.Count > f.Count {
		f, what, pointer = l.Write, "writes", "/layers/0/write"
	}
	if f == nil || f.Count < manyCalls || f.Size.P50 > smallCall || think.Count == 0 || think.P50 > closely {
		return
	}
	pieces := fmt.Sprintf("%s of %s", unit.Things(f.Count, what[:len(what)-1], what), wording.Sizes(&f.Size))
	r := profile.Reason{
		Code: cause.SmallCalls, Name: "small calls", Certainty: cause.Likely,
		Text: pieces + ", each of which costs more than what it moves",
		Evidence: []profile.Evidence{
			at(pointer+"/count", float64(f.Count)), at(pointer+"/size_bytes/p50", float64(f.Size.P50)),
			at("/pattern/think_ns/sum", float64(think.Sum)),
		},
		Remedy: "a larger block size, such as a buffer of 64 KiB; a faster drive changes nothing",
	}
	opens, index := longest(a, func(c *profile.Call) bool { return c.Op == trace.OpOpen })
	if opens != nil && 2*opens.Count > f.Count {
		file := servedMost(a, trace.OpOpen)
		if file == nil || 2*opened(file) <= opens.Count {
			return // the pieces are as small as their files
		}
		r.TimeNS = a.take(inMeta)
		r.Text = fmt.Sprintf("%s was opened %s, for %s", path.Base(file.Path),
			unit.Things(opened(file), "time"), pieces)
		r.Remedy = "keep it open, and buffer to a larger block size; a faster drive changes nothing"
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/calls/%d/count", index), float64(opens.Count)))
	}
	r.TimeNS += a.take(inData) + a.takeUpTo(think.Sum, running)
	a.because(r)
}

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
