// Package evidence says which transfers are copies, and the evidence for each. It is a package of its own because
// judging a copy and describing one are apart: here is no time and no device.
package evidence

import (
	"github.com/iotrace/iotrace/analyzer/copies/transfers"
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// Find decides, at the end, which transfers are copies: the rules with the better
// evidence come first, and a file that one of them explains is taken.
func Find(t *transfers.Transfers, files *world.Files, sampled []trace.Content) []Copy {
	c := contentsOf(files, sampled)
	j := &judge{t, c, map[*transfers.Source]*measure.Ranges{}}
	j.decide()
	peers := pair(t.Streams)
	list := c.check(joinParts(append(direct(j), piped(j, peers)...)))
	taken := map[*world.File]bool{}
	for i := range list {
		taken[list[i].Dest] = true
	}
	for _, rule := range []func() []Copy{
		func() []Copy { return framed(t, peers, c, files, taken) }, // what came through a stream is not what lay there before
		func() []Copy { return identical(t, c, taken) },
		func() []Copy { return assembled(t, peers, c, taken) },
		func() []Copy { return mapped(t, c, taken) },
		func() []Copy { return empty(t.Empties, taken) },
		func() []Copy { return unsized(t.Clones, taken) },
	} {
		some := c.check(rule())
		for i := range some {
			taken[some[i].Dest] = true
		}
		list = append(list, some...)
	}
	return append(list, named(t, files)...)
}
