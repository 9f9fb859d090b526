package content

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
)

// WhatIf is how long a recorded workload would have taken with something changed.
func WhatIf(p *profile.Profile) *table.Table {
	later := slices.ContainsFunc(p.WhatIf, func(a profile.Prospect) bool { return a.Durable.NS > a.Wall.NS })
	t := Prospects(p.WhatIf, later)
	t.ID, t.Title = "whatif", "What if"
	t.Note = "Simulated from this recording, nothing was run: the true time is likely to lie from … to. " +
		"iotrace whatif says what each takes for granted and knows more changes; with --try it runs them on a drive."
	return t
}

// Prospects are times with something changed; safe if data was durable later than
// the program returned.
func Prospects(list []profile.Prospect, safe bool) *table.Table {
	t := &table.Table{}
	if len(list) == 0 {
		return t
	}
	t.Fill(table.Labels("", list, func(a profile.Prospect) string { return visible.Text(a.Name) }))
	return t.Fill(table.Alike(table.Times, list,
		table.Of("time", "", 0, func(a profile.Prospect) float64 { return float64(a.Wall.NS) }),
		table.Of("from", "", 0, func(a profile.Prospect) float64 { return float64(a.Wall.Low) }),
		table.Of("to", "", 0, func(a profile.Prospect) float64 { return float64(a.Wall.High) }),
		table.Of("durable", "", 1, func(a profile.Prospect) float64 {
			if !safe {
				return -1
			}
			return float64(a.Durable.NS)
		}))...)
}

// Outlook divides prospects into those that differ from what was recorded, the shortest first, and the names of those
// that do not; granted are the assumptions of the former, in their order.
func Outlook(wall, durable int64, answers []profile.Prospect) (told []profile.Prospect, idle, granted []string) {
	for _, a := range answers {
		if len(answers) > 1 && same(a.Wall.NS, wall) && same(a.Durable.NS, durable) {
			idle = append(idle, a.Name)
		} else {
			told = append(told, a)
		}
	}
	sorting.Stably(told, func(a, b profile.Prospect) int { return cmp.Compare(a.Durable.NS, b.Durable.NS) })
	for _, a := range told {
		for _, s := range a.Assumptions {
			if !slices.Contains(granted, s) {
				granted = append(granted, s)
			}
		}
	}
	return told, idle, granted
}

// Grounds are the numbers of what a prospect takes for granted, in a list of all.
func Grounds(a profile.Prospect, granted []string) string {
	var numbers []string
	for _, s := range a.Assumptions {
		numbers = append(numbers, strconv.Itoa(slices.Index(granted, s)+1))
	}
	return strings.Join(numbers, ",")
}

// same reports whether two times differ by less than a hundredth.
func same(a, b int64) bool { return max(a-b, b-a)*100 < max(a, b) }
