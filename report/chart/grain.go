package chart

import (
	"encoding/binary"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// A grain is a finer level of the curves as the page gets it. Curves of one
// direction of one place change together and share their bins.
type grain struct {
	BinNS int64   `json:"bin"`
	Whole bool    `json:"whole"` // or within the stretches that the page lists as detailed
	At    []array `json:"at"`    // bins in which something changes: per series, then the time stack
}

// maxGrains bounds the finer levels of all curves together, in bytes of the
// page; levels are added from coarse to fine while they fit.
const maxGrains = 450_000

// fineCurves adds the finer levels to the charts over time.
func fineCurves(zooms []profile.Zoom, charts []*Chart, bands []band) []grain {
	grains, room := []grain{}, maxGrains
	for i := range zooms {
		z := &zooms[i]
		g := grain{BinNS: z.BinNS, Whole: z.Whole}
		columns := make([]map[string]array, 0, len(z.Series)+1)
		for k := range z.Series {
			g.At = append(g.At, deltas(z.Series[k].At))
			columns = append(columns, columnsOf(&z.Series[k], z.BinNS))
		}
		g.At = append(g.At, deltas(z.StackAt))
		columns = append(columns, stackColumns(z, bands))
		size := 0
		for k := range g.At {
			size += len(g.At[k].Data)
			for _, a := range columns[k] {
				size += len(a.Data)
			}
		}
		if room -= size; room < 0 {
			break
		}
		grains = append(grains, g)
		for _, ch := range charts {
			for k := range ch.Series {
				if p := &ch.Series[k]; p.column != "" {
					p.Fine = append(p.Fine, columns[p.At][p.column])
				}
			}
		}
	}
	return grains
}

// columnsOf are the columns of a series by the names of their plots.
func columnsOf(s *profile.Steps, binNS int64) map[string]array {
	rates, depth := make([]float64, len(s.At)), make([]float64, len(s.At))
	for i, b := range s.Bytes {
		rates[i], depth[i] = float64(b)/float64(binNS)*1e9, s.Depth[i]*1e6
		if b < 0 {
			rates[i], depth[i] = -1, -1
		}
	}
	return map[string]array{
		"rate": logarithms(rates), "depth": logarithms(depth),
		"size p50": logarithms(floats(s.SizeP50)), "size p90": logarithms(floats(s.SizeP90)),
		"latency p50": logarithms(floats(s.LatP50)), "latency p99": logarithms(floats(s.LatP99)),
	}
}

// stackColumns are the shares of the bands, in millionths.
func stackColumns(z *profile.Zoom, bands []band) map[string]array {
	m := map[string]array{}
	known := make([]bool, len(z.StackAt))
	for _, l := range z.Stack {
		for i, ns := range l.NS {
			known[i] = known[i] || ns > 0
		}
	}
	for _, b := range bands {
		shares := b.over(z.Stack)
		for i := range shares {
			if shares[i] *= 1e6 / float64(z.BinNS); !known[i] {
				shares[i] = -1
			}
		}
		m[b.column] = logarithms(shares)
	}
	return m
}

func floats(values []int64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = float64(v)
	}
	return out
}

// perOctave is how many steps logarithms takes for a doubling: values are off
// by at most 0.14 %.
const perOctave = 256

// logarithms codes values of which three digits are shown: zigzag varints of
// the differences between 0 for nothing, -1 for unknown and 1 + 256·log2 of
// values that are at least one.
func logarithms(values []float64) array {
	var b []byte
	last := int64(0)
	for _, v := range values {
		code := int64(0)
		switch {
		case v < 0:
			code = -1
		case v > 0:
			code = 1 + int64(math.Round(perOctave*math.Log2(max(v, 1))))
		}
		b = binary.AppendVarint(b, code-last)
		last = code
	}
	return encoded("delta", b)
}
