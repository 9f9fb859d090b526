package answer

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// fullSyncs says what a Mac's fsync left undone. fsync(2) of macOS: "the drive
// itself may not physically write the data to the platters for quite some
// time"; F_FULLFSYNC is what asks the drive to empty its cache.
func fullSyncs(o *observer) {
	if o.p.Trace.OS != "darwin" {
		return
	}
	var plain, full, barrier int64
	var evidence []profile.Evidence
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		var n *int64
		switch {
		case fullSync(c):
			n = &full
			sayFullSync(o, c, fmt.Sprintf("/calls/%d", i))
		case strings.Contains(c.Name, "F_BARRIERFSYNC"):
			n = &barrier
		case c.Op == trace.OpSync && strings.Contains(c.Name, "fsync"): // fsync_nocancel and aio_fsync too
			n = &plain
		default:
			continue
		}
		*n += c.Count - c.Errors
		evidence = append(evidence, number(fmt.Sprintf("/calls/%d/count", i), float64(c.Count)))
	}
	if plain+barrier == 0 || full > 0 {
		return
	}
	var used []string
	if plain > 0 {
		used = append(used, unit.Things(plain, "fsync"))
	}
	if barrier > 0 {
		used = append(used, unit.Things(barrier, "F_BARRIERFSYNC, which keeps order only,",
			"F_BARRIERFSYNCs, which keep order only,"))
	}
	o.say("no_full_sync", "/calls", fmt.Sprintf("%s and no F_FULLFSYNC: on a Mac the data may still be in the drive's "+
		"cache, and be lost if power fails.",
		unit.List(used)), evidence...)
}

// sayFullSync words how long a drive took to empty its cache.
func sayFullSync(o *observer, c *profile.Call, at string) {
	if c.Count == c.Errors {
		return
	}
	text := fmt.Sprintf("%s, in which the drive empties its cache, took %s in all, %s each: that is %s of the wall time",
		unit.Things(c.Count, "F_FULLFSYNC"),
		unit.Nanoseconds(c.TimeNS), wording.Times(&c.Latency), unit.Share(float64(c.TimeNS)/float64(max(o.p.WallNS, 1))))
	evidence := []profile.Evidence{number(at+"/count", float64(c.Count)), number(at+"/time_ns", float64(c.TimeNS)),
		number(at+"/latency_ns/p50", float64(c.Latency.P50)),
		number("/wall_ns", float64(o.p.WallNS))}
	if c.Errors > 0 {
		text += fmt.Sprintf("; %d failed", c.Errors)
		evidence = append(evidence, number(at+"/errors", float64(c.Errors)))
	}
	o.say("full_sync", at, text+".", evidence...)
}

// fullSync reports whether a call has the drive of a Mac empty its cache.
func fullSync(c *profile.Call) bool { return strings.Contains(c.Name, "F_FULLFSYNC") }
