package evidence

import (
	"slices"

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
func (c contents) check(list []Copy) []Copy {
	for i := range list {
		f := &list[i]
		same, known := c.same(f.Source, f.Dest)
		f.Checked = same && known && (f.SourceAt == f.DestAt)
	}
	return slices.DeleteFunc(list, func(f Copy) bool {
		if f.Source == f.Dest || f.To != "" || f.Bytes+f.Holes < c[f.Source].Size {
			return false
		}
		same, known := c.same(f.Source, f.Dest)
		if !known || same || f.Explicit && f.Method != profile.ByMapping {
			return false
		}
		end := f.Until
		if f.In != nil {
			end = f.In.Last
		}
		return c.stood(f.Source, end) &&
			(f.Evidence == "mapped" || f.Out == nil || c.stood(f.Dest, f.Out.Last))
	})
}
