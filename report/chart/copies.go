package chart

import (
	"math"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// fileRate is how many files were copied per second over time, each spread over the time it took; nil where they are
// few or not all are known.
func fileRate(p *profile.Profile) *Chart {
	if len(p.Copies) < fewest || p.Omitted.Copies > 0 {
		return nil
	}
	c := &Chart{ID: "files-rate", Kind: "series", Title: "Files per second", Unit: "number", Height: 76}
	rates := make([]float64, p.Charts.Bins)
	bin := p.Charts.BinNS
	for i := range p.Copies {
		x := &p.Copies[i]
		from, to := x.StartNS, x.StartNS+max(x.WallNS, 1)
		for k := max(from, 0) / bin; k < int64(len(rates)) && k*bin < to; k++ {
			part := float64(min(to, (k+1)*bin)-max(from, k*bin)) / float64(to-from)
			rates[k] += part / float64(bin) * 1e9
		}
	}
	c.Series = []plot{{Name: "copied", Color: "copy", Y: float32s(rates)}}
	c.Option = newPlot("number", stepLine("copied", "copy", 0.13, false))
	c.Summary = "Files copied per second over time, " + unit.Count(int64(len(p.Copies))) + " in all."
	return c
}

// maxSpots bounds the files in the picture of time against size.
const maxSpots = 2000

// timeBySize draws each copy by its size and the time it took, both in logarithms; nil where they are few.
func timeBySize(p *profile.Profile) *Chart {
	var x, y []float64
	every := len(p.Copies)/maxSpots + 1
	for i := 0; i < len(p.Copies); i += every {
		if c := &p.Copies[i]; c.Bytes > 0 && c.WallNS > 0 {
			x, y = append(x, math.Log2(float64(c.Bytes))), append(y, math.Log10(float64(c.WallNS)))
		}
	}
	if len(x) < fewest {
		return nil
	}
	c := &Chart{ID: "time-by-size", Kind: "scatter", Title: "Copies: time against size", Unit: "time", Height: 190}
	xs := float32s(x)
	c.Series = []plot{{Name: "copies", Color: "copy", X: &xs, Y: float32s(y), Log: 10}}
	c.Option = newPlot("time10", drawn("copies", "scatter"))
	c.Summary = "Time of " + strconv.Itoa(len(x)) + " copies by their size, both logarithmic."
	c.said = []string{"a dot is a file; on a level stretch the cost of a file counts, on a rising one its bytes"}
	return c
}
