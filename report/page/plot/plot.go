// Package plot holds what the plots of a page are made of: places of dots, lines and ticks that a template draws as
// SVG. It is a package of its own because places on a drawing know nothing of benchmarks.
package plot

import (
	"fmt"
	"slices"
)

// Plots are drawn in units of which Width are as wide as one.
const (
	Width  = 640
	Left   = 8
	Right  = 12
	Bottom = 22 // for the axis
)

// CourseLeft is where the field of a course begins: what labels the axis of its values stands left of it.
const CourseLeft = 70

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

// Labelled reports whether a row has a name.
func (p *Plot) Labelled() bool {
	return slices.ContainsFunc(p.Rows, func(r Dots) bool { return r.Label != "" })
}

// Valued reports whether a row has its number beside it.
func (p *Plot) Valued() bool {
	return slices.ContainsFunc(p.Rows, func(r Dots) bool { return r.Value != "" })
}

// Spare reports whether a label of the axis is left out where there is little room.
func (p *Plot) Spare(i int) bool { return Spare(i, p.Ticks) }

// Spare says it of a label among others: every second one of many.
func Spare(i int, ticks []Tick) bool { return i%2 == 1 && len(ticks) > 4 }

// Across is a place of a plot as a part of its width.
func Across(x float64) string { return Percents((x - Left) / (Width - Left - Right) * 100) }

// Along is a place of a course as a part of the width of its field.
func Along(x float64) string {
	return Percents((x - CourseLeft) / (Width - CourseLeft - Right) * 100)
}

// Percents is a length in SVG.
func Percents(v float64) string { return fmt.Sprintf("%.2f%%", v) }

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
func (c *Course) Spare(i int) bool { return Spare(i, c.XTicks) }

// Box is the field of a course in its own units.
func (c *Course) Box() string {
	return fmt.Sprintf("%d 0 %d %d", CourseLeft, Width-CourseLeft-Right, c.Height)
}
