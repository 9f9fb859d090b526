package page

import (
	"fmt"
	"slices"
	"strings"
)

// Plots are drawn in units of which Width are as wide as one.
const (
	Width  = 640
	Left   = 8
	Right  = 12
	Bottom = 22 // for the axis
)

// courseLeft is where the field of a course begins: what labels the axis of its values stands left of it.
const courseLeft = 70

// Plot is rows of dots over a common axis: one row for each place. A page stretches it to the width that it has; text
// and dots keep their size.
type Plot struct {
	Summary string
	Ticks   []Tick
	Rows    []Dots
}

// Tick is a place on an axis, with its label.
type Tick struct {
	X    float64
	Text string
}

// Dots is a row: dots, the median and its interval.
type Dots struct {
	Color     string
	Dots      []Tick // with what they stand for
	Median    float64
	Low, High float64 // equal: no interval
	Title     string
	Label     string
	Value     string // the number of the row, beside it
	Link      string // the part of the page with its numbers
	Joined    bool   // it is drawn over the row before it
}

// Lines are the rows, those that are drawn over each other as one.
func (p *Plot) Lines() (lines [][]Dots) {
	for i, r := range p.Rows {
		if i > 0 && r.Joined {
			lines[len(lines)-1] = append(lines[len(lines)-1], r)
		} else {
			lines = append(lines, []Dots{r})
		}
	}
	return lines
}

// summarize says what the plot shows, and what each row does.
func (p *Plot) summarize(shows string) {
	var said []string
	for _, r := range p.Rows {
		said = append(said, r.Title)
	}
	p.Summary = shows + strings.Join(said, "; ") + "."
}

// Labelled reports whether a row has a name.
func (p *Plot) Labelled() bool {
	return slices.ContainsFunc(p.Rows, func(r Dots) bool { return r.Label != "" })
}

// Valued reports whether a row has its number beside it.
func (p *Plot) Valued() bool {
	return slices.ContainsFunc(p.Rows, func(r Dots) bool { return r.Value != "" })
}

// Spare reports whether a label of the axis is left out where there is little room.
func (p *Plot) Spare(i int) bool { return spare(i, p.Ticks) }

// spare says it of a label among others: every second one of many.
func spare(i int, ticks []Tick) bool { return i%2 == 1 && len(ticks) > 4 }

// across is a place of a plot as a part of its width.
func across(x float64) string { return percents((x - Left) / (Width - Left - Right) * 100) }

// along is a place of a course as a part of the width of its field.
func along(x float64) string { return percents((x - courseLeft) / (Width - courseLeft - Right) * 100) }

// percents is a length in SVG.
func percents(v float64) string { return fmt.Sprintf("%.2f%%", v) }

// Linked reports whether a row leads to another part of the page.
func (p *Plot) Linked() bool {
	return slices.ContainsFunc(p.Rows, func(r Dots) bool { return r.Link != "" })
}

// Course is lines and dots over two axes, such as the speed in the course of each run.
type Course struct {
	Title   string
	Summary string
	Height  int
	Bottom  int
	XTicks  []Tick
	YTicks  []Tick
	Lines   []Line
	Dots    []Dot
}

// Dot is a single measurement.
type Dot struct {
	Color string
	X, Y  float64
	Title string
}

// Line is one of the lines of a course.
type Line struct {
	Color, Points, Title string
	Dashed               bool // what is written, beside what is read
}

// Spare reports whether a label of the lower axis is left out where there is little room.
func (c *Course) Spare(i int) bool { return spare(i, c.XTicks) }

// Box is the field of a course in its own units.
func (c *Course) Box() string {
	return fmt.Sprintf("%d 0 %d %d", courseLeft, Width-courseLeft-Right, c.Height)
}
