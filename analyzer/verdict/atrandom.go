package verdict

import (
	"fmt"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// atRandom is for reads of one file through the page cache, here and there, one at a time: of which file, and how many
// requests it would take to read all of it in order beforehand, where these are fewer than half. A tenth of the file at
// least has to be wanted, or a drive that is slow with bytes would take longer for the rest; and it has to stay in
// memory.
func atRandom(a *account, d *wording.Disk) (text, remedy string) {
	f, _ := mostRead(a)
	if d.Verb != "read" || f == nil || f.ReadPattern == nil || inOrder(f.ReadPattern) || f.DeviceRead.Count < several ||
		2*f.DeviceRead.Bytes <= d.Flow.Bytes || d.PastCache(a.p) {
		return "", ""
	}
	order := "here and there"
	if f.ReadPattern.Backward > nearlyAll {
		order = "from its end to its beginning"
	}
	part := ""
	switch {
	case float64(f.DeviceRead.Bytes) > nearlyAll*float64(f.Size):
		part = "all " + unit.Bytes(f.Size) + " of "
	case littleOf(f):
		part = unit.Bytes(f.DeviceRead.Bytes) + " of the " + unit.Bytes(f.Size) + " of "
		remedy = "fewer places of it (an index of where things lie), or "
	}
	text = fmt.Sprintf(", %s%s %s", part, path.Base(f.Path), order)
	ahead := max(d.ReadAhead, d.Flow.Size.P50, 1)
	if d.MaxRequest > 0 {
		ahead = min(ahead, d.MaxRequest)
	}
	requests := (f.Size + ahead - 1) / ahead
	fits := 2*f.Size < a.p.Trace.MemoryBytes && len(a.p.Trace.MemoryLimits) == 0
	if f.Size == 0 || 2*requests >= f.DeviceRead.Count || littleOf(f) || !fits {
		return text, remedy
	}
	a.figure("requests_in_order", float64(requests))
	return text, fmt.Sprintf("read it in order first (cat %s >/dev/null): %s, not %s; or keep together what is read "+
		"together (VACUUM, CLUSTER, repack); ", path.Base(f.Path), unit.Things(requests, "request"),
		unit.Number(float64(f.DeviceRead.Count)))
}

// apart reports whether atRandom found that little of a file is read, here and there.
func apart(a *account, d *wording.Disk) bool {
	text, _ := atRandom(a, d)
	f, _ := mostRead(a)
	return text != "" && littleOf(f)
}

// littleOf reports whether a device was read for less than a tenth of a file. What is read of it lies far apart then,
// as long as it lies here and there, and a larger request would bring in little more of it.
func littleOf(f *profile.File) bool { return float64(f.DeviceRead.Bytes) < tenth*float64(f.Size) }
