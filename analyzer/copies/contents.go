package copies

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
	known = x.Size == y.Size && x.Read == y.Read && x.Seed == y.Seed
	return known && x.Sum == y.Sum, known
}

// coarse is how much earlier than it was a file can say it was changed: its
// clock moves with the ticks of the kernel.
const coarse = int64(20e6)

// stood reports whether the sample of a file shows what it held at a time.
func (c contents) stood(f *world.File, since int64) bool { return c[f].Changed <= since+coarse }

// doubt lowers the certainty of a copy that memory alone shows, of which nobody could see any more whether the program
// had changed it there: it was removed, or changed since.
func (c contents) doubt(f *judgedCopy) {
	if f.Checked || f.Explicit || f.Certainty != Traced || f.Dest == nil {
		return
	}
	x, sampled := c[f.Dest]
	switch {
	case f.Dest.Deleted && !sampled:
		f.Because += "; whether it held the same could not be seen, as it was removed"
	case sampled && f.Out != nil && x.Changed > f.Out.Last+coarse:
		f.Because += "; whether it held the same could not be seen, as it was changed since"
	default:
		return
	}
	f.Certainty = Likely
}

// check compares the contents of the files of copies, and leaves out what is
// none. What a call copied stays, whatever became of the files.
func (c contents) check(list []judgedCopy) []judgedCopy {
	for i := range list {
		f := &list[i]
		same, known := c.same(f.Source, f.Dest)
		f.Checked = same && known && (f.SourceAt == f.DestAt)
		c.doubt(f)
	}
	return slices.DeleteFunc(list, func(f judgedCopy) bool {
		if f.To == "" && !f.Explicit && (f.Source == f.Dest || f.Source.HadName(f.Dest.Path)) { // saved again
			return true
		}
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
		return c.stood(f.Source, end) && (f.Evidence == "mapped" || f.Out == nil || c.stood(f.Dest, f.Out.Last))
	})
}
