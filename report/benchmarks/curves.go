package benchmarks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
)

// Curve is a speed over one thing, on every volume of a review.
type Curve struct {
	Title string
	About string
	Drawn string // how, in the title of a chart
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
	IOPS      int64 // 0: operations of one size make the point of a curve over sizes of files
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
		if !t.Curve() {
			continue
		}
		key := t.Work + "/" + string(t.Access)
		if tasks[key] == nil {
			works = append(works, key)
		}
		tasks[key] = append(tasks[key], t)
	}
	for _, w := range works {
		c := Curve{Over: axis(tasks[w][0]), About: tasks[w][0].About}
		c.Title = "Speed over the " + curveTitles[c.Over]
		if tasks[w][0].Point != nil {
			c.Drawn, _, _ = strings.Cut(c.About, ", past the page cache")
		}
		for k := range r.Volumes {
			c.Lines = append(c.Lines, linesOf(tasks[w], k)...)
		}
		if len(c.Lines) > 0 {
			c.Notes = append(differences(r, tasks[w]), fitted(r, c)...)
			c.Notes = append(append(c.Notes, courses(r, tasks[w])...), scores(r, c)...)
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
			p := CurvePoint{X: t.Point.Value, Rate: to.Value.Median, Low: to.Value.Low, High: to.Value.High}
			if block := blockOf(t); block > 0 {
				p.IOPS = p.Rate / block
			}
			l.Points = append(l.Points, p)
		case t.Work == "files":
			var files []baseline.FileTime
			for _, run := range to.Runs {
				files = append(files, run.Parts...)
			}
			*l = LineOfFiles(volume, t.Op, files, to.Line)
		default:
			l.Points = append(l.Points, course(to.Runs[0].Parts)...)
		}
	}
	for i := range lines {
		sorting.Stably(lines[i].Points, func(a, b CurvePoint) int { return int(min(max(a.X-b.X, -1), 1)) })
	}
	return lines
}

// blockOf is the size of the operations of a point; 0 if it is not known.
func blockOf(t baseline.Task) int64 {
	switch {
	case t.Block > 0:
		return t.Block
	case t.Point.Over == baseline.OverBlock:
		return t.Point.Value
	}
	return 0
}

// LineOfFiles is the line of files of several sizes.
func LineOfFiles(volume int, op baseline.Op, files []baseline.FileTime, fit *baseline.SizeTime) Line {
	l := Line{Volume: volume, Op: op, Points: bySize(files), Files: files, Fit: fit}
	sorting.Stably(l.Points, func(a, b CurvePoint) int { return cmp.Compare(a.X, b.X) })
	return l
}

// scoreDepths are those whose mean AnandTech takes as the score of a drive.
var scoreDepths = []int64{1, 2, 4}

// scores are what AnandTech sums a curve up to: over depths the mean of the shallow ones, over mixes that of all.
func scores(r *baseline.Review, c Curve) (notes []string) {
	for _, l := range c.Lines {
		var sum, n int64
		for _, p := range l.Points {
			if c.Over == baseline.OverReads || c.Over == baseline.OverDepth && slices.Contains(scoreDepths, p.X) {
				sum, n = sum+p.Rate, n+1
			}
		}
		of := "of all mixes"
		if c.Over == baseline.OverDepth {
			if of = "of 1, 2 and 4 at once"; n < int64(len(scoreDepths)) {
				continue
			}
		}
		if n > 0 {
			notes = append(notes, fmt.Sprintf("%s, %s: %s, the mean %s, as AnandTech scores.", r.Volumes[l.Volume].Label, l.Op,
				unit.Speed(sum/n), of))
		}
	}
	return notes
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
