package stats

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// hostile draws slices nobody asks for: empty, tied, with NaN and infinities,
// denormal and huge.
func hostile() *rapid.Generator[[]float64] {
	value := rapid.OneOf(
		rapid.Float64(),
		rapid.Float64Range(0.5, 2),
		rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 1, 1, -1, 5e-324,
			-5e-324, math.MaxFloat64, -math.MaxFloat64, 1e-300, 1e300}),
	)
	finite := rapid.SampledFrom([]float64{1, 1, 2, 3, 0.25, 5e-324, 1e-300, 1e300, math.MaxFloat64})
	return rapid.OneOf(rapid.SliceOfN(value, 0, 40), rapid.SliceOfN(finite, 0, 40))
}

// TestNothingPanics calls everything with hostile samples and parameters. The
// arguments must survive unchanged.
func TestNothingPanics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := hostile().Draw(t, "x"), hostile().Draw(t, "y")
		p := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{-1, 0, 1, 2, math.NaN(), math.Inf(1)})).Draw(t,
			"p")
		n := rapid.IntRange(-3, 30).Draw(t, "n")
		r := Resampling{N: max(1, n), Level: p, Seed: 1}
		keptX, keptY := slices.Clone(x), slices.Clone(y)

		Quantiles(x, p, 0.5)
		Median(x)
		MedianCI(x, p)
		TrimmedMean(x, p)
		MannWhitney(x, y)
		Welch(x, y, p)
		RatioOfMedians(x, y, r)
		JensenShannon(x, y)
		OLS(x, y[:min(len(x), len(y))], p)
		m := min(len(x), len(y))
		OLS(x[:m], y[:m], p)
		TheilSen(x[:m], y[:m], p)
		FindModes(x)
		segment(x, p, n)
		ChangePoints(x, ChangeOptions{MinSize: n, MinRatio: p, MaxP: p, Factor: p})
		Shapley(x)
		interactions(x)
		Attribute([][]float64{x, y}, r)
		ScreenEffects([PlackettBurmanRuns][]float64{x, y, x, y, x, y, x, y, x, y, x, y}, n)

		same := func(a, b []float64) bool {
			return slices.EqualFunc(a, b, func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) })
		}
		if !same(x, keptX) || !same(y, keptY) {
			t.Fatal("an argument was changed")
		}
	})
}

// TestManyHostilePoints takes the way of many points through Theil–Sen.
func TestManyHostilePoints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		few := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, -1, 5e-324, -1e-300, 1e300, -1e300, math.MaxFloat64, 1e17,
			1 + 1e-15}), 2, 8)
		a, b := few.Draw(t, "a"), few.Draw(t, "b")
		x, y := make([]float64, 1500), make([]float64, 1500)
		for i := range x {
			x[i], y[i] = a[i*i%len(a)], b[i%len(b)]
		}
		x[0] = float64(rapid.IntRange(0, 3).Draw(t, "first"))
		l := TheilSen(x, y, 0.95)
		if l.Slope.Known() && !(l.Slope.Low <= l.Slope.High) {
			t.Fatalf("%+v", l)
		}
	})
}

// TestDifferencesOverflow: points that are no neighbours can be too far apart
// for a slope, though all neighbours have one.
func TestDifferencesOverflow(t *testing.T) {
	for name, p := range map[string][2][]float64{
		"x and y": {{-1e300, 0, math.MaxFloat64}, {-1e300, 0, math.MaxFloat64}},
		"x":       {{-math.MaxFloat64, 0, math.MaxFloat64}, {1, 2, 3}},
		"y":       {{1, 2, 3}, {-math.MaxFloat64, 0, math.MaxFloat64}},
	} {
		if l := TheilSen(p[0], p[1], 0.95); !math.IsNaN(l.Slope.Value) || l.Slope.Known() {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// TestUnusableSamples: what cannot be computed is NaN, nil or not Known.
func TestUnusableSamples(t *testing.T) {
	good := []float64{1, 2, 3, 4, 5, 6, 7}
	for name, bad := range map[string][]float64{
		"empty": {}, "nil": nil, "NaN": {1, 2, math.NaN(), 4, 5, 6, 7}, "Inf": {1, 2, 3, 4, 5, 6, math.Inf(-1)},
	} {
		for what, v := range map[string]float64{
			"quantile": Quantiles(bad, 0.5)[0], "median": Median(bad), "trimmed": TrimmedMean(bad, 0.2),
			"U": MannWhitney(bad, good).P, "Welch": Welch(good, bad, 0.95).P,
			"ratio": RatioOfMedians(good, bad, Resampling{}).Value, "JS": JensenShannon(bad, good),
			"OLS": OLS(bad, good, 0.95).Slope.Value, "Theil-Sen": TheilSen(good, bad, 0.95).Slope.Value,
			"dip": FindModes(bad).Dip.P, "BIC": FindModes(bad).DeltaBIC,
		} {
			if !math.IsNaN(v) {
				t.Errorf("%s sample: %s = %g", name, what, v)
			}
		}
		for what, i := range map[string]Interval{
			"median": MedianCI(bad, 0.95), "ratio": RatioOfMedians(bad, good, Resampling{}).Interval,
			"difference": Welch(bad, good, 0.95).Difference.Interval, "slope": OLS(bad, good, 0.95).Slope.Interval,
		} {
			if i.Known() {
				t.Errorf("%s sample: interval of %s is %v", name, what, i)
			}
		}
		if FindModes(bad).Modes != nil || ChangePoints(bad, ChangeOptions{}).Levels != nil ||
			segment(bad, 1, 1) != nil {
			t.Errorf("%s sample has modes or levels", name)
		}
	}
	if FindModes([]float64{1, 2, 0, 4}).Modes != nil ||
		ChangePoints([]float64{1, -2, 3}, ChangeOptions{}).Levels != nil {
		t.Error("values that are not above zero have modes or levels")
	}
	if OLS([]float64{2, 2, 2}, []float64{1, 2, 3}, 0.95).Slope.Known() ||
		!math.IsNaN(TheilSen([]float64{2, 2}, []float64{1, 3}, 0.95).Joint) {
		t.Error("equal x have a slope")
	}
}

// TestConstantSamples: no spread is a case of its own, not an error.
func TestConstantSamples(t *testing.T) {
	c := slices.Repeat([]float64{3}, 20)
	d := slices.Repeat([]float64{4}, 20)
	Check(t, "U", MannWhitney(c, c).P, 1, 0)
	Check(t, "Welch equal", Welch(c, c, 0.95).P, 1, 0)
	Check(t, "Welch different", Welch(c, d, 0.95).P, 0, 0)
	if d := FindModes(c).Dip; d != (dipTest{Dip: 0, P: 1}) {
		t.Errorf("dip %+v", d)
	}
	if got := RatioOfMedians(d, c, Resampling{}); got.Value != 4.0/3 || !got.Known() || got.Low != 4.0/3 ||
		got.High != 4.0/3 {
		t.Errorf("ratio %v", got)
	}
	if m := FindModes(c); m.Bimodal || len(m.Modes) != 1 ||
		m.Modes[0] != (mode{Median: 3, Weight: 1}) {
		t.Errorf("modes %+v", m)
	}
	if levels := ChangePoints(c, ChangeOptions{}).Levels; len(levels) != 1 || levels[0].Median != 3 {
		t.Errorf("levels %+v", levels)
	}
	x := make([]float64, 20)
	for i := range x {
		x[i] = float64(i)
	}
	Check(t, "flat line", OLS(x, c, 0.95).Slope.Value, 0, 0)
	Check(t, "flat line, R2", OLS(x, c, 0.95).R2, 1, 0)
}
