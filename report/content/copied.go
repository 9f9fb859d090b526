package content

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// copied sums up the copies: the one there is, or the groups. Copies that are next to nothing of what was written, as
// where a program unpacks some files that it has itself, are in the table only.
func copied(p *profile.Profile) string {
	p, guessed := findings(p)
	if marginal(p) {
		return sameSize(guessed)
	}
	if text := counted(p); guessed == 0 || text == "" {
		return text + sameSize(guessed)
	} else {
		return text + " " + sameSize(guessed)
	}
}

// findings is the profile without the copies for which only sizes speak, and
// how many those are.
func findings(p *profile.Profile) (*profile.Profile, int64) {
	some := *p
	some.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c profile.Copy) bool {
		return c.Certainty == "same_size"
	})
	return &some, int64(len(p.Copies) - len(some.Copies))
}

// marginal reports whether copies moved less than a hundredth of the bytes that calls wrote.
func marginal(p *profile.Profile) bool {
	if len(p.Layers) == 0 || p.Layers[0].Name != "calls" || p.Layers[0].Write == nil {
		return false
	}
	bytes := p.Omitted.CopyBytes
	for i := range p.Copies {
		c := &p.Copies[i]
		if c.SizeUnknown || !Moves(c.Method) {
			return false
		}
		bytes += c.Bytes
	}
	return bytes < p.Layers[0].Write.Bytes/100
}

func sameSize(n int64) string {
	if n == 0 {
		return ""
	}
	return unit.Things(n, "written file") + " had the size of a file that was read before; their contents were not " +
		"compared."
}

// counted sums up copies that are sure.
func counted(p *profile.Profile) string {
	if len(p.Copies) == 1 && p.Omitted.Copies == 0 {
		c := &p.Copies[0]
		s := "Copied 1 file " + inWords(c.Method)
		if c.SizeUnknown {
			s += "; its size is unknown"
		}
		if Moves(c.Method) {
			s += ": " + unit.Bytes(c.Bytes)
			if c.WallNS != profile.Unknown {
				s += " in " + unit.Nanoseconds(c.WallNS) + ", " + unit.Speed(c.BytesPerS) + perSecond(c)
			}
			if c.DurableNS > c.WallNS {
				s += "; " + unit.Speed(c.DurableBytesPerS) + " until its data was on the disk"
			}
		}
		return s + "." + paused(c)
	}
	n, bytes := p.Omitted.Copies+int64(len(p.Copies)), p.Omitted.CopyBytes
	if n == 0 {
		return ""
	}
	methods, unsized := map[string]int{}, int64(0)
	for _, c := range p.Copies {
		bytes += c.Bytes
		methods[c.Method]++
		if c.SizeUnknown {
			unsized++
		}
	}
	if unsized == n {
		return fmt.Sprintf("Copied %s of unknown size %s.", unit.Things(n, "file"), ranked(methods))
	}
	s := fmt.Sprintf("Copied %s %s: %s", unit.Things(n, "file"), ranked(methods), unit.Bytes(bytes))
	if unsized > 0 {
		s += fmt.Sprintf(" and %s of unknown size", unit.Things(unsized, "file"))
	}
	if len(p.CopyGroups) == 1 && int64(p.CopyGroups[0].Files) == n && p.CopyGroups[0].WallNS != profile.Unknown {
		g := &p.CopyGroups[0]
		s += fmt.Sprintf(" in %s, %s, %s files/s", unit.Nanoseconds(g.WallNS), unit.Speed(g.BytesPerS),
			unit.Number(g.FilesPerS))
		if g.DurableNS > g.WallNS {
			s += "; " + unit.Nanoseconds(g.DurableNS) + " until their data was on the disk"
		}
	}
	return s + "."
}

// perSecond is how many calls a copy made in a second.
func perSecond(c *profile.Copy) string {
	n := callRate(c)
	if n < 0 {
		return ""
	}
	return fmt.Sprintf(" in %s IOPS", unit.Number(n))
}

// callRate is how many calls a copy made in a second, -1 if that is not known or says nothing.
func callRate(c *profile.Copy) float64 {
	var calls int64
	for _, f := range []*profile.Flow{c.Read, c.Write} {
		if f != nil {
			calls += f.Count
		}
	}
	if c.WallNS <= 0 || calls < 2 || !Moves(c.Method) {
		return -1
	}
	return float64(calls) / float64(c.WallNS) * 1e9
}

// tellingPauses is the share of a copy's time from which its pauses are told first.
const tellingPauses = 0.02

// paused says how long a copy waited between its calls, and between which.
func paused(c *profile.Copy) string {
	if c.Think == nil || c.Think.Count == 0 || c.ThinkShare < tellingPauses || c.Gaps == nil {
		return ""
	}
	return fmt.Sprintf(" Between its calls it paused: %s, %s of the time.", wording.Gaps(c.Gaps, c.Think),
		unit.Share(c.ThinkShare))
}

// Moves reports whether a copy method moves data, so that a speed means
// something.
func Moves(method string) bool {
	return !slices.Contains([]string{"reflink", "clonefile", "rename", "hardlink"}, method)
}

// inWords names a copy method in a sentence.
func inWords(method string) string {
	switch method {
	case "read_write":
		return "by a loop of reads and writes"
	case "pread_pwrite":
		return "by a loop of positioned reads and writes"
	case "copy_file_range", "sendfile", "splice":
		return "inside the kernel (" + method + ")"
	case "reflink", "clonefile":
		return "by sharing its blocks (" + method + "; no data was moved)"
	case "rename", "hardlink":
		return "by " + method + " (no data was moved)"
	case "mmap":
		return "through memory (mmap)"
	}
	return "by " + visible.Text(method)
}

// ranked lists copy methods by falling count: "copy_file_range and reflink".
func ranked(counts map[string]int) string {
	var names []string
	for name := range counts {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = inWords(name)
	}
	return unit.List(names)
}

const FewCopies = 3
