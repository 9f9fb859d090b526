package verdict

import (
	"fmt"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// forking is for the time in which a process that forks waits for the copy of its page tables: the more memory it has,
// the longer. A child that executes a program gives the copy back first, which goes through the same tables: of what it
// runs until then, as much as the forks took is for that.
func forking(a *account) {
	ns := a.within(copiesTables, inOther)
	c, index := longest(a, func(c *profile.Call) bool { return copiesTables(c.Op) })
	if c == nil || float64(ns) < worthTelling*float64(a.total) {
		return
	}
	pointer := fmt.Sprintf("/calls/%d/", index)
	evidence := []profile.Evidence{at(pointer+"count", float64(c.Count)), at(pointer+"latency_ns/p50",
		float64(c.Latency.P50))}
	given := a.takeUpTo(min(ns, a.onPath(givesBack)), running)
	tables, back := "the page tables", ""
	if c.Size.ByBytes > 0 {
		tables = unit.Bytes(c.Size.ByBytes) + " of page tables"
		evidence = append(evidence, at(pointer+"size_bytes/p50_by_bytes", float64(c.Size.ByBytes)))
	}
	if given > 0 {
		back = ", which its child gives back"
	}
	a.because(profile.Reason{
		Code: cause.Fork, Name: "fork", TimeNS: given + a.takeUpTo(ns, inOther), Certainty: cause.Measured,
		Evidence: evidence,
		Text: fmt.Sprintf("%s%s, %s: it waits while the kernel copies %s%s", unit.Things(c.Count, "fork"), forker(a),
			wording.Each(&c.Latency), tables, back),
		Remedy: "posix_spawn or vfork where the child only starts a program; else huge pages, or less memory in the " +
			"process that forks (let another save, such as a replica)",
	})
}

// copiesTables reports whether an operation copies page tables.
func copiesTables(op trace.Op) bool { return op == trace.OpFork }

// givesBack is for a child that was forked and is about to execute a program.
func givesBack(x *profile.PathPart) bool {
	return x.Place.Copy && x.Place.What == "runs" && labels[x.Place.Label] == running
}

// forker says which program waited for its forks most; "" if that is not known.
func forker(a *account) string {
	times, most := map[string]int64{}, ""
	for _, x := range a.along() {
		if x.Place.Call != trace.OpFork.String() || x.Place.Process == "" {
			continue
		}
		if times[x.Place.Process] += x.NS; times[x.Place.Process] > times[most] {
			most = x.Place.Process
		}
	}
	if most == "" {
		return ""
	}
	return " of " + most
}
