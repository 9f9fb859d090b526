package measure

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// server is a device that works at so many requests at once, and the time that it takes for one.
type server struct {
	places  int
	request float64 // ns
	byte    float64 // ns
	noise   float64 // of that time
}

// serve gives it requests of some sizes, all of them waiting from the beginning.
func (s server) serve(sizes []int64) *Cost {
	type done struct{ at, bytes int64 }
	free, all := make([]float64, s.places), make([]done, 0, len(sizes))
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		at := slices.Index(free, slices.Min(free))
		free[at] += (s.request + s.byte*float64(size)) * (1 + s.noise*(random.Float64()-0.5))
		all = append(all, done{int64(free[at]), size})
	}
	slices.SortStableFunc(all, func(a, b done) int { return cmp.Compare(a.at, b.at) })
	c, last := new(Cost), int64(0)
	for _, x := range all {
		c.Add(x.at-last, x.bytes)
		last = x.at
	}
	return c
}

// mixed are sizes of 4 to 64 KiB.
func mixed(n int) []int64 {
	random, sizes := rand.New(rand.NewPCG(3, 4)), make([]int64, n)
	for i := range sizes {
		sizes[i] = (1 + random.Int64N(16)) << 12
	}
	return sizes
}

// TestCost: what is found of a device is what it was made of, whether it works at one request or at several at once.
func TestCost(t *testing.T) {
	const mean = 8.5 * 4096
	for name, s := range map[string]server{
		"a disk":            {1, 4e6, 5, 0.3},
		"flash, eight":      {8, 2e6, 2, 0.3},
		"a link":            {1, 0, 25, 0.1},
		"half of each":      {1, mean * 20, 20, 0.1},
		"a link, in pieces": {1, 1000, 100, 0.5},
	} {
		c := s.serve(mixed(6000)).Profile()
		if c == nil {
			t.Errorf("%s: nothing is found", name)
			continue
		}
		share := s.byte * mean / (s.byte*mean + s.request)
		if math.Abs(c.ByteShare-share) > 0.12 || c.ByteShareLow > share+0.02 || c.ByteShareHigh < share-0.02 {
			t.Errorf("%s: %+v, want a share of %.2f", name, c, share)
		}
		if want := s.request / float64(s.places); math.Abs(float64(c.RequestNS)-want) > 0.12*(want+s.byte*mean) {
			t.Errorf("%s: %d ns for a request, want %.0f", name, c.RequestNS, want)
		}
	}
}

// TestCostUnknown: nothing is said of few requests, and of those of which most have one size.
func TestCostUnknown(t *testing.T) {
	disk := server{1, 4e6, 5, 0.3}
	same := make([]int64, 4000)
	for i := range same {
		same[i] = 8192
	}
	rare := slices.Concat(same, mixed(300), same)
	for name, c := range map[string]*Cost{
		"none": {}, "few": disk.serve(mixed(200)), "one size": disk.serve(same), "rarely others": disk.serve(rare),
	} {
		if found := c.Profile(); found != nil {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// TestCostOfBatches: where eight requests are reported at once, the time of all of them is.
func TestCostOfBatches(t *testing.T) {
	var c Cost
	for i, size := range mixed(4000) {
		ns := int64(i % 8)
		if ns == 0 {
			ns = 8e5 + int64(i%100)
		}
		c.Add(ns, size)
	}
	if found := c.Profile(); found == nil || math.Abs(float64(found.RequestNS)-1e5) > 1e4 {
		t.Errorf("%+v, want 0.1 ms for a request of a batch", found)
	}
}
