package page

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
)

// coursePlot draws the speed over the active time of every counted run; nil if
// the runs are too short for it.
func coursePlot(results []benchResult) *Course {
	const high = 120
	end, top, most := 0.0, 0.0, 0
	for _, s := range results {
		for _, r := range s.Runs {
			if !r.Counted {
				continue
			}
			course := coarser(r.Course)
			most, end = max(most, len(course.Bytes)), max(end, float64(r.ActiveNS))
			for k := range course.Bytes {
				top = max(top, courseRate(course, r.ActiveNS, k))
			}
		}
	}
	if most < 4 || end <= 0 || top <= 0 {
		return nil
	}
	c := &Course{Bottom: high + 8, Height: high + 8 + Bottom,
		Title: "Throughput during each run", Summary: "Throughput during each run, one line per run."}
	x := func(ns float64) float64 { return 70 + ns/end*(Width-70-Right) }
	y := func(v float64) float64 { return 8 + (1-v/(top*1.05))*high }
	for _, f := range []float64{0, 0.25, 0.5, 0.75, 1} {
		c.XTicks = append(c.XTicks, Tick{X: x(f * end), Text: timeLabel(f * end)})
	}
	for _, f := range []float64{0, 0.5, 1} {
		c.YTicks = append(c.YTicks, Tick{X: y(f * top), Text: rateLabel(f * top)})
	}
	for _, s := range results {
		for _, r := range s.Runs {
			if !r.Counted || len(r.Course.Bytes) == 0 {
				continue
			}
			var points strings.Builder
			course := coarser(r.Course)
			for k := range course.Bytes {
				from := float64(int64(k) * course.SliceNS)
				to := min(from+float64(course.SliceNS), float64(r.ActiveNS))
				v := y(courseRate(course, r.ActiveNS, k))
				fmt.Fprintf(&points, "%.1f,%.1f %.1f,%.1f ", x(from), v, x(to), v)
			}
			c.Lines = append(c.Lines, Line{Color: s.place.Color, Points: strings.TrimSpace(points.String()),
				Title: fmt.Sprintf("%s, run %d: %s", s.place.Name, r.Run+1, unit.Rate(float64(r.Rate)))})
		}
	}
	return c
}

// maxSlices are as many as can be told apart when the runs lie over one another.
const maxSlices = 60

// coarser joins the slices of a run.
func coarser(s baseline.Series) baseline.Series {
	join := (len(s.Bytes) + maxSlices - 1) / maxSlices
	if join < 2 {
		return s
	}
	out := baseline.Series{SliceNS: s.SliceNS * int64(join), Bytes: make([]int64, (len(s.Bytes)+join-1)/join)}
	for k, b := range s.Bytes {
		out.Bytes[k/join] += b
	}
	return out
}

// courseRate is the speed in a slice of a run; the last one may be short.
func courseRate(s baseline.Series, active int64, k int) float64 {
	ns := min(s.SliceNS, active-int64(k)*s.SliceNS)
	if ns < s.SliceNS/4 {
		ns = s.SliceNS // a sliver says nothing about the speed
	}
	return float64(s.Bytes[k]) / float64(ns) * 1e9
}
