package page

import (
	"io"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"

	"github.com/iotrace/iotrace/report/table"
)

// WhatIf writes what a workload would have taken with something changed as one page that needs nothing else: the
// shortest time first, each with the interval in which the true one is likely to lie.
func WhatIf(w io.Writer, command string, wall, durable int64, answers []profile.Prospect) error {
	told, idle, granted := content.Outlook(wall, durable, answers)
	pg := whatifPage{Title: "What if: " + visible.Shorten(command, titleLength), Command: visible.Shorten(command, 600)}
	pg.Took = unit.Nanoseconds(wall) + " to return"
	later := durable > wall
	if later {
		pg.Took += " · " + unit.Nanoseconds(durable) + " until durable"
	}
	if len(told) > 0 {
		best := told[0]
		pg.Best = best.Name + ": " + unit.Nanoseconds(best.Durable.NS) + " (" + unit.Nanoseconds(best.Durable.Low) + " to " +
			unit.Nanoseconds(best.Durable.High) + ")"
	}
	pg.Idle = unit.List(idle)
	for _, s := range granted {
		pg.Assumptions = append(pg.Assumptions, visible.Text(s)+".")
	}
	pg.Plot = outlookPlot(durable, told)
	t := content.Prospects(told, later)
	t.ID, t.Title = "whatif", "Times"
	if len(told) > 0 {
		t.Columns[0].Prose = true
	}
	if later {
		t.Note = "From and to: where the time to return is likely to lie."
	}
	if len(told) > 1 {
		t.Fill(table.Words("assumptions", "numbers of the list below", 0, told,
			func(a profile.Prospect) string { return content.Grounds(a, granted) }))
	}
	pg.Table = view(t, "")
	return writePage(w, func(out *writer) { writeWhatif(out, pg) })
}

// whatifPage is what the page is made of.
type whatifPage struct {
	Title, Command, Took, Best, Idle string
	Plot                             *Plot
	Table                            *tableView
	Assumptions                      []string
}

// outlookPlot has a row for what was recorded and one for each prospect: until all data was durable.
func outlookPlot(durable int64, told []profile.Prospect) *Plot {
	top := float64(durable)
	for _, a := range told {
		top = max(top, float64(a.Durable.High))
	}
	linear, ticks := Linear(top, timeLabel)
	p := &Plot{Ticks: ticks}
	place := func(ns int64) float64 { return linear(float64(ns)) }
	row := func(name, color string, at, low, high int64) {
		r := Dots{Color: color, Label: visible.Shorten(visible.Text(name), 34),
			Median: place(at), Low: place(low), High: place(high)}
		r.Title, r.Value = name+": "+unit.Nanoseconds(at), unparted(unit.Nanoseconds(at))
		if low != high {
			r.Title += ", likely " + unit.Nanoseconds(low) + " to " + unit.Nanoseconds(high)
		}
		p.Rows = append(p.Rows, r)
	}
	row("as recorded", "cpu", durable, durable, durable)
	for _, a := range told {
		row(a.Name, "read", a.Durable.NS, a.Durable.Low, a.Durable.High)
	}
	p.summarize("Time until all data was durable. ")
	return p
}
