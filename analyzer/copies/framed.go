package copies

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// framed finds copies that went through a pipe or a socket among other bytes:
// tar to tar, rsync. The stream cannot be followed byte by byte; instead whole
// files went in at one side, whole files of the same names and sizes came out
// at the other, in the same order, and the stream carried at least as many
// bytes. A file may get another name if nothing else of its size went the same
// way. A stream that carried fewer (compression, only differences) is none.
func (b *transfers) framed(taken map[*world.File]bool, names *world.Files) []found {
	var list []found
	made := map[*actor][]maker{}
	for _, n := range b.made {
		made[n.actor] = append(made[n.actor], n)
	}
	for _, r := range b.routes() {
		some := r.match(taken, b.contents)
		list = append(list, some...)
		list = append(list, r.empty(some, made[r.to], names, taken)...)
	}
	return list
}

// empty adds the files without bytes that belong to the trees that were found:
// they leave no trace in the stream, but the sender looked at a file of this
// name, and the receiver made one and wrote nothing.
func (r *route) empty(some []found, made []maker, names *world.Files, taken map[*world.File]bool) []found {
	type roots struct{ source, dest string }
	seen := map[roots]bool{}
	var trees []roots
	for _, f := range some {
		common := commonSuffix(f.source.Path, f.dest.Path)
		t := roots{strings.TrimSuffix(f.source.Path, common), strings.TrimSuffix(f.dest.Path, common)}
		if !seen[t] {
			seen[t] = true
			trees = append(trees, t)
		}
	}
	var list []found
	for _, m := range made {
		dest := m.file
		if taken[dest] || dest.Size > 0 || r.to.written[dest] != nil {
			continue
		}
		for _, t := range trees {
			rest, below := strings.CutPrefix(dest.Path, t.dest)
			source := names.ByPath[t.source+rest]
			if !below || source == nil || source == dest || source.Size > 0 || source.Kind == trace.FileDirectory {
				continue
			}
			taken[dest] = true
			list = append(list, found{
				source: source, dest: dest, between: r.processes(), via: r.kind, method: "read_write", evidence: "framed",
				because: "the sender looked at a file of this name, the receiver made an empty one", at: m.at, until: m.at, certainty: likely,
			})
			break
		}
	}
	return list
}

// route is a stream from one process to another.
type route struct {
	from, to *actor
	bytes    int64
	kind     string
}

func (r *route) processes() []*world.Process { return []*world.Process{r.from.process, r.to.process} }

// routes lists which process sent how much to which.
func (b *transfers) routes() []route {
	sums := map[[2]*actor]*route{}
	var order []*route
	add := func(from, to *channel) {
		for w, n := range from.writers {
			for r, m := range to.readers {
				if w == r {
					continue
				}
				k := [2]*actor{w, r}
				if sums[k] == nil {
					sums[k] = &route{from: w, to: r, kind: from.file.Kind.String()}
					order = append(order, sums[k])
				}
				sums[k].bytes += min(n, m)
			}
		}
	}
	for f, c := range b.streams {
		add(c, c)
		if peer := b.peers[f]; peer != nil {
			add(b.streams[peer], c)
		}
	}
	var list []route
	for _, r := range order {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.from.process.PID, b.from.process.PID), cmp.Compare(a.to.process.PID, b.to.process.PID))
	})
	return list
}

// pair finds for each socket that something was read from the one that it was
// written to. The two ends of a pair are files of their own: their numbers are
// neighbours; or else just as many bytes went into one other socket at the time.
func (b *transfers) pair() {
	byInode, given := map[uint64]*channel{}, map[int64][]*channel{}
	var readers []*channel
	for f, c := range b.streams {
		if f.Kind != trace.FileSocket {
			continue
		}
		byInode[f.Inode] = c
		given[c.given] = append(given[c.given], c)
		if c.taken > 0 {
			readers = append(readers, c)
		}
	}
	b.peers = map[*world.File]*world.File{}
	slices.SortFunc(readers, func(a, b *channel) int {
		return cmp.Or(cmp.Compare(a.took.from, b.took.from), cmp.Compare(a.file.Inode, b.file.Inode))
	})
	used := map[*channel]bool{}
	for _, c := range readers {
		var best *channel
		for _, o := range given[c.taken] {
			if o != c && !used[o] && o.gave.within(c.took) && (best == nil || o.gave.from > best.gave.from) {
				best = o
			}
		}
		for _, n := range []uint64{c.file.Inode - 1, c.file.Inode + 1} {
			if o := byInode[n]; best == nil && o != nil && o.given >= c.taken && o.gave.from <= c.took.to {
				best = o
			}
		}
		if best != nil {
			used[best] = true
			b.peers[c.file] = best.file
		}
	}
}

// within reports whether what was given in one period can have been taken in
// another: it began no later, and ended no later, but for the end of a call.
func (p period) within(o period) bool {
	return p.from <= o.to && o.from <= p.to+waiting && p.from <= o.from+waiting
}

// waiting is how long bytes may lie in a socket.
const waiting = int64(1e9)

// match pairs the files of both sides of a route: of each a stretch at the same
// place, the whole file or its end.
func (r *route) match(taken map[*world.File]bool, c contents) []found {
	type key struct {
		name string
		part measure.Extent
	}
	sources := map[key][]*source{}
	for _, s := range r.from.all {
		if e, ok := s.read.Rest(s.file.Size); ok && s.file.Data() && len(s.read.List) == 1 {
			k := key{path.Base(s.file.Path), e}
			sources[k] = append(sources[k], s)
		}
	}
	var sinks []*sink
	for _, s := range r.to.written {
		if _, ok := s.stretch(); (ok || r.held(c, s) != nil) && s.file.Data() && !taken[s.file] && s.again == 0 && !r.to.readBase(s.file) {
			sinks = append(sinks, s)
		}
	}
	slices.SortFunc(sinks, func(a, b *sink) int {
		return cmp.Or(cmp.Compare(a.flow.First, b.flow.First), cmp.Compare(a.file.Path, b.file.Path))
	})
	var list []found
	need, last := int64(0), int64(-1)
	for _, out := range sinks {
		e, _ := out.stretch()
		in, because, sure := closest(sources[key{path.Base(out.file.Path), e}], out), "a file of this name and size was read at one end of the stream and written at the other, in the same order, and the stream carried at least as many bytes", likely
		if in == nil {
			if in = r.held(c, out); in != nil {
				e = measure.Extent{From: out.written.First(), To: out.written.End()}
				because = "one end of the stream read what the other wrote, both files hold the same, and the stream carried at least as many bytes"
			}
		}
		if in == nil {
			in, because, sure = sole(r.from, sinks, out, e), "the only file of this size that was read at one end of the stream, the only one that was written at the other, and the stream carried at least as many bytes", sameSize
		}
		if in == nil || in.flow.First > out.flow.First || in.flow.Last > out.flow.Last || in.flow.First < last {
			continue
		}
		last = in.flow.First
		need += out.written.Bytes
		list = append(list, found{
			source: in.file, dest: out.file, id: in.id, into: out.id, sourceAt: e.From, destAt: e.From, bytes: out.written.Bytes,
			holes: e.Bytes() - out.written.Bytes, in: in.detail, src: in, out: allWrites(out.links, &out.flow), sink: out, calls: out.calls,
			between: r.processes(), via: r.kind, evidence: "framed", because: because, certainty: sure,
		})
	}
	if need > r.bytes || need < small && len(list)*2 <= len(sinks) { // few bytes among other things: chance
		return nil
	}
	return list
}

// held is what the sender read of a file that holds the same as the one that was
// written, if it read all that was.
func (r *route) held(c contents, out *sink) *source {
	for _, s := range r.from.all {
		if same, known := c.same(s.file, out.file); same && known && len(out.written.List) == 1 && s.read.Has(out.written.List[0]) {
			return s
		}
	}
	return nil
}

// stretch is what a sink stands for: with holes, if the file is new.
func (s *sink) stretch() (measure.Extent, bool) {
	e, ok := s.written.Rest(s.file.Size)
	if s.file.Created {
		e.From = 0
	}
	return e, ok && (s.file.Created || len(s.written.List) == 1)
}

// allWrites are all calls of the links of a sink, or else its sums.
func allWrites(links []*link, sums *measure.Flow) *measure.Flow {
	var all *measure.Flow
	for _, l := range links {
		all = all.Join(l.out)
	}
	if all == nil {
		return sums
	}
	return all
}

// sole is the source of a file that got another name on the way: one that is
// not small and has a size of its own at both ends.
func sole(from *actor, sinks []*sink, out *sink, e measure.Extent) *source {
	if e.Bytes() < small || slices.ContainsFunc(sinks, func(s *sink) bool { return s != out && s.file.Size == out.file.Size }) {
		return nil
	}
	var found *source
	for _, s := range from.all {
		if x, ok := s.read.Rest(s.file.Size); ok && s.file.Data() && len(s.read.List) == 1 && s.file != out.file && x == e {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// closest is the source with the longest common end of path.
func closest(list []*source, out *sink) *source {
	var best *source
	length := -1
	for _, s := range list {
		if n := len(commonSuffix(s.file.Path, out.file.Path)); n > length && s.file != out.file {
			best, length = s, n
		}
	}
	return best
}

// commonSuffix is the longest common end of two paths, cut at a slash.
func commonSuffix(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[len(a)-1-i] == b[len(b)-1-i] {
		i++
	}
	s := a[len(a)-i:]
	if i == len(a) || i == len(b) {
		return s
	}
	for j := range s {
		if s[j] == '/' {
			return s[j:]
		}
	}
	return ""
}

// readBase reports whether the process read an older file of the same name: a
// base for differences.
func (a *actor) readBase(f *world.File) bool {
	for _, s := range a.all {
		if s.file != f && s.file.Data() && s.read.Bytes > 0 && s.file.HadName(f.Path) {
			return true
		}
	}
	return false
}
