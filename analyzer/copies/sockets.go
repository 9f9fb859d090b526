package copies

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// peers are the other ends of sockets that were read from.
type peers map[*world.File]*world.File

// pair finds for each socket that something was read from the one that it was
// written to. The two ends of a pair are files of their own: their numbers are
// neighbours; or else just as many bytes went into one other socket at the time.
func pair(streams map[*world.File]*stream) peers {
	byInode, given := map[uint64]*stream{}, map[int64][]*stream{}
	var readers []*stream
	for f, c := range streams {
		if f.Kind != trace.FileSocket {
			continue
		}
		byInode[f.Inode] = c
		given[c.Given] = append(given[c.Given], c)
		if c.Taken > 0 {
			readers = append(readers, c)
		}
	}
	ends := peers{}
	slices.SortFunc(readers, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.Took.From, b.Took.From), cmp.Compare(a.File.Inode, b.File.Inode))
	})
	used := map[*stream]bool{}
	for _, c := range readers {
		var best *stream
		for _, o := range given[c.Taken] {
			if o != c && !used[o] && within(o.Gave, c.Took) && (best == nil || o.Gave.From > best.Gave.From) {
				best = o
			}
		}
		for _, n := range []uint64{c.File.Inode - 1, c.File.Inode + 1} {
			if o := byInode[n]; best == nil && o != nil && o.Given >= c.Taken && o.Gave.From <= c.Took.To {
				best = o
			}
		}
		if best != nil {
			used[best] = true
			ends[c.File] = best.File
		}
	}
	answers(readers, ends)
	return ends
}

// mark says of the sockets among the files of a profile that both ends were recorded.
func (p peers) mark(listed map[int]*profile.File) {
	for to, from := range p {
		for _, end := range []*world.File{to, from} {
			if f := listed[end.Number]; f != nil {
				f.Paired = true
			}
		}
	}
}

// answers pairs what is left by what went the other way: a question that was read whole tells whose answer it is of
// which the end was not read, as where a program closes a connection once it has its range of a file.
func answers(readers []*stream, ends peers) {
	asked := map[*world.File]*world.File{}
	for to, from := range ends {
		asked[from] = to
	}
	for _, c := range readers {
		if from := asked[c.File]; from != nil && ends[c.File] == nil {
			ends[c.File] = from
		}
	}
}

// within reports whether what was given in one period can have been taken in
// another: it began before the first call that took something ended, and ended no later, but for the end of a call.
func within(p, o callSpan) bool {
	return p.From <= o.First && o.From <= p.To+waiting && p.From <= o.From+waiting
}

// waiting is how long bytes may lie in a socket.
const waiting = int64(1e9)
