package measure

import (
	"math"
	"math/bits"
)

// maxExtents is how many separate extents are kept exactly.
const maxExtents = 64

// Regions measures how many distinct bytes were touched: exactly as long as
// they form few extents, afterwards by a HyperLogLog over 4 KiB blocks, and one
// over spans of 64 KiB for long extents, whose blocks are too many to be counted
// (Flajolet et al., 2007; 4096 registers, standard error 1.6 %).
type Regions struct {
	exact  Ranges
	blocks *sketch // of what does not fit into exact
	spans  *sketch // of what is long of that
}

const (
	block = 4 << 10
	span  = 64 << 10
)

const (
	// longExtent is from where on spans are counted: as many blocks as the longest has spans.
	longExtent = 4 << 20
	// maxSketched bounds the bytes of an extent that are counted: longer ones stay
	// exact, as many as there is room for.
	maxSketched = 64 << 20
)

func (r *Regions) Add(at, n int64) {
	if n <= 0 || at < 0 || at > math.MaxInt64-n {
		return
	}
	switch {
	case r.blocks == nil, n > maxSketched && len(r.exact.List) < maxExtents:
		r.exact.Add(Extent{at, at + n})
	default:
		r.sketch(at, n)
	}
	if r.blocks == nil && len(r.exact.List) > maxExtents {
		r.blocks = new(sketch)
		long := Ranges{}
		for _, e := range r.exact.List {
			if e.Bytes() > maxSketched && len(long.List) < maxExtents/2 {
				long.Add(e)
			} else {
				r.sketch(e.From, e.Bytes())
			}
		}
		r.exact = long
	}
}

// sketch counts an extent that is not kept.
func (r *Regions) sketch(at, n int64) {
	n = min(n, maxSketched, math.MaxInt64-span-at)
	if n < longExtent {
		r.blocks.add(at/block, (at+n-1)/block+1)
		return
	}
	if r.spans == nil {
		r.spans = new(sketch)
	}
	r.spans.add((at+span/2)/span, (at+n+span/2)/span)
}

// Bytes is the number of distinct bytes.
func (r *Regions) Bytes() int64 {
	n := r.exact.Bytes
	if r.blocks != nil {
		n += r.blocks.estimate() * block
	}
	if r.spans != nil {
		n += r.spans.estimate() * span
	}
	return n
}

// coarse reports whether bytes is an estimate.
func (r *Regions) coarse() bool { return r.blocks != nil }

// sketch is a HyperLogLog over numbers.
type sketch [4096]uint8

func (s *sketch) add(from, to int64) {
	for b := from; b < to; b++ {
		h := Mix(uint64(b))
		i := h >> 52
		s[i] = max(s[i], uint8(bits.LeadingZeros64(h<<12|1<<11)+1))
	}
}

// Mix is the finaliser of SplitMix64.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *sketch) estimate() int64 {
	const m = float64(len(s))
	sum, empty := 0.0, 0
	for _, r := range s {
		sum += math.Ldexp(1, -int(r))
		if r == 0 {
			empty++
		}
	}
	n := 0.7213 / (1 + 1.079/m) * m * m / sum
	if n <= 2.5*m && empty > 0 {
		n = m * math.Log(m/float64(empty)) // linear counting
	}
	return int64(math.Round(n))
}
