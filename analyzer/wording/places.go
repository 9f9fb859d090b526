package wording

import (
	"path"

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
	case len(path.Base(f.Under)) < shortName:
		return " below " + path.Join(path.Base(path.Dir(f.Under)), path.Base(f.Under))
	}
	return " below " + path.Base(f.Under)
}

// A short path is told whole. Of a longer one it is the last name, with the one before where that is short itself.
const (
	shortPath = 24
	shortName = 4
)
