package wording

import (
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// CallsOn says how many calls of a name there were, on how many names in the file system, and where these lie.
func CallsOn(p *profile.Profile, c *profile.Call) string {
	return unit.Things(c.Count, c.Name+" call") + On(p.FilesOf(c.Op))
}

// On is on how many names calls were, and below which directory; "" if no directory holds most of them and most names
// came once.
func On(f *profile.OpFiles) string {
	if f == nil || f.Under == "" && f.UnderCalls < 2*f.UnderFiles {
		return ""
	}
	return " on " + unit.Things(f.UnderFiles, "name") + Below(f)
}

// Of is of how many files reads or writes were, and below which directory; "" if none holds most of them.
func Of(f *profile.OpFiles) string {
	if f == nil || f.Under == "" {
		return ""
	}
	return ", " + unit.Things(f.UnderFiles, "file") + Below(f)
}

// Below is the directory that most files lie in or below; "" if there is none.
func Below(f *profile.OpFiles) string {
	switch {
	case f == nil || f.Under == "":
		return ""
	case len(f.Under) <= shortPath:
		return " below " + f.Under
	}
	return " below " + FileName(f.Under)
}

// shortPath is how long a path may be that is told as a whole.
const shortPath = 24
