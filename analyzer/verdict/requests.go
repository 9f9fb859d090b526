package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// cut says that calls which move much each reach the process of a file system in small pieces: it was waited for more
// often than there were calls. What it is given ahead, nobody waits for, so a piece has that size at most.
func cut(a *account, r *profile.Reason, f *profile.File) {
	flow, times := larger(f.Read, f.Write), trips(a, f)
	if flow == nil || times < several*flow.Count || flow.Bytes/times >= wording.SmallRequest {
		return
	}
	piece := flow.Bytes / times
	a.figure("daemon_waits", float64(times))
	a.figure("bytes_a_wait", float64(piece))
	r.Text = fmt.Sprintf("%s of %s waited %s, for %s at a time: %s", unit.Things(flow.Count, "call"),
		wording.Sizes(&flow.Size), unit.Things(times, "time"), unit.Bytes(piece), r.Text)
	r.Remedy = "larger requests for that process (mount options big_writes, max_write, max_read, or direct_io); a file " +
		"system of the kernel"
}
