package answer

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// ringInTurn is for writes of a ring through the page cache that have to be durable.
func ringInTurn(o *observer) {
	r := wording.InTurn(o.p)
	if r == nil {
		return
	}
	o.say("ring_in_turn", fmt.Sprintf("/calls/%d", r.Call), fmt.Sprintf("%s was given %s writes at a time, and %s %s: "+
		"those through the page cache that wait until they are durable are done one after the other for each file. "+
		"With O_DIRECT, within what a file has allocated, they go side by side; so do those of several files.",
		o.p.Calls[r.Call].Name, unit.Significant(r.Given, 2), r.Disk.Name, unit.Significant(r.Got, 2)),
		number("/layers/0/write/depth/mean_busy", r.Given), number(r.Disk.Pointer+"/depth/mean_busy", r.Got))
}
