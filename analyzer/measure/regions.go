package measure

import (
	"math"
	"math/bits"
)

// maxExtents is how many separate extents are kept exactly.
const maxExtents = 64

// Regions measures how many distinct bytes were touched: exactly as long as
// they form few extents, afterwards by a HyperLogLog over 4 KiB blocks
// (Flajolet et al., 2007; 4096 registers, standard error 1.6 %).
type Regions struct {
	exact  Ranges
	blocks *sketch // of what does not fit into exact
}

func (r *Regions) Add(at, n int64) {
	if n <= 0 || at < 0 || at > math.MaxInt64-n {
		return
	}
	switch {
	case r.blocks == nil, n > maxSketched && len(r.exact.List) < maxExtents:
		r.exact.Add(Extent{at, at + n})
	default:
		r.blocks.add(at, min(n, maxSketched))
	}
	if r.blocks == nil && len(r.exact.List) > maxExtents {
		r.blocks = new(sketch)
		long := Ranges{}
		for _, e := range r.exact.List {
			if e.Bytes() > maxSketched && len(long.List) < maxExtents/2 {
				long.Add(e)
			} else {
				r.blocks.add(e.From, min(e.Bytes(), maxSketched))
			}
		}
		r.exact = long
	}
}

// maxSketched bounds the bytes that are counted block by block: longer extents
// stay exact, as many as there is room for.
const maxSketched = 16 << 20

// Bytes is the number of distinct bytes.
func (r *Regions) Bytes() int64 {
	if r.blocks != nil {
		return r.blocks.estimate()*block + r.exact.Bytes
	}
	return r.exact.Bytes
}

// coarse reports whether bytes is an estimate.
func (r *Regions) coarse() bool { return r.blocks != nil }

const block = 4096

// sketch is a HyperLogLog over block numbers.
type sketch [4096]uint8

func (s *sketch) add(at, n int64) {
	for b := at / block; b <= (at+n-1)/block; b++ {
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
