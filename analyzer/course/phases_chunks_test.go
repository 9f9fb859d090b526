package course

import (
	"math"
	"math/rand/v2"
	"testing"
)

// limited feeds a curve with n requests that pass a limit of so many bytes per
// second in slices of 100 ms, as block/blk-throttle.c makes them; the limit
// falls to a third after request fall. Sizes vary, and so does the drive.
func limited(r *rand.Rand, n, fall int) (c *chunks, at int64) {
	size := int64(256<<10) << r.IntN(4)
	rate := float64(size) * float64(n) / (3 + 4*r.Float64()) // the whole takes seconds
	s := newSpeed("device write", "loop0", size*int64(n))
	moved := int64(0)
	now, paid := int64(0), 0.0
	for i := range n {
		if i == fall {
			rate /= 3
			at = moved
		}
		bytes := size
		if r.IntN(8) == 0 {
			bytes = size / 2
		}
		paid += float64(bytes) / rate * 1e9 // when the limit has paid for it
		if wait := int64(paid) - now; wait > 100*1_000_000 || wait > 0 && r.IntN(50) == 0 {
			now += wait
		}
		took := int64(float64(bytes) / (200 + 1000*r.Float64()) * 1e3)
		s.add(now, now+took, bytes, false)
		now += took
		moved += bytes
	}
	s.finish()
	return newChunks(s), at
}

// TestLimits finds the change of a limit, whatever slices it works in: once and
// at its place, and never one where the limit stayed.
func TestLimits(t *testing.T) {
	const runs = 400
	wrong, missed, off := 0, 0, 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 3))
		n := 200 + r.IntN(800)
		if c, _ := limited(r, n, n); len(c.levels()) > 1 {
			wrong++
		}
		fall := n/4 + r.IntN(n/2)
		r = rand.New(rand.NewPCG(seed, 4))
		c, at := limited(r, n, fall)
		switch l := c.levels(); {
		case len(l) != 2:
			missed++
		case math.Abs(float64(int64(l[1].From)*c.bytes-at)) > 2*float64(c.bytes):
			off++
		}
	}
	t.Logf("of %d: %d found without a change, %d missed, %d at another place", runs, wrong, missed, off)
	if wrong*100 > runs || missed*100 > 5*runs || off*100 > runs {
		t.Errorf("of %d: %d found without a change, %d missed, %d at another place", runs, wrong, missed, off)
	}
}

// TestNoise finds nothing in requests whose times only vary: of independent
// lengths, with stalls, and with a speed that wanders.
func TestNoise(t *testing.T) {
	const runs = 300
	for name, next := range map[string]func(r *rand.Rand, last float64) float64{
		"exponential": func(r *rand.Rand, _ float64) float64 { return r.ExpFloat64() },
		"lognormal":   func(r *rand.Rand, _ float64) float64 { return math.Exp(.8 * r.NormFloat64()) },
		"stalls": func(r *rand.Rand, _ float64) float64 {
			if r.IntN(100) == 0 {
				return 50 * (1 + r.Float64())
			}
			return .5 + r.Float64()
		},
		"wandering": func(r *rand.Rand, last float64) float64 {
			return math.Exp(.5*math.Log(max(last, 1e-3)) + .3*r.NormFloat64())
		},
	} {
		wrong := 0
		for seed := range uint64(runs) {
			r := rand.New(rand.NewPCG(seed, 5))
			n := 256 + r.IntN(3000)
			s := newSpeed("call write", "", (1<<20)/4*int64(n))
			now, last := int64(0), 1.0
			for range n {
				last = next(r, last)
				took := int64(last * 6e6)
				s.add(now, now+took, (1<<20)/4, false)
				now += took
			}
			s.finish()
			if len(newChunks(s).levels()) > 1 {
				wrong++
			}
		}
		t.Logf("%s: a change in %d of %d series without one", name, wrong, runs)
		if wrong*100 > 2*runs {
			t.Errorf("%s: a change in %d of %d series without one", name, wrong, runs)
		}
	}
}
