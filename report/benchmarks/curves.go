package benchmarks

import (
	"fmt"
	"slices"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// Curve is a speed over one thing, on every volume of a review.
type Curve struct {
	Title string
	About string
	Over  baseline.Axis
	Lines []Line
	Notes []string
}

// Line is a curve of one volume in one direction, its points from left to right.
type Line struct {
	Volume int
	Op     baseline.Op
	Points []CurvePoint
	// Files and what was fitted to them, of a curve over the size of files.
	Files []baseline.FileTime
	Fit   *baseline.SizeTime
}

// CurvePoint is a median with its interval, which is nil where there are too few runs.
type CurvePoint struct {
	X, Rate   int64
	Low, High *int64
}

var curveTitles = map[baseline.Axis]string{
	baseline.OverBlock: "block size", baseline.OverDepth: "operations at once", baseline.OverReads: "share of reads",
	baseline.OverSize: "file size", baseline.OverWritten: "bytes written before",
}

// Mark is a value of the axis of a curve, as its tables and charts print it.
func (c Curve) Mark(x int64) string {
	switch c.Over {
	case baseline.OverBlock:
		return unit.BlockSize(x)
	case baseline.OverReads:
		return fmt.Sprint(x, " %")
	case baseline.OverDepth:
		return unit.Count(x)
	}
	return unit.Bytes(x)
}

// Even reports whether values lie as far apart as they differ; otherwise as their doublings.
func (c Curve) Even() bool { return c.Over == baseline.OverReads || c.Over == baseline.OverWritten }

// Curves are those of a review, in the order in which they were measured.
func Curves(r *baseline.Review) (all []Curve) {
	var works []string
	tasks := map[string][]baseline.Task{}
	for _, t := range r.Tasks {
		if t.Op == "" {
			continue
		}
		if tasks[t.Work] == nil {
			works = append(works, t.Work)
		}
		tasks[t.Work] = append(tasks[t.Work], t)
	}
	for _, w := range works {
		c := Curve{Over: axis(tasks[w][0]), About: tasks[w][0].About}
		c.Title = "Speed over the " + curveTitles[c.Over]
		for k := range r.Volumes {
			c.Lines = append(c.Lines, linesOf(tasks[w], k)...)
		}
		if len(c.Lines) > 0 {
			c.Notes = append(differences(r, tasks[w]), fitted(r, c)...)
			c.Notes = append(c.Notes, courses(r, tasks[w])...)
			all = append(all, c)
		}
	}
	return all
}

func axis(t baseline.Task) baseline.Axis {
	switch {
	case t.Point != nil:
		return t.Point.Over
	case t.Work == "files":
		return baseline.OverSize
	}
	return baseline.OverWritten
}

// linesOf are those of a volume, one for each direction.
func linesOf(tasks []baseline.Task, volume int) (lines []Line) {
	for _, t := range tasks {
		to := t.Results[volume]
		if to.Value.N == 0 || to.Invalid() != "" {
			continue
		}
		i := slices.IndexFunc(lines, func(l Line) bool { return l.Op == t.Op })
		if i < 0 {
			i, lines = len(lines), append(lines, Line{Volume: volume, Op: t.Op})
		}
		l := &lines[i]
		switch {
		case t.Point != nil:
			l.Points = append(l.Points, CurvePoint{t.Point.Value, to.Value.Median, to.Value.Low, to.Value.High})
		case t.Work == "files":
			l.Fit = to.Line
			for _, run := range to.Runs {
				l.Files = append(l.Files, run.Parts...)
			}
			l.Points = bySize(l.Files)
		default:
			l.Points = append(l.Points, course(to.Runs[0].Parts)...)
		}
	}
	for i := range lines {
		slices.SortStableFunc(lines[i].Points, func(a, b CurvePoint) int { return int(min(max(a.X-b.X, -1), 1)) })
	}
	return lines
}

// bySize are the median speeds of files of each size.
func bySize(files []baseline.FileTime) (points []CurvePoint) {
	rates := map[int64][]int64{}
	for _, f := range files {
		rates[f.Bytes] = append(rates[f.Bytes], baseline.PerSecond(f.Bytes, f.NS))
	}
	for size, of := range rates {
		points = append(points, CurvePoint{X: size, Rate: middle(of)})
	}
	return points
}

// course is the speed of what was written one after the other; each lies where it began.
func course(parts []baseline.FileTime) (points []CurvePoint) {
	written := int64(0)
	for _, p := range parts {
		points = append(points, CurvePoint{X: written, Rate: baseline.PerSecond(p.Bytes, p.NS)})
		written += p.Bytes
	}
	return points
}

func middle(values []int64) int64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values[len(values)/2]
}

// coarse are points in as many rows as a table has: the medians of neighbours.
func coarse(points []CurvePoint, rows int) (out []CurvePoint) {
	if len(points) <= rows+rows/2 {
		return points
	}
	for i := range rows {
		part := points[i*len(points)/rows : (i+1)*len(points)/rows]
		var rates []int64
		for _, p := range part {
			rates = append(rates, p.Rate)
		}
		out = append(out, CurvePoint{X: part[0].X, Rate: middle(rates)})
	}
	return out
}
