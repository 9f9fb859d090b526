package copies

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
)

// empty finds copies of files without bytes, and of files that are one hole: the
// new file has the size and a name like that of the old one, and nothing was
// written to it.
func empty(seen []*emptyFile, taken map[*world.File]bool) []judgedCopy {
	var list []judgedCopy
	for _, e := range seen {
		hole := max(e.Source.Size, 0)
		if taken[e.Dest] || max(e.Dest.Size, 0) != hole || e.By.Wrote(e.Dest) {
			continue
		}
		if !alike(e.Source.Path, e.Dest.Path) && (hole == 0 || several(seen, e)) {
			continue
		}
		taken[e.Dest] = true
		f := judgedCopy{
			Source: e.Source, Dest: e.Dest, Holes: hole, Between: []*world.Process{e.By.Process}, Method: profile.ByReadWrite,
			At: e.At, Until: e.At, Evidence: "flow", Certainty: Likely,
			Because: "an empty file was open while an empty file of the like name was made",
		}
		if hole > 0 {
			f.Because = "the new file was given the size of a file that was open, and nothing was written to it: it is one hole"
			f.Certainty = SameSize
		}
		list = append(list, f)
	}
	return list
}

// several reports whether another file that fits was open as well.
func several(seen []*emptyFile, e *emptyFile) bool {
	for _, o := range seen {
		if o != e && o.Dest == e.Dest && o.Source != e.Source {
			return true
		}
	}
	return false
}
