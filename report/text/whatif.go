package text

import (
	"fmt"
	"io"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/whatif"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/table"
)

// WhatIf writes what a workload would have taken: the shortest first.
func WhatIf(w io.Writer, command string, recorded whatif.Prediction, answers []profile.Prospect, o Options) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	t := &text{o: o, ink: ink(o.Color)}
	took := unit.Nanoseconds(recorded.Wall)
	if recorded.Durable > recorded.Wall {
		took += ", durable after " + unit.Nanoseconds(recorded.Durable)
	}
	t.wrap(t.ink.strong, "", fmt.Sprintf("%s took %s. It would have taken:", visible.Shorten(command, 36), took))
	told, idle, granted := content.Outlook(recorded.Wall, recorded.Durable, answers)
	t.b.WriteString("\n")
	predictions(told, granted, recorded.Durable > recorded.Wall).Write(&t.b, t.ink.faint, o.Width, 0)
	if s := undecided(told); s != "" {
		t.wrap(nil, "! ", s)
	}
	if len(idle) > 0 {
		t.wrap(nil, "", "No effect: "+unit.List(idle)+".")
	}
	if len(granted) > 0 {
		t.b.WriteString("\nAssumptions:\n")
	}
	for i, s := range granted {
		bullet := "- "
		if len(told) > 1 {
			bullet = fmt.Sprintf("[%d] ", i+1)
		}
		t.wrap(nil, bullet, s+".")
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// undecided says how many waits were left as they were, "" if none was.
func undecided(told []profile.Prospect) string {
	least, most := math.MaxInt, 0
	var names []string
	for _, a := range told {
		if a.Undecided > 0 {
			least, most = min(least, a.Undecided), max(most, a.Undecided)
			names = append(names, a.Name)
		}
	}
	if most == 0 {
		return ""
	}
	s := unit.Things(int64(most), "wait") + " could not be followed and stayed as recorded"
	if least < most {
		s = fmt.Sprintf("%d to %s", least, s)
	}
	if len(names) < len(told) {
		s += ": " + unit.List(names)
	}
	return s + "."
}

// predictions are the table of answers, with the numbers of their assumptions.
func predictions(told []profile.Prospect, granted []string, safe bool) *table.Table {
	t := content.Prospects(told, safe)
	if len(told) == 1 { // to which all of them belong
		return t
	}
	return t.Fill(table.Phrases("", "", 0, told, func(a profile.Prospect) string {
		if n := content.Grounds(a, granted); n != "" {
			return "[" + n + "]"
		}
		return ""
	}))
}
