package chart

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// pipelineChart draws how many bytes of copied files had reached each stage by when; nil if no call moved any.
func pipelineChart(p *profile.Profile) *Chart {
	x := p.Charts.Pipeline
	if x == nil || !copying(p) {
		return nil
	}
	c := &Chart{ID: "pipeline", Kind: "path", Title: "Bytes so far", Unit: "amount", Height: 190}
	var lines []series
	for _, stage := range []struct {
		name, color string
		bytes       []int64
		devices     []string
	}{{"read from ", "read", x.Read, x.ReadFrom}, {"copied", "stack-page_cache", x.Copied, nil},
		{"written to ", "write", x.Written, x.WrittenTo}} {
		name := stage.name + visible.Shorten(visible.Text(strings.Join(stage.devices, ", ")), 32)
		at, sums := growth(stage.bytes, x.BinNS, p.StartNS, p.Charts.Timeline.EndNS)
		if len(at) == 0 {
			continue
		}
		total := sums[len(sums)-1]
		xs := deltas(at)
		c.Series = append(c.Series, plot{Name: name, Color: stage.color, X: &xs, Y: float32s(sums)})
		lines = append(lines, stepLine(name, stage.color, 0, false))
		c.said = append(c.said, name+": "+unit.Bytes(int64(total))+" by "+unit.Nanoseconds(lastGrowth(at, sums)-p.StartNS))
	}
	c.Option = newPlot("amount", lines...)
	c.Summary = "Bytes of the copies over time. " + strings.Join(c.said, "; ") + "."
	return c
}

// OfCopy reports whether a recording is one of a copy: its picture says most, so that other charts and tables are shown
// once somebody asks for them.
func OfCopy(p *profile.Profile) bool {
	return p.Charts != nil && p.Charts.Pipeline != nil && copying(p)
}

// Pictured reports whether the picture at the top says most of a recording: of a copy, and of work that did not wait
// for drives most of the time, such as a start or a compilation. Of the rest requests are shown in all their numbers.
func Pictured(p *profile.Profile) bool {
	if p.Charts == nil || OfCopy(p) {
		return p.Charts != nil
	}
	var drives int64
	for _, x := range p.TimeStack.Slices {
		if x.Group == "device" || x.Label == "sync" {
			drives += x.NS
		}
	}
	return 2*drives < p.TimeStack.WallNS
}

// copying reports whether the copies were most of what calls wrote.
func copying(p *profile.Profile) bool {
	var copied, written int64
	for _, n := range p.Charts.Pipeline.Copied {
		copied += n
	}
	for i := range p.Layers {
		if l := &p.Layers[i]; l.Name == "calls" && l.Write != nil {
			written = l.Write.Bytes
		}
	}
	return 2*copied >= written
}

// growth is the sum of bytes so far at the ends of the bins in which it grows, and where that begins.
func growth(bytes []int64, bin, start, end int64) (at []int64, sums []float64) {
	var sum int64
	grew := false
	for i, n := range bytes {
		if n == 0 {
			grew = false
			continue
		}
		if from := int64(i) * bin; !grew {
			at, sums = append(at, min(from, end)), append(sums, float64(sum))
		}
		sum, grew = sum+n, true
		at, sums = append(at, min(int64(i+1)*bin, end)), append(sums, float64(sum))
	}
	if len(at) > 0 {
		at, sums = slices.Insert(at, 0, min(start, at[0])), slices.Insert(sums, 0, 0)
		at, sums = append(at, max(end, at[len(at)-1])), append(sums, float64(sum))
	}
	return at, sums
}

func lastGrowth(at []int64, sums []float64) int64 {
	i := slices.Index(sums, sums[len(sums)-1])
	return at[i]
}
