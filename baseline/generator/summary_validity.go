package generator

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/stats"
	"github.com/iotrace/iotrace/trace"
)

// validDepth is the share of the nominal queue depth below which a result is invalid.
const validDepth = 0.8

// wakeUp is what a thread may take, beside its work, from the completion of an operation to the next one in ns: an
// interrupt, and a processor that was idle.
const wakeUp = 100e3

// depthOf compares the nominal depth with what was reached in the median run.
//
// What counts is that the operations were outstanding, as with the tool that the pattern is of. That the device had
// fewer of them is the processor's doing where the time they spent elsewhere is what it took to submit and collect
// them; then it limits that tool alike. Where it is not, they did not run side by side: calls waited for their data or
// for locks of the file system.
func depthOf(l *stepLog) baseline.Depth {
	d := baseline.Depth{Nominal: l.Step.Nominal(), Valid: true}
	var achieved, attainable, device, comparables []float64
	waited := 0
	for _, r := range l.Runs {
		if !r.Counted {
			continue
		}
		achieved = append(achieved, r.Achieved)
		attainable = append(attainable, attainableDepth(l.Step, r.ReadOps+r.WriteOps))
		if r.Device == nil {
			continue
		}
		device = append(device, r.Device.MeanDepth)
		if oneRequestEach(l.Step, r) {
			comparables = append(comparables, r.Device.MeanDepth)
			if elsewhere, processor := besideDevice(l.Step, r); elsewhere > processor {
				waited++
			}
		}
	}
	if len(achieved) == 0 {
		return d // it was cut short
	}
	d.Achieved = stats.Median(achieved)
	if l.Step.Blocking {
		d.Achieved = 1 // by construction: one call at a time
	}
	if len(device) > 0 {
		d.Device = stats.Median(device)
	}
	need := validDepth * float64(d.Nominal)
	if n := stats.Median(attainable); d.Nominal > 1 && n < float64(d.Nominal) {
		need = validDepth * n
	}
	switch {
	case d.Achieved < need:
		d.Valid = false
		d.Reason = fmt.Sprintf("%.1f of %d operations were outstanding on average", d.Achieved, d.Nominal)
	case len(comparables) > 0 && stats.Median(comparables) < need && d.Nominal > 1:
		reached := fmt.Sprintf("the device had %.1f of %d requests in flight on average: ", stats.Median(comparables),
			d.Nominal)
		switch {
		case l.Place.Queue > 0 && l.Place.Queue < int64(d.Nominal):
			d.Valid = false
			d.Reason = reached + fmt.Sprintf("its queue holds %d", l.Place.Queue)
		case 2*waited > len(comparables):
			d.Valid = false
			d.Reason = reached + "the others waited elsewhere, for locks of the file system or in calls that did not " +
				"return before their data had moved"
		default:
			l.Warn("processor", reached+limitedBy(l))
		}
	}
	return d
}

// attainableDepth is the mean depth of a run whose operations take turns at equal distances: the last of them find
// fewer beside them, which counts where there are few. A run of fewer than the nominal depth never reached that.
func attainableDepth(s baseline.Step, ops int64) float64 {
	depth, threads := float64(max(s.Depth, 1)), float64(max(s.Threads, 1))
	n := float64(ops) / threads
	if n < depth {
		return depth * threads
	}
	return threads * (depth - depth*(depth-1)/(2*n))
}

// limitedBy says what the processor took.
func limitedBy(l *stepLog) string {
	var cpu, ready, ops int64
	for _, r := range l.Runs {
		if r.Counted {
			cpu, ready, ops = cpu+r.CPUNS, ready+r.ReadyNS, ops+r.ReadOps+r.WriteOps
		}
	}
	text := fmt.Sprintf("the CPU limited this, with %s for each operation, as it limits the original",
		unit.Duration(each(cpu, ops)))
	if ready > cpu {
		text = fmt.Sprintf("other programs had the CPUs, and each operation waited %s for one: repeat it on an "+
			"idle machine", unit.Duration(each(ready, ops)))
	}
	return text
}

// besideDevice is the mean time in ns that an operation of a run spent outside the device, and what submitting and
// collecting those of one thread takes of a processor: the longest that an operation waits for its thread.
func besideDevice(s baseline.Step, r baseline.RunResult) (elsewhere, processor float64) {
	ops := float64(max(r.ReadOps+r.WriteOps, 1))
	elsewhere = (r.Achieved - r.Device.MeanDepth) * float64(r.ActiveNS) / ops
	return elsewhere, float64(max(s.Depth, 1))*float64(r.CPUNS+r.ReadyNS)/ops + wakeUp
}

// oneRequestEach reports whether each operation of the run became one request of the device and nobody else used it, so
// that its depth can be set against ours.
func oneRequestEach(s baseline.Step, r baseline.RunResult) bool {
	d, ours := r.Device, r.ReadOps+r.WriteOps
	requests := d.Reads + d.Writes
	within := func(a, b int64) bool { return float64(a) > 0.95*float64(b) && float64(a) < 1.05*float64(b) }
	return s.Cache == baseline.Direct && within(requests, ours) && within(d.ReadBytes+d.WriteBytes,
		r.ReadBytes+r.WriteBytes)
}

// leastOfFUSE is the share of what was moved by direct I/O below which a device under FUSE has not seen it. Past the
// page cache means to the daemon, which reads its device through the page cache: with a share of a twentieth one and
// the same read was valid in its first pass and memory in the third.
const leastOfFUSE = 0.9

// unreachedIn is why direct I/O of a single run was no measurement of a device; "" if it was one, or nothing tells.
func unreachedIn(step baseline.Step, place baseline.Place, r baseline.RunResult) string {
	r.Counted = true
	return unreached(&stepLog{Step: step, Place: place, Runs: []baseline.RunResult{r}})
}

// unreached is why direct I/O of a step was no measurement of a device; "" if it was one, or nothing tells.
func unreached(l *stepLog) string {
	if l.Step.Cache != baseline.Direct || l.Step.Op == baseline.Copy && l.Step.Method != baseline.CopyLoop {
		return ""
	}
	fs := l.Place.FSType
	switch {
	case trace.InMemory(fs):
		return "direct I/O on " + fs + ": this is the speed of memory, no device is behind it"
	case strings.HasPrefix(fs, "fuse") && l.Place.Device == "":
		return "direct I/O on " + fs + ": its daemon may answer from memory, and no device is known below it"
	}
	least, rest := baseline.LeastReached, "this is the speed of memory"
	if strings.HasPrefix(fs, "fuse") {
		least, rest = leastOfFUSE, "its daemon answered the rest from memory"
	}
	var read, written, deviceRead, deviceWritten int64
	for _, r := range l.Runs {
		if r.Counted && r.Device != nil {
			read, written = read+r.ReadBytes, written+r.WriteBytes
			deviceRead, deviceWritten = deviceRead+r.Device.ReadBytes, deviceWritten+r.Device.WriteBytes
		}
	}
	switch {
	case float64(deviceRead) < least*float64(read):
		return fmt.Sprintf("of %s read past the page cache %s came from %s: %s", unit.Bytes(read),
			unit.Bytes(deviceRead), l.Place.Device, rest)
	case float64(deviceWritten) < least*float64(written):
		return fmt.Sprintf("of %s written past the page cache %s came to %s: %s",
			unit.Bytes(written), unit.Bytes(deviceWritten), l.Place.Device, rest)
	}
	return ""
}
