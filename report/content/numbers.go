package content

import (
	"math"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// The help texts that several tables share.
const (
	helpByBytes = "half of the bytes were moved by operations of at most this size"
	helpSize    = "median number of bytes per operation that moved any"
	helpQD      = "achieved queue depth: mean number in flight while at least one was"
	helpP50     = "median; half of them took at most this long"
	helpP99     = "99th percentile; one in a hundred took longer"
)

// none makes a zero that says nothing disappear.
func none(n int64) float64 {
	if n == 0 {
		return -1
	}
	return float64(n)
}

// sizeByBytes is the size of the operations that moved the bytes; of a profile that does not tell it, the median.
func sizeByBytes(d profile.Dist) float64 {
	if d.ByBytes > 0 {
		return float64(d.ByBytes)
	}
	return medianSize(d)
}

// medianSize is the median size of the operations that moved data: a read at the
// end of a file moves nothing and says nothing about block sizes.
func medianSize(d profile.Dist) float64 {
	d = Moving(d)
	if d.Count == 0 {
		return -1
	}
	return float64(d.P50)
}

// Moving is a distribution of sizes without the operations that moved nothing.
// Its median is the exact most frequent size in the median's bin, or else the
// middle of that bin; its other percentiles stay as they were.
func Moving(d profile.Dist) profile.Dist {
	if d.Count == 0 || d.Min > 0 {
		return d
	}
	bins := slices.DeleteFunc(slices.Clone(d.Bins), func(b profile.Bin) bool { return b.From <= 0 })
	d.Bins, d.Count = bins, 0
	for _, b := range bins {
		d.Count += b.Count
	}
	var below int64
	for _, b := range bins {
		if below += b.Count; 2*below >= d.Count {
			d.P50 = (b.From + b.To) / 2
			if i := slices.IndexFunc(d.Top, func(v profile.Value) bool { return v.Value >= b.From && v.Value < b.To }); i >= 0 {
				d.P50 = d.Top[i].Value
			}
			break
		}
	}
	return d
}

func median(d profile.Dist) float64 { return quantile(d, d.P50) }

func quantile(d profile.Dist, v int64) float64 {
	if d.Count == 0 {
		return -1
	}
	return float64(v)
}

// took is a time of operations, -1 where the recording does not tell how long they took.
func took(p *profile.Profile, of profile.Dist, ns int64) float64 {
	if !p.Trace.TellsLatency(of.Max > 0) {
		return -1
	}
	return quantile(of, ns)
}

func flowBytes(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 { return float64(f.Bytes) })
}

func flow(f *profile.Flow, value func(*profile.Flow) float64) float64 {
	if f == nil || f.Count == 0 {
		return -1
	}
	return value(f)
}

// ratio is a/b, NaN if b is not positive.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return math.NaN()
	}
	return a / b
}

func flowSize(f *profile.Flow) float64 {
	return flow(f, func(f *profile.Flow) float64 { return medianSize(f.Size) })
}
