package compare

import (
	"cmp"
	"path"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// Copy is what one copy took on both sides.
type Copy struct {
	Source          string `json:"source"`           // path, in the subject
	Destination     string `json:"destination"`      // likewise
	Method          string `json:"method"`           // likewise
	ReferenceMethod string `json:"reference_method"` // of the same copy in the reference
	Amounts         []Work `json:"amounts"`          // its time first
}

// mostCopies is how many copies an account has.
const mostCopies = 100

// copiesOf pairs the copies of both sides by the names of their files, those of one name in their order: runs in other
// directories, or on another drive, copy the same. Where the time differs most comes first.
func copiesOf(s, r *Run) []Copy {
	type names struct{ source, destination string }
	of := func(c *profile.Copy) names { return names{path.Base(c.Source), path.Base(c.Destination)} }
	waiting := map[names][]*profile.Copy{}
	for i := range r.copies {
		c := &r.copies[i]
		waiting[of(c)] = append(waiting[of(c)], c)
	}
	list := []Copy{}
	for i := range s.copies {
		c := &s.copies[i]
		if same := waiting[of(c)]; len(same) > 0 {
			list = append(list, Copy{c.Source, c.Destination, string(c.Method), string(same[0].Method),
				copyAmounts(c, same[0])})
			waiting[of(c)] = same[1:]
		}
	}
	sorting.Stably(list, func(a, b Copy) int { return cmp.Compare(b.Amounts[0].difference(), a.Amounts[0].difference()) })
	return list[:min(len(list), mostCopies)]
}

// copyAmounts are what one copy took, and what it did.
func copyAmounts(s, r *profile.Copy) []Work {
	calls := func(c *profile.Copy) (n int64) {
		for _, f := range []*profile.Flow{c.Read, c.Write} {
			if f != nil {
				n += f.Count
			}
		}
		return n
	}
	took := amounts[cpuTime] // is told of from as long on
	took.code, took.name = "took", "took"
	return []Work{
		took.of(max(s.WallNS, 0), max(r.WallNS, 0)),
		amounts[copiedBytes].of(s.Bytes, r.Bytes),
		amounts[callCount].of(calls(s), calls(r)),
		amounts[readFromDevices].of(s.DeviceReadBytes, r.DeviceReadBytes),
		amounts[writtenToDevices].of(s.DeviceWriteBytes, r.DeviceWriteBytes),
		amounts[syncCount].of(s.Syncs, r.Syncs),
	}
}

// Words say in what a copy differs; "" if in nothing worth telling.
func (c *Copy) Words() string {
	var text string
	for i := range c.Amounts {
		if x := &c.Amounts[i]; x.tells() {
			text += ", " + x.words()
		}
	}
	if text != "" && c.Method != c.ReferenceMethod {
		text += ", by " + c.Method + " instead of " + c.ReferenceMethod
	}
	if text == "" {
		return ""
	}
	return c.Source + " to " + c.Destination + ": " + text[2:]
}
