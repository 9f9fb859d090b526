package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/benchmarks"
)

// reviewCurve is a curve of a review: a chart for each direction, with all volumes in it.
type reviewCurve struct {
	Title, About string
	Charts       []*Course
	Notes        []string
}

func newReviewCurve(rows []benchPlace, c benchmarks.Curve) reviewCurve {
	out := reviewCurve{Title: c.Title, About: visible.Line(c.About)}
	for _, note := range c.Notes {
		out.Notes = append(out.Notes, visible.Line(note))
	}
	for _, op := range []baseline.Op{baseline.Write, baseline.Read, baseline.Mixed} {
		lines := slices.DeleteFunc(slices.Clone(c.Lines), func(l benchmarks.Line) bool { return l.Op != op })
		charts := []*Course{speeds(rows, c, lines)}
		if c.Over == baseline.OverSize {
			charts = append(charts, times(rows, lines))
		}
		for _, chart := range charts {
			if chart != nil {
				chart.Title += ": " + opWords[op]
				out.Charts = append(out.Charts, chart)
			}
		}
	}
	return out
}

var opWords = map[baseline.Op]string{baseline.Read: "read", baseline.Write: "write",
	baseline.Mixed: "reads and writes together"}

// plane turns what is measured into places of a chart.
type plane struct {
	*Course
	x, y func(float64) float64
}

// The room that a chart of a curve has.
const (
	curveHigh = 150
	curveLeft = 84
)

// newPlane has an axis from low to end, and one from 0 to top.
func newPlane(low, end, top float64, print func(float64) string) plane {
	p := plane{&Course{Bottom: curveHigh + 8, Height: curveHigh + 8 + Bottom},
		func(v float64) float64 { return curveLeft + (v-low)/max(end-low, 1e-9)*(Width-curveLeft-40) },
		func(v float64) float64 { return 8 + (1-v/(top*1.05))*curveHigh }}
	for _, f := range []float64{0, 0.5, 1} {
		p.YTicks = append(p.YTicks, Tick{X: p.y(f * top), Text: print(f * top)})
	}
	return p
}

// speeds draws the speed over what a curve is over, with the interval of each point.
func speeds(rows []benchPlace, c benchmarks.Curve, lines []benchmarks.Line) *Course {
	at := func(v int64) float64 {
		if c.Even() {
			return float64(v)
		}
		return math.Log2(float64(max(v, 1)))
	}
	low, end, top := math.Inf(1), math.Inf(-1), 0.0
	var marks []int64
	for _, l := range lines {
		for _, p := range l.Points {
			low, end, top = min(low, at(p.X)), max(end, at(p.X)), max(top, float64(p.Rate))
			if p.High != nil {
				top = max(top, float64(*p.High))
			}
			marks = append(marks, p.X)
		}
		for _, f := range l.Files {
			top = max(top, float64(baseline.PerSecond(f.Bytes, f.NS)))
		}
	}
	slices.Sort(marks)
	if marks = slices.Compact(marks); len(marks) < fewestPoints || top <= 0 {
		return nil
	}
	plane := newPlane(low, end, top, rateLabel)
	for i, v := range marks {
		if i%(1+len(marks)/8) == 0 {
			plane.XTicks = append(plane.XTicks, Tick{X: plane.x(at(v)), Text: trimmed(c.Mark(v))})
		}
	}
	for _, l := range lines {
		color := rows[l.Volume].Color
		for _, f := range l.Files {
			rate := baseline.PerSecond(f.Bytes, f.NS)
			plane.Dots = append(plane.Dots, Dot{Color: color, X: plane.x(at(f.Bytes)), Y: plane.y(float64(rate)),
				Title: unit.Bytes(f.Bytes) + ": " + unit.Speed(rate)})
		}
		var line, said []string
		for _, p := range l.Points {
			x, text := plane.x(at(p.X)), c.Mark(p.X)+" "+unit.Speed(p.Rate)
			if p.IOPS > 0 {
				text += " (" + unit.Count(p.IOPS) + " IOPS)"
			}
			line, said = append(line, fmt.Sprintf("%.1f,%.1f", x, plane.y(float64(p.Rate)))), append(said, text)
			if p.Low != nil && p.High != nil {
				plane.Lines = append(plane.Lines, Line{Color: color, Points: fmt.Sprintf("%.1f,%.1f %.1f,%.1f", x,
					plane.y(float64(*p.Low)), x, plane.y(float64(*p.High))), Title: text})
			}
		}
		plane.add(rows[l.Volume], strings.Join(line, " "), strings.Join(said, ", "))
	}
	if plane.Title = c.Title; c.Drawn != "" {
		plane.Title += ", " + c.Drawn
	}
	if c.Over == baseline.OverSize {
		plane.Title += ", every file of every run and the medians"
	}
	return plane.Course
}

// times draws the time of every file over its size, and the line that was fitted.
func times(rows []benchPlace, lines []benchmarks.Line) *Course {
	end, top := 0.0, 0.0
	for _, l := range lines {
		for _, f := range l.Files {
			end, top = max(end, float64(f.Bytes)), max(top, float64(f.NS))
		}
	}
	if end <= 0 || top <= 0 {
		return nil
	}
	plane := newPlane(0, end, top, timeLabel)
	for _, f := range []float64{0, 0.25, 0.5, 0.75, 1} {
		plane.XTicks = append(plane.XTicks, Tick{X: plane.x(f * end), Text: trimmed(unit.Bytes(int64(f * end)))})
	}
	for _, l := range lines {
		color := rows[l.Volume].Color
		for _, f := range l.Files {
			plane.Dots = append(plane.Dots, Dot{Color: color, X: plane.x(float64(f.Bytes)), Y: plane.y(float64(f.NS)),
				Title: unit.Bytes(f.Bytes) + " in " + unit.Nanoseconds(f.NS)})
		}
		if l.Fit == nil || l.Fit.TheilSen <= 0 {
			continue
		}
		time := func(bytes float64) float64 {
			return min(max(float64(l.Fit.PerFileNS)+bytes/float64(l.Fit.TheilSen)*1e9, 0), top*1.05)
		}
		plane.add(rows[l.Volume], fmt.Sprintf("%.1f,%.1f %.1f,%.1f", plane.x(0), plane.y(time(0)), plane.x(end),
			plane.y(time(end))), fmt.Sprintf("%s and %s per file", unit.Speed(l.Fit.TheilSen),
			unit.Nanoseconds(l.Fit.PerFileNS)))
	}
	plane.Title = "Time over the file size, with the line of Theil and Sen"
	return plane.Course
}

// add draws the line of a volume.
func (p plane) add(row benchPlace, points, said string) {
	p.Lines = append(p.Lines, Line{Color: row.Color, Points: points, Title: row.Name + ": " + said})
	if p.Summary != "" {
		p.Summary += "; "
	}
	p.Summary += row.Name + ": " + said
}
