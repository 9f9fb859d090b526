package stats

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// tame samples have ties and no extremes, so that invariances hold to rounding.
func tame(minLen int) *rapid.Generator[[]float64] {
	value := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(1, 4000).Draw(t, "v")) / 8 })
	return rapid.SliceOfN(value, minLen, 40)
}

func TestLocationsFollowShiftAndScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := tame(1).Draw(t, "x")
		shift, scale := rapid.Float64Range(-100, 100).Draw(t, "shift"), rapid.Float64Range(0.1, 10).Draw(t, "scale")
		moved := scaled(x, func(v float64) float64 { return scale*v + shift })
		for name, f := range map[string]func([]float64) float64{
			"median": Median, "trimmed": func(x []float64) float64 { return TrimmedMean(x, 0.2) },
			"quantile": func(x []float64) float64 { return Quantiles(x, 0.9)[0] },
		} {
			if !Near(f(moved), scale*f(x)+shift, 1e-10) {
				t.Fatalf("%s: %g, want %g", name, f(moved), scale*f(x)+shift)
			}
			if f(x) < slices.Min(x)-1e-9 || f(x) > slices.Max(x)+1e-9 {
				t.Fatalf("%s: %g lies outside of the sample", name, f(x))
			}
		}
	})
}

func TestOrderOfSampleDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := tame(6).Draw(t, "x"), tame(6).Draw(t, "y")
		p := rapid.Permutation(x).Draw(t, "permuted")
		r := Resampling{N: 50, Seed: 3}
		for name, f := range map[string]func([]float64) float64{
			"median": Median, "dip": func(x []float64) float64 { return FindModes(x).Dip.Dip },
			"U":     func(x []float64) float64 { return MannWhitney(x, y).P },
			"CI":    func(x []float64) float64 { return MedianCI(x, 0.9).Low },
			"ratio": func(x []float64) float64 { return RatioOfMedians(x, y, r).High },
			"modes": func(x []float64) float64 { return FindModes(x).Modes[0].Median },
		} {
			if a, b := f(x), f(p); !Near(a, b, 1e-12) {
				t.Fatalf("%s: %g, permuted %g", name, a, b)
			}
		}
	})
}

func TestComparisonsAreSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := tame(2).Draw(t, "x"), tame(2).Draw(t, "y")
		u, v := MannWhitney(x, y), MannWhitney(y, x)
		if !Near(u.U+v.U, float64(len(x)*len(y)), 1e-12) || !Near(u.P, v.P, 1e-12) {
			t.Fatalf("U %+v and %+v", u, v)
		}
		if a, b := Welch(x, y, 0.95), Welch(y, x, 0.95); !Near(a.P, b.P, 1e-12) {
			t.Fatalf("Welch %+v and %+v", a, b)
		}
		for name, p := range map[string]float64{"U": u.P, "Welch": Welch(x, y, 0.95).P,
			"dip": FindModes(x).Dip.P} {
			if !(p >= 0 && p <= 1) {
				t.Fatalf("%s: P = %g", name, p)
			}
		}
	})
}

func TestDistancesAreDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := tame(1).Draw(t, "x"), tame(1).Draw(t, "y")
		var a, b [65]float64 // by powers of two
		for _, v := range x {
			a[bits.Len64(uint64(v))]++
		}
		for _, v := range y {
			b[bits.Len64(uint64(v))]++
		}
		js := JensenShannon(a[:], b[:])
		if js < 0 || js > math.Ln2 || !Near(js, JensenShannon(b[:], a[:]), 1e-12) ||
			JensenShannon(a[:], a[:]) > 1e-12 {
			t.Fatalf("divergence %g", js)
		}
		doubled := scaled(a[:], func(v float64) float64 { return 2 * v })
		if !Near(JensenShannon(doubled, b[:]), js, 1e-12) {
			t.Fatal("the divergence depends on how many values there are")
		}
	})
}

func TestLinesFollowScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := tame(4).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-50, 50), len(x), len(x)).Draw(t, "y")
		if !plane(x, y) {
			t.Skip("one x only")
		}
		tilted := make([]float64, len(x)) // y scaled by 2, plus 3 + 5x
		for i := range x {
			tilted[i] = 2*y[i] + 3 + 5*x[i]
		}
		for name, fit := range map[string]func(x, y []float64) Line{
			"OLS":       func(x, y []float64) Line { return OLS(x, y, 0.95).Line },
			"Theil-Sen": func(x, y []float64) Line { return TheilSen(x, y, 0.95).Line },
		} {
			a, b := fit(x, y), fit(x, tilted)
			if !Near(b.Slope.Value, 2*a.Slope.Value+5, 1e-8) {
				t.Fatalf("%s: slope %g, want %g", name, b.Slope.Value, 2*a.Slope.Value+5)
			}
			if a.Slope.Known() && !a.Slope.Contains(a.Slope.Value) {
				t.Fatalf("%s: the slope %g is not in its interval %v", name, a.Slope.Value, a.Slope.Interval)
			}
		}
		exact := make([]float64, len(x))
		for i := range x {
			exact[i] = 3 + 5*x[i]
		}
		for _, l := range []Line{OLS(x, exact, 0.95).Line, TheilSen(x, exact, 0.95).Line} {
			if !Near(l.Slope.Value, 5, 1e-9) || !Near(l.Intercept.Value+2*l.Slope.Value, 13, 1e-8) {
				t.Fatalf("points on a line: %+v", l)
			}
		}
	})
}

// TestSegmentIsOptimal compares with trying all partitions of short series.
func TestSegmentIsOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(-6, 6).Draw(t, "v")) })
		y := rapid.SliceOfN(steps, 1, 12).Draw(t, "y")
		penalty := rapid.Float64Range(0.1, 40).Draw(t, "penalty")
		size := rapid.IntRange(1, 4).Draw(t, "size")
		found := segment(y, penalty, size)
		best := math.Inf(1)
		for mask := range 1 << (len(y) - 1) {
			var c []int
			for i := 1; i < len(y); i++ {
				if mask>>(i-1)&1 == 1 {
					c = append(c, i)
				}
			}
			if atLeast(c, len(y), size) || c == nil {
				best = math.Min(best, squaresCost(y, c, penalty))
			}
		}
		if got := squaresCost(y, found, penalty); !Near(got, best, 1e-9) ||
			!(atLeast(found, len(y), size) || found == nil) {
			t.Fatalf("cuts %v cost %g, the least is %g", found, got, best)
		}
	})
}

// atLeast reports whether all segments have at least size values.
func atLeast(cuts []int, n, size int) bool {
	first := 0
	for _, end := range append(slices.Clone(cuts), n) {
		if end-first < size {
			return false
		}
		first = end
	}
	return true
}

// TestChangePointsFollowScale: a unit or a direction of time changes nothing.
func TestChangePointsFollowScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.SliceOfN(rapid.Float64Range(1, 1.2), 12, 60).Draw(t, "y")
		at := rapid.IntRange(0, len(y)).Draw(t, "at")
		for i := range y[at:] {
			y[at+i] *= 3
		}
		c := ChangePoints(y, ChangeOptions{})
		// Of correlated values few are worth even fewer: twenty may not confirm any step.
		if at >= 10 && len(y)-at >= 10 && c.Noise.Correlation < 0.5 && !slices.Contains(cuts(c), at) {
			t.Fatalf("changes at %v, want one at %d: %+v", cuts(c), at, c)
		}
		scaledUp := ChangePoints(scaled(y, func(v float64) float64 { return v * 1024 }), ChangeOptions{})
		if !slices.Equal(cuts(c), cuts(scaledUp)) {
			t.Fatalf("changes at %v, in another unit at %v", cuts(c), cuts(scaledUp))
		}
		covered := 0
		for _, l := range c.Levels {
			if l.From != covered || l.To <= l.From || l.Earliest > l.From || l.Latest < l.From && l.From > 0 {
				t.Fatalf("levels %+v", c.Levels)
			}
			covered = l.To
		}
		if covered != len(y) {
			t.Fatalf("levels end at %d of %d", covered, len(y))
		}
	})
}
