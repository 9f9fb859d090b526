package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
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

// operations is how many pieces of work the program kept in flight at the device: a call that is split into eight
// requests is one. What goes past the page cache waits for each of them; through it, data is read ahead and written
// back by more requests than there are calls.
func (d *disk) operations(a *account) float64 {
	m, depth := a.p.Pattern.Modes, d.flow.Depth.MeanBusy
	if m == nil {
		return depth
	}
	waitedFor, all := m.DirectRead, m.DirectRead+m.BufferedRead+m.UncachedRead
	if d.verb == "wrote" {
		waitedFor, all = max(m.DirectWrite, m.SyncedWrite), m.DirectWrite+m.BufferedWrite+m.UncachedWrite
	}
	if 2*waitedFor <= all {
		return depth
	}
	return a.p.Pattern.CallDepth.MeanBusy
}

// split says that pieces came one after another, and that each was several requests.
func (d *disk) split(a *account) string {
	calls := &a.p.Pattern.CallDepth
	return fmt.Sprintf("%s was given one piece after another (%s in flight on average), each split into requests of "+
		"%s: %s, %s", d.Name, unit.Significant(max(calls.MeanBusy, 1), 2), wording.Sizes(&d.flow.Size),
		wording.Plural(d.flow.Count, "request", "requests"), wording.Each(&d.flow.Latency))
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
