package answer

import (
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// A bar has so many named parts, each of at least such a share; the rest of the time is its last part.
const (
	mostParts  = 4
	leastShare = 0.05

	besides = 8                      // columns of a part beside its name at least: one of the bar, the share, spaces
	other   = len("other") + besides // of the last part
)

// bar divides the time among the causes: the parts add up to all of it.
func bar(p *profile.Profile) []profile.BarPart {
	all := total(p)
	if all <= 0 || len(p.Verdict.Causes) == 0 {
		return nil
	}
	var list []profile.BarPart
	room := columns
	left := all
	for i := range p.Verdict.Causes {
		c := &p.Verdict.Causes[i]
		name := c.Name
		width := utf8.RuneCountInString(name) + besides
		if ns := min(c.TimeNS, left); len(list) < mostParts && c.Share >= leastShare && ns > 0 && width <= room-other {
			room -= width
			list = append(list, profile.BarPart{Code: c.Code, Name: name, TimeNS: ns, Share: share(ns, all)})
			left -= ns
		}
	}
	if left > 0 {
		list = append(list, profile.BarPart{Name: "other", TimeNS: left, Share: share(left, all)})
	}
	return list
}

func share(ns, total int64) float64 { return float64(ns) / float64(total) }

// total is the time that the causes divide: that of operations, where no command was recorded.
func total(p *profile.Profile) int64 {
	switch {
	case p.Operations != nil:
		return p.Operations.TotalNS
	case p.Verdict.UntilReturn:
		return p.TimeStack.WallNS
	}
	return p.TimeStack.TotalNS
}
