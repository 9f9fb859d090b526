package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/internal/unit"
)

// WhatIf writes what a workload would have taken: the shortest first.
func WhatIf(w io.Writer, command string, recorded whatif.Prediction, answers []whatif.Answer, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{o: o, ink: ink(o.Color)}
	safe := recorded.Durable > recorded.Wall
	took := unit.Nanoseconds(recorded.Wall)
	if safe {
		took += ", its data safe after " + unit.Nanoseconds(recorded.Durable)
	}
	t.wrap(t.ink.strong, "", fmt.Sprintf("%s took %s. It would have taken:", shortened(command, 36), took))
	t.b.WriteString("\n")
	answers = slices.Clone(answers)
	slices.SortStableFunc(answers, func(a, b whatif.Answer) int { return cmp.Compare(a.Durable.NS, b.Durable.NS) })
	heads := pad("", 34) + pad("time", 10) + pad("likely", 20)
	if safe {
		heads += "data safe"
	}
	t.b.WriteString(t.ink.faint(strings.TrimRight(heads, " ")) + "\n")
	notes := map[string]int{}
	var list, idle []string
	for _, a := range answers {
		if len(answers) > 1 && same(a.Wall.NS, recorded.Wall) && same(a.Durable.NS, recorded.Durable) {
			idle = append(idle, a.Name)
			continue
		}
		line := pad(a.Name, 34) + pad(unit.Nanoseconds(a.Wall.NS), 10) +
			pad(unit.Nanoseconds(a.Wall.Low)+" to "+unit.Nanoseconds(a.Wall.High), 20)
		if safe {
			line += pad(unit.Nanoseconds(a.Durable.NS), 8)
		}
		for _, s := range a.Assumptions {
			if notes[s] == 0 {
				list = append(list, s)
				notes[s] = len(list)
			}
			line += fmt.Sprintf(" [%d]", notes[s])
		}
		t.b.WriteString(strings.TrimRight(line, " ") + "\n")
		if a.Undecided > 0 {
			t.wrap(nil, "  ! ", unit.Things(int64(a.Undecided), "wait")+" could not be followed and stayed as recorded.")
		}
	}
	if len(idle) > 0 {
		t.wrap(nil, "", "No difference: "+unit.List(idle)+".")
	}
	if len(list) > 0 {
		t.b.WriteString("\nThis takes for granted:\n")
	}
	for i, s := range list {
		t.wrap(nil, fmt.Sprintf("[%d] ", i+1), s+".")
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// same reports whether two times differ by less than a hundredth.
func same(a, b int64) bool { return abs(a-b)*100 < max(a, b) }

func abs(n int64) int64 { return max(n, -n) }

// shortened cuts a long text.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
