// Package plot holds what the plots of a page are made of: places of dots, lines and ticks that a template draws as
// SVG.
package plot

import "slices"

// Plots are drawn in units of which Width are as wide as one.
const (
	Width  = 640
	Left   = 8
	Right  = 12
	Row    = 24 // height of a row of dots
	Bottom = 22 // for the axis
)

// Plot is rows of dots over a common axis: one row for each place.
type Plot struct {
	Summary string
	Height  int
	Bottom  int
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
	Y         int
	Color     string
	Dots      []Tick // with what they stand for
	Median    float64
	Low, High float64 // equal: no interval
	Title     string
	Label     string
	Link      string // the part of the page with its numbers
}

// Finish makes room for so many rows.
func (p *Plot) Finish(rows int) {
	p.Bottom = rows*Row + 6
	p.Height = p.Bottom + Bottom
}

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
