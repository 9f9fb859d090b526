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

// slowed gives a device's slowing down the time that it would have saved to go on at its
// first speed; it returns how much that is.
func slowed(a *account, d *wording.Disk, ns int64) int64 {
	series := map[string]string{"read": "device read", "wrote": "device write"}[d.Verb]
	var first *profile.Phase
	var lost int64
	later := map[int64]bool{} // where those began that were slower
	for i := range a.p.Phases {
		f := &a.p.Phases[i]
		switch {
		case f.Series != series || f.Device != d.Name || f.BusyRate <= 0:
		case first == nil:
			first = f
		case 2*f.Operation < first.Operation: // smaller requests are slower
		case float64(f.BusyRate) < slower*float64(first.BusyRate):
			later[f.FromBytes] = true
			bytes := float64(f.ToBytes - f.FromBytes)
			lost += int64(bytes/float64(f.BusyRate)*1e9 - bytes/float64(first.BusyRate)*1e9)
		}
	}
	step, index := steepest(a, series, d.Name, later)
	if lost = min(lost, ns); step == nil || float64(lost) < muchSlower*float64(a.total) {
		return 0
	}
	pointer := fmt.Sprintf("/change_points/%d", index)
	a.because(profile.Reason{
		Code: cause.SlowingDown, Name: d.Name + " slower", TimeNS: lost, Certainty: cause.Likely,
		Text: fmt.Sprintf("%s %s %s at first, %s after %s: a full cache, heat or a throttle",
			d.Name, d.Verb, unit.Speed(step.Before), unit.Speed(step.After), unit.Bytes(step.AtBytes)),
		Evidence: []profile.Evidence{at(pointer+"/before_bytes_per_s", float64(step.Before)),
			at(pointer+"/after_bytes_per_s", float64(step.After))},
		Remedy:     "pauses, or shorter bursts; a drive that keeps its speed",
		Experiment: "iotrace record, after ten minutes of rest",
	})
	return lost
}

// slower is how much of its first speed a device keeps at most, to be said to have become
// slower; and muchSlower the share of the time that this has to cost.
const (
	slower     = twoThirds
	muchSlower = tenth
)

// steepest is the deepest fall of a curve, of those at some places.
func steepest(a *account, series, device string, at map[int64]bool) (step *profile.Step, index int) {
	for i := range a.p.ChangePoints {
		s := &a.p.ChangePoints[i]
		if s.Series == series && s.Device == device && at[s.AtBytes] && s.Ratio < slower &&
			(step == nil || s.Ratio < step.Ratio) {
			step, index = s, i
		}
	}
	return step, index
}

// inOrder reports whether calls went through most of a file in order.
func inOrder(p *profile.AccessPattern) bool {
	return p != nil && (p.Class == "sequential" || p.Class == "mostly_sequential")
}

// scattered reports whether one file that was read in order made the device jump about, in
// requests smaller than they could be; and says so.
func scattered(a *account, d *wording.Disk, r *profile.Reason) bool {
	f, index := mostRead(a)
	if f == nil || f.Type == trace.FileBlock || !inOrder(f.ReadPattern) || d.ReadPattern == nil {
		return false // a drive lies in one piece
	}
	flow := f.DeviceRead
	possible := min(max(d.ReadAhead, 128<<10), max(d.MaxRequest, 128<<10))
	if flow.Count < several || flow.Bytes*2 < d.Flow.Bytes || flow.Size.P50*2 > possible ||
		2*d.ReadPattern.Consecutive > 1 {
		return false
	}
	r.Code, r.Name, r.Certainty = cause.Fragmentation, path.Base(f.Path)+" in pieces", cause.Likely
	r.Text = fmt.Sprintf("%s lies in many pieces: it was read in order, but in %s of %s, few of which follow one "+
		"another on %s", path.Base(f.Path), unit.Things(flow.Count, "request"),
		wording.Sizes(&flow.Size), d.Name)
	r.Remedy = "copy the file to a place with enough free space in one piece, or defragment it"
	r.Experiment = "filefrag -v " + f.Path
	r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/device_read/count", index), float64(flow.Count)))
	return true
}

// narrow reports whether a device was given little at a time because no more is read ahead on it: most requests are as
// large as that, and none waited for another. Calls that ask for more than it get more.
func narrow(a *account, d *wording.Disk) bool {
	size := d.Flow.Size.P50
	return d.ReadAhead > 0 && size <= d.ReadAhead && 2*size > d.ReadAhead && !d.Saturated(a.p)
}

// unforeseen reports whether a file was read in order through the page cache, and still each
// piece only when it was needed; and says so.
func unforeseen(a *account, d *wording.Disk, r *profile.Reason) bool {
	f, index := mostRead(a)
	if f == nil || !inOrder(f.ReadPattern) || f.DeviceRead.Bytes*2 < d.Flow.Bytes || f.DeviceRead.Count < several ||
		a.p.Pattern.Modes == nil || d.PastCache(a.p) {
		return false
	}
	if f.Advice["random"] > 0 && f.Advice["normal"]+f.Advice["sequential"] == 0 {
		r.Code, r.Name = cause.Readahead, "nothing read ahead"
		r.Remedy = "leave out POSIX_FADV_RANDOM, or advise POSIX_FADV_SEQUENTIAL"
		r.Text = fmt.Sprintf("%s was read in order, but the program had advised that it would be read at random, which "+
			"turns readahead off: %s of %s, %s", path.Base(f.Path), unit.Things(d.Flow.Count, "wait"),
			wording.Sizes(&d.Flow.Size), wording.Each(&d.Flow.Latency))
		r.Evidence = append(r.Evidence, at(fmt.Sprintf("/files/%d/advice/random", index), float64(f.Advice["random"])))
		return true
	}
	if narrow(a, d) {
		r.Code, r.Name = cause.Readahead, "little read ahead"
		r.Remedy = "blockdev --setra 8192, or posix_fadvise(SEQUENTIAL), which doubles it"
		r.Text = fmt.Sprintf("%s was read in order, in requests as small as the readahead of %s is: %s; %s of them, %s",
			path.Base(f.Path), d.Name, unit.BlockSize(d.ReadAhead), unit.Number(float64(d.Flow.Count)),
			wording.Each(&d.Flow.Latency))
		return true
	}
	if d.Flow.Depth.MeanBusy >= wording.Queued {
		return false
	}
	if d.ReadAhead > 0 &&
		(float64(d.Readahead) > tenth*float64(d.Flow.Bytes) || d.Flow.Size.P50 > wording.SmallRequest/2) {
		return false
	}
	r.Code, r.Name, r.Remedy = cause.Readahead, "nothing read ahead",
		"blockdev --setra 256, or read in larger blocks; posix_fadvise(SEQUENTIAL)"
	r.Text = fmt.Sprintf("%s was read in order, but nothing was read ahead: %s, %s", path.Base(f.Path),
		unit.Things(d.Flow.Count, "wait")+" of "+wording.Sizes(&d.Flow.Size),
		wording.Each(&d.Flow.Latency))
	if d.ReadAhead > 0 {
		r.Certainty, r.Experiment = cause.Likely, "blockdev --getra /dev/"+d.Name
		return true
	}
	r.Text += "; the device's readahead is off"
	return true
}
