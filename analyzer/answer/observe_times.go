package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
)

// wall says where the time went.
func wall(o *observer) {
	t := o.p.TimeStack
	if t.WallNS <= 0 {
		return
	}
	order := make([]int, 0, len(t.Slices))
	busy := int64(0)
	for i, s := range t.Slices {
		if s.Group == "device" {
			busy += s.NS
		}
		if s.Label != "draining" && s.NS*20 >= t.WallNS {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(t.Slices[b].NS/1000) - int(t.Slices[a].NS/1000) })
	var parts []string
	evidence := []profile.Evidence{number("/wall_ns", float64(o.p.WallNS))}
	for _, i := range order {
		parts = append(parts, fmt.Sprintf("%s %s", unit.Share(float64(t.Slices[i].NS)/float64(t.WallNS)),
			t.Slices[i].Text))
		evidence = append(evidence, number(fmt.Sprintf("/time_stack/slices/%d/ns", i), float64(t.Slices[i].NS)))
	}
	if len(parts) > 0 {
		o.say("time_stack", "/time_stack", fmt.Sprintf("Of %s: %s.", unit.Nanoseconds(o.p.WallNS), strings.Join(parts, ", ")),
			evidence...)
	}
	if o.p.DurableNS > o.p.WallNS+o.p.WallNS/20 && wrote(o) {
		o.say("draining", "/durable_ns", fmt.Sprintf("The command returned after %s, but its data was on the device only "+
			"after %s.",
			unit.Nanoseconds(o.p.WallNS), unit.Nanoseconds(o.p.DurableNS)), number("/wall_ns", float64(o.p.WallNS)),
			number("/durable_ns", float64(o.p.DurableNS)))
	}
}

// wrote reports whether there is data to become durable.
func wrote(o *observer) bool {
	return slices.ContainsFunc(o.p.Layers, func(l profile.Layer) bool { return l.Write != nil && l.Write.Bytes > 0 })
}

// syncs says what durability cost.
func syncs(o *observer) {
	for i, c := range o.p.Calls {
		if !c.Syncs() {
			continue
		}
		if c.TimeNS*20 < o.p.WallNS || fullSync(&c) {
			continue
		}
		at := fmt.Sprintf("/calls/%d", i)
		added := ""
		if len(o.p.Processes) > 1 || o.p.Processes[0].Threads > 1 {
			added = ", added over threads"
		}
		o.say("sync", at, fmt.Sprintf("%s took %s in all, %s each: that is %s of the wall time%s.",
			unit.Things(c.Count, c.Name+" call"),
			unit.Nanoseconds(c.TimeNS), wording.Times(&c.Latency), unit.Share(float64(c.TimeNS)/float64(max(o.p.WallNS, 1))),
			added),
			number(at+"/count", float64(c.Count)), number(at+"/time_ns", float64(c.TimeNS)),
			number(at+"/latency_ns/p50", float64(c.Latency.P50)),
			number("/wall_ns", float64(o.p.WallNS)))
	}
}
