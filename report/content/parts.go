package content

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// Part is a part of the time: a cause, or all that has none.
type Part struct {
	Cause *profile.Reason // nil for what has none
	Text  string
	NS    int64
	Share float64
}

// BarShares are the shares of the parts of a bar: whole percents that add up to 100.
func BarShares(bar []profile.BarPart) []string {
	shares := make([]float64, len(bar))
	for i := range bar {
		shares[i] = bar[i].Share
	}
	return unit.Shares(shares)
}

// Parts divide the time among the causes as the bar does, each with what was seen of it. They add up to all of it.
func Parts(p *profile.Profile) (list []Part) {
	var all int64
	for i := range p.Verdict.Bar {
		all += p.Verdict.Bar[i].TimeNS
	}
	left := all
	for i := range p.Verdict.Causes {
		c := &p.Verdict.Causes[i]
		ns := min(c.TimeNS, left)
		if ns <= 0 {
			continue
		}
		text := c.Name
		if c.Text != "" {
			text += ": " + seen(c)
		}
		list = append(list, Part{c, text, ns, float64(ns) / float64(all)})
		left -= ns
	}
	if left > 0 {
		list = append(list, Part{nil, "other", left, float64(left) / float64(all)})
	}
	return list
}

// seen is what was seen of a cause, without its name before it.
func seen(c *profile.Reason) string {
	text := strings.TrimPrefix(strings.TrimSuffix(c.Text, "."), c.Name+" ")
	return strings.TrimPrefix(text, c.Name+", but ")
}
