package copies

import (
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// contents are what files held after the recording.
type contents map[*world.File]trace.Content

func contentsOf(t *world.Files, list []trace.Content) contents {
	c := contents{}
	for _, x := range list {
		if f := t.File(x.File); f != nil && !f.Other {
			c[f] = x
		}
	}
	return c
}

// same reports whether two whole files hold the same, as far as samples tell;
// it is not known if one was not sampled.
func (c contents) same(a, b *world.File) (same, known bool) {
	x, one := c[a]
	y, two := c[b]
	if !one || !two || a == b {
		return false, false
	}
	return x.Size == y.Size && x.Sum == y.Sum, x.Size == y.Size
}

// coarse is how much earlier than it was a file can say it was changed: its
// clock moves with the ticks of the kernel.
const coarse = int64(20e6)

// stood reports whether the sample of a file shows what it held at a time.
func (c contents) stood(f *world.File, since int64) bool { return c[f].Changed <= since+coarse }

// check compares the contents of the files of copies, and leaves out what is
// none. What a call copied stays, whatever became of the files.
func (b *transfers) check(list []found) []found {
	for i := range list {
		f := &list[i]
		same, known := b.contents.same(f.source, f.dest)
		f.checked = same && known && (f.sourceAt == f.destAt)
	}
	return slices.DeleteFunc(list, func(f found) bool {
		if f.source == f.dest || f.to != "" || f.bytes+f.holes < b.contents[f.source].Size {
			return false
		}
		same, known := b.contents.same(f.source, f.dest)
		switch {
		case !known:
			return false
		case same:
			return false
		case f.explicit && f.method != "mmap":
			return false
		}
		end := f.until
		if f.in != nil {
			end = f.in.Last
		}
		return b.contents.stood(f.source, end) && (f.evidence == "mapped" || f.out == nil || b.contents.stood(f.dest, f.out.Last))
	})
}

// byContent finds the files that a process wrote whole and that hold what
// another one holds that it had read whole, whatever the calls look like.
func (b *transfers) byContent(taken map[*world.File]bool) []found {
	var list []found
	for _, s := range b.sinks {
		n := s.file.Size
		if n < small { // programs read and write the same few bytes for other reasons
			continue
		}
		if taken[s.file] || !s.file.Data() || !s.written.Whole(n) {
			continue
		}
		for _, src := range s.by.all {
			same, known := b.contents.same(src.file, s.file)
			if !same || !known || !src.read.Whole(n) || src.flow.First > s.flow.Last || s.by.wrote(src.file) || src.file.HadName(s.file.Path) {
				continue
			}
			taken[s.file] = true
			list = append(list, found{
				source: src.file, dest: s.file, id: src.id, into: s.id, bytes: n, in: src.detail, src: src, out: allWrites(s.links, &s.flow), sink: s,
				calls: s.calls, between: []*world.Process{s.by.process}, evidence: "content", checked: true,
				parts:   measure.Ranges{List: []measure.Extent{{From: 0, To: n}}, Bytes: n},
				because: "one process read the whole file and wrote the whole of another, and they hold the same",
			})
			break
		}
	}
	return list
}

// settleCertainty says in the profile what contents add to the other evidence.
func (f *found) settleCertainty(c *profile.Copy) {
	c.Checked = f.checked
	if f.checked && (c.Certainty == likely || c.Certainty == sameSize || c.Certainty == "") {
		c.Certainty = checked
	}
}
