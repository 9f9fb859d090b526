package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// queued is the mean number of requests in flight from which on the device always has
// the next one waiting: its speed is the limit, not the time of a single request.
const queued = 1.5

// smallRequest is the size below which a request costs the device its latency rather
// than the transfer of its bytes.
const smallRequest = 64 << 10

// disk is the device that did most of the work in one direction: one that the files
// lie on, not what lies beneath.
type disk struct {
	*profile.Device
	flow    *profile.Flow
	own     float64 // of its busy time, what it spent on files that lie on it directly
	verb    string  // "read", "wrote"
	pointer string
}

// busiest finds it; nil if no request of the workload was recorded.
func busiest(a *account, write bool) *disk {
	var best *disk
	for i := range a.p.Devices {
		d := &disk{Device: &a.p.Devices[i], verb: "read", pointer: fmt.Sprintf("/devices/%d/read", i)}
		direct := d.DirectRead
		if d.flow = d.Read; write {
			d.flow, d.verb, d.pointer, direct = d.Write, "wrote", fmt.Sprintf("/devices/%d/write", i), d.DirectWrite
		}
		if d.flow == nil {
			continue
		}
		if d.own = float64(d.flow.Depth.BusyNS); d.Level > 1 { // the rest it did for the device above it
			d.own *= float64(direct) / float64(max(d.flow.Bytes, 1))
		}
		if (d.Level == 1 || d.own > 0) && (best == nil || d.own > best.own) {
			best = d
		}
	}
	return best
}

// waiting is for the time in which the workload waited for requests at a device.
func waiting(a *account) {
	mapped(a)
	lookingUp(a)
	waited(a, busiest(a, false), a.take(onReads))
	writer, writing := busiest(a, true), a.take(onWrites, onFlush)
	drained := a.take(after)
	if writer != nil {
		own := min(drained, busyAfter(a, writer))
		writing += own
		drained -= own
	}
	waited(a, writer, writing)
	if writer != nil && heldBack(a, writer, drained) {
		a.spent[onNothing] += drained
		return
	}
	text := "the file system's journal and the drive's cache took so long after the last write"
	if !a.sees(trace.LimitNoRequests) {
		text = "what it had written went to the drive after it returned; disk requests were not recorded"
	}
	a.because(profile.Reason{
		Code: Settling, Name: "making it safe", TimeNS: drained, Certainty: Fits,
		Evidence: []profile.Evidence{a.sliceAt("draining")}, Text: text,
		Remedy: "nothing in the program, which does not wait for it; do not unplug the drive before",
	})
}

// What it takes to say that data was held back on its way to the device: so long, and
// so many requests, unless a limit is known.
const (
	noticeable = 100_000_000 // ns
	many       = 16
)

// heldBack reports whether writes came to an idle device, bit by bit, for most of the time
// after the command: something let them through no faster. What only waits for the
// journal or the drive's cache has no more requests to come, or has the journal's between them.
func heldBack(a *account, d *disk, drained int64) bool {
	coming := d.flow.LastNS - (a.p.StartNS + a.p.WallNS)
	if drained <= noticeable || coming*3 <= drained*2 || busyAfter(a, d)*3 >= drained {
		return false
	}
	return reaches(a, d, drained) || d.flow.Count >= many && d.whole(a).Writes <= 2*d.flow.Count
}

// busyAfter is how long a device was busy with the workload's writes after the command
// had returned: what it was busy in all, less what it was until then.
func busyAfter(a *account, d *disk) int64 {
	busy := d.flow.Depth.BusyNS
	for _, s := range a.p.TimeStack.Slices {
		if s.Label == "device_write" || s.Label == "device_both" {
			busy -= s.NS
		}
	}
	return max(busy, 0)
}

// waited divides the time spent waiting for a device between it, its other users, and what
// made it do more than it had to.
func waited(a *account, d *disk, ns int64) {
	if d == nil {
		a.because(profile.Reason{
			Code: DeviceLatency, Name: "waiting for the drive", TimeNS: ns, Certainty: Fits,
			Text:     "the requests that it waited for are not recorded",
			Evidence: []profile.Evidence{a.thread("waiting_io")},
		})
		return
	}
	ns -= shared(a, d, ns)
	ns -= slowed(a, d, ns)
	if d.verb == "read" {
		ns -= forgotten(a, d, ns)
	}
	r := profile.Reason{
		Name:      d.Name + map[string]string{"read": " reading", "wrote": " writing"}[d.verb],
		TimeNS:    ns,
		Certainty: Proved,
		Evidence: []profile.Evidence{
			at(d.pointer+"/bytes", float64(d.flow.Bytes)),
			at(d.pointer+"/depth/mean_busy", d.flow.Depth.MeanBusy),
			at(d.pointer+"/latency_ns/p50", float64(d.flow.Latency.P50)),
		},
	}
	switch {
	case d.verb == "read" && (d.scattered(a, &r) || d.unforeseen(a, &r)):
	case d.flow.Depth.MeanBusy >= queued:
		r.Code, r.Text, r.Remedy = DeviceBandwidth, d.bandwidth()+rivals(a),
			"a faster drive, port or file system; the drive was given enough to do"
	default:
		r.Code, r.Text, r.Remedy = DeviceLatency, d.latency(), d.more()
	}
	a.because(r)
}

// lasting is how long the device takes for so many bytes, at the speed at which it served
// the workload.
func (d *disk) lasting(bytes int64) int64 {
	return int64(float64(bytes) / float64(max(d.BandwidthBusy, 1)) * 1e9)
}

func (d *disk) bandwidth() string {
	text := fmt.Sprintf("%s %s %s while it was busy, with requests waiting all the time (%s in flight)",
		d.Name, d.verb, wording.Speed(rate(d.flow)), unit.Significant(d.flow.Depth.MeanBusy, 2))
	if d.flow.Size.P50 < smallRequest {
		text += fmt.Sprintf(", small ones of %s", wording.Sizes(&d.flow.Size))
	}
	return text
}

func (d *disk) latency() string {
	what := "reads from"
	if d.verb == "wrote" {
		what = "writes to"
	}
	return fmt.Sprintf("%s %s one after another: %s of %s, %s", what, d.Name,
		wording.Plural(d.flow.Count, "request", "requests"), wording.Sizes(&d.flow.Size),
		wording.Each(&d.flow.Latency))
}

// more says what helps where requests come one at a time.
func (d *disk) more() string {
	if d.flow.Size.P50 < smallRequest {
		return "ask for larger pieces, or for several at once; a drive of lower latency"
	}
	return "ask for several pieces at once; a drive of lower latency"
}

// worked is for how long it was busy, or any drive with anybody's requests: what is written to it may be for one
// beneath it.
func (d *disk) worked(a *account) int64 {
	busy := d.flow.Depth.BusyNS
	for _, of := range a.p.Trace.Drives {
		busy = max(busy, of.BusyNS)
	}
	return busy
}

// whole is what everybody did on it, as far as that is known.
func (d *disk) whole(a *account) (all profile.Drive) {
	for _, of := range a.p.Trace.Drives {
		if of.Name == d.Name {
			all = of
		}
	}
	return all
}

func rate(f *profile.Flow) int64 {
	return int64(float64(f.Bytes) / float64(max(f.Depth.BusyNS, 1)) * 1e9)
}
