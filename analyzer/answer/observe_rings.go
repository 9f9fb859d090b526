package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// inTurn is how many times as many writes a ring is given as a drive gets where they are done in turn.
const inTurn = 4

// ringInTurn is for writes of a ring through the page cache that have to be durable. Workers of the kernel do them, one
// after the other for each file, however many the program gives them.
func ringInTurn(o *observer) {
	d, m := wording.Busiest(o.p, true), o.p.Pattern.Modes
	if d == nil || d.Flow == nil || m == nil || len(o.p.Layers) == 0 || o.p.Layers[0].Write == nil {
		return
	}
	given, got := o.p.Layers[0].Write.Depth.MeanBusy, d.Flow.Depth.MeanBusy
	if given < inTurn*got || got == 0 || 2*m.SyncedWrite < m.BufferedWrite || m.DirectWrite > 0 {
		return
	}
	for i := range o.p.Calls {
		c := &o.p.Calls[i]
		if !inRing(c) || 2*c.Bytes < m.BufferedWrite {
			continue
		}
		o.say("ring_in_turn", fmt.Sprintf("/calls/%d", i), fmt.Sprintf("%s was given %s writes at a time, and %s %s: "+
			"those through the page cache that wait until they are durable are done one after the other for each file. "+
			"With O_DIRECT, within what a file has allocated, they go side by side; so do those of several files.", c.Name,
			unit.Significant(given, 2), d.Name, unit.Significant(got, 2)),
			number("/layers/0/write/depth/mean_busy", given), number(d.Pointer+"/depth/mean_busy", got))
	}
}

// inRing reports whether operations are writes that a ring was given.
func inRing(c *profile.Call) bool {
	return c.Async && c.Op == trace.OpWrite && c.Name == trace.APIUring.String()
}
