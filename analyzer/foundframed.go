package analyzer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/trace"
)

// framed finds copies that went through a pipe or a socket among other bytes:
// tar to tar, rsync. The stream cannot be followed byte by byte; instead whole
// files went in at one side, whole files of the same names and sizes came out
// at the other, in the same order, and the stream carried at least as many
// bytes. A file may get another name if nothing else of its size went the same
// way. A stream that carried fewer (compression, only differences) is none.
func (b *books) framed(taken map[*file]bool, names *identities) []found {
	var list []found
	made := map[*process][]*file{}
	for _, n := range b.made {
		made[n.process] = append(made[n.process], n.file)
	}
	for _, r := range b.routes() {
		some := r.match(taken)
		list = append(list, some...)
		list = append(list, r.empty(some, made[r.to], names, taken)...)
	}
	return list
}

// empty adds the files without bytes that belong to the trees that were found:
// they leave no trace in the stream, but the sender looked at a file of this
// name, and the receiver made one and wrote nothing.
func (r *route) empty(some []found, made []*file, names *identities, taken map[*file]bool) []found {
	type roots struct{ source, dest string }
	seen := map[roots]bool{}
	var trees []roots
	for _, f := range some {
		common := commonSuffix(f.source.path, f.dest.path)
		t := roots{strings.TrimSuffix(f.source.path, common), strings.TrimSuffix(f.dest.path, common)}
		if !seen[t] {
			seen[t] = true
			trees = append(trees, t)
		}
	}
	var list []found
	for _, dest := range made {
		if taken[dest] || dest.size > 0 || r.to.flows.sinks[dest] != nil {
			continue
		}
		for _, t := range trees {
			rest, below := strings.CutPrefix(dest.path, t.dest)
			source := names.byPath[t.source+rest]
			if !below || source == nil || source == dest || source.size > 0 || source.kind == trace.FileDirectory {
				continue
			}
			taken[dest] = true
			list = append(list, found{
				source: source, dest: dest, between: []*process{r.from, r.to}, via: r.kind, method: "read_write", evidence: "framed",
				because: "the sender looked at a file of this name, the receiver made an empty one", at: dest.madeAt, until: dest.madeAt,
			})
			break
		}
	}
	return list
}

// route is a stream from one process to another.
type route struct {
	from, to *process
	bytes    int64
	kind     string
}

// routes lists which process sent how much to which. The two ends of a socket
// pair are files of their own: their numbers are neighbours.
func (b *books) routes() []route {
	sums := map[[2]*process]*route{}
	var order []*route
	add := func(from, to *channel) {
		for w, n := range from.writers {
			for r, m := range to.readers {
				if w == r {
					continue
				}
				k := [2]*process{w, r}
				if sums[k] == nil {
					sums[k] = &route{from: w, to: r, kind: from.file.kind.String()}
					order = append(order, sums[k])
				}
				sums[k].bytes += min(n, m)
			}
		}
	}
	byInode := map[uint64]*channel{}
	for f, c := range b.streams {
		byInode[f.inode] = c
		add(c, c)
	}
	for f, c := range b.streams {
		if f.kind.String() != "socket" {
			continue
		}
		for _, other := range []uint64{f.inode - 1, f.inode + 1} {
			if o := byInode[other]; o != nil && o.file.kind == f.kind {
				add(c, o)
			}
		}
	}
	var list []route
	for _, r := range order {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b route) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.from.PID, b.from.PID), cmp.Compare(a.to.PID, b.to.PID))
	})
	return list
}

// match pairs the files of both sides of a route.
func (r *route) match(taken map[*file]bool) []found {
	type key struct {
		name string
		size int64
	}
	sources := map[key][]*source{}
	for _, s := range r.from.flows.sources {
		if n := s.read.Bytes; s.file.data() && s.read.Whole(n) && n == s.file.size {
			k := key{path.Base(s.file.path), n}
			sources[k] = append(sources[k], s)
		}
	}
	var sinks []*sink
	for _, s := range r.to.flows.sinks {
		if n := s.written.Bytes; s.file.data() && !taken[s.file] && s.written.Whole(n) && s.again == 0 && n >= s.file.size && !r.to.readBase(s.file) {
			sinks = append(sinks, s)
		}
	}
	slices.SortFunc(sinks, func(a, b *sink) int {
		return cmp.Or(cmp.Compare(a.flow.First, b.flow.First), cmp.Compare(a.file.path, b.file.path))
	})
	var list []found
	need, last := int64(0), int64(-1)
	for _, out := range sinks {
		k := key{path.Base(out.file.path), out.written.Bytes}
		in, because := closest(sources[k], out), "a file of this name and size was read whole at one end of the stream and written whole at the other, in the same order, and the stream carried at least as many bytes"
		if in == nil {
			in, because = sole(r.from, sinks, out), "the only file of this size that was read whole at one end of the stream, the only one that was written at the other, and the stream carried at least as many bytes"
		}
		if in == nil || in.flow.First > out.flow.First || in.flow.Last > out.flow.Last || in.flow.First < last {
			continue
		}
		last = in.flow.First
		need += k.size
		list = append(list, found{
			source: in.file, dest: out.file, bytes: k.size, in: in, out: out, calls: out.calls,
			between: []*process{r.from, r.to}, via: r.kind, evidence: "framed", because: because,
		})
	}
	if need > r.bytes || need < small && len(list)*2 <= len(sinks) { // few bytes among other things: chance
		return nil
	}
	for i := range list {
		taken[list[i].dest] = true
	}
	return list
}

// sole is the source of a file that got another name on the way: one that is
// not small and has a size of its own at both ends.
func sole(from *process, sinks []*sink, out *sink) *source {
	n := out.written.Bytes
	if n < small || slices.ContainsFunc(sinks, func(s *sink) bool { return s != out && s.written.Bytes == n }) {
		return nil
	}
	var found *source
	for _, s := range from.flows.sources {
		if s.file.data() && s.file != out.file && s.file.size == n && s.read.Whole(n) {
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
		if n := len(commonSuffix(s.file.path, out.file.path)); n > length && s.file != out.file {
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
func (p *process) readBase(f *file) bool {
	for _, s := range p.flows.sources {
		if s.file != f && s.file.data() && s.read.Bytes > 0 && s.file.hadName(f.path) {
			return true
		}
	}
	return false
}

// hadName reports whether a file is or was called so.
func (f *file) hadName(name string) bool { return f.path == name || slices.Contains(f.names, name) }
