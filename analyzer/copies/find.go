package copies

import (
	"slices"
	"sync"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// findCopies decides, at the end, which transfers are copies: the rules with the better
// evidence come first, and a file that one of them explains is taken.
func findCopies(t *transfers, peers peers, files *world.Files, sampled []trace.Content) []judgedCopy {
	c := contentsOf(files, sampled)
	j := &judge{t, c, map[*source]*measure.Ranges{}}
	j.decide()
	each := strands(t.Streams, peers)
	streams := routes(each)
	read := sync.OnceValue(func() readings { return readers(t.Sources, c) })
	list := c.check(joinParts(append(direct(j), piped(j, peers)...)))
	taken := map[*world.File]bool{}
	for i := range list {
		taken[list[i].Dest] = true
	}
	for _, rule := range []func() []judgedCopy{
		// What came through a stream is not what lay there before.
		func() []judgedCopy { return framed(t, append(slices.Clip(streams), relayed(each)...), c, files, taken) },
		func() []judgedCopy { return identical(t, c, taken) },
		func() []judgedCopy { return assembled(t, streams, read, c, taken) },
		func() []judgedCopy { return mapped(t, c, taken) },
		func() []judgedCopy { return empty(t.Empties, taken) },
		func() []judgedCopy { return unsized(t.Clones, taken) },
	} {
		some := c.check(rule())
		for i := range some {
			taken[some[i].Dest] = true
		}
		list = append(list, some...)
	}
	return append(c.check(inParts(list, t, streams, read, c)), named(t, files)...)
}
