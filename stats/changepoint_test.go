package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSegmentFalsePositives measures how often the bare criterion, with σ from
// the MAD of differences and a penalty of k·σ²·ln n, finds a change in noise.
// The published rates came from 200 series each.
func TestSegmentFalsePositives(t *testing.T) {
	t.Parallel()
	factors := [4]float64{3, 5, 8, 12}
	const runs = 200
	published := []struct {
		kind  string
		rates map[int][4]float64
	}{
		{"normal", map[int][4]float64{160: {.02, 0, 0, 0}, 1000: {0, 0, 0, 0}}},
		{"lognormal", map[int][4]float64{160: {.15, .02, 0, 0}, 1000: {.15, .01, 0, .005}}},
		{"t3", map[int][4]float64{160: {.28, .08, .04, .02}, 1000: {.54, .32, .11, .04}}},
		{"AR(1) .3", map[int][4]float64{160: {.34, .06, .01, 0}, 1000: {.31, .01, 0, 0}}},
		{"AR(1) .6", map[int][4]float64{160: {.98, .81, .44, .18}, 1000: {1, .98, .55, .14}}},
	}
	for _, p := range published {
		for _, n := range []int{160, 1000} {
			rng := rand.New(rand.NewPCG(5, uint64(n)))
			var found [4]float64
			for range runs {
				y := NoiseOfKind(p.kind, rng, n)
				d := differences(y, 1)
				sigma := d[len(d)/2] * normalMAD / math.Sqrt2
				for i, k := range factors {
					if len(segment(y, k*sigma*sigma*math.Log(float64(n)), 5)) > 0 {
						found[i] += 1.0 / runs
					}
				}
			}
			t.Logf("%-9s n=%-4d %.3f (published %.3f)", p.kind, n, found, p.rates[n])
			for i := range factors {
				want := p.rates[n][i]
				mid := (found[i] + want) / 2
				if sd := math.Sqrt(2 * mid * (1 - mid) / runs); math.Abs(found[i]-want) > 3.5*sd+0.005 {
					t.Errorf("%s, n=%d, k=%g: %.3f, published %.3f", p.kind, n, factors[i], found[i], want)
				}
			}
		}
	}
}

// TestChangePointsFalsePositives measures the same for the whole method. It
// must stay within the published rates for k = 5, and below one in twelve where
// those are far too high.
func TestChangePointsFalsePositives(t *testing.T) {
	t.Parallel()
	limits := map[string]float64{
		"normal": 0.005, "lognormal": 0.01, "t3": 0.01, "stalls": 0.03, "two modes": 0.01, "hits": 0.01,
		"AR(1) .3": 0.015, "AR(1) .6": 0.04, "AR(1) .8": 0.08,
	}
	for kind, limit := range limits {
		for _, n := range []int{20, 40, 160, 1000} {
			runs := min(1000, 100000/n)
			for _, cv := range []float64{0.1, 0.5} {
				rng := rand.New(rand.NewPCG(6, uint64(n)))
				found := 0
				for range runs {
					y := NoiseOfKind(kind, rng, n)
					for i := range y {
						switch kind {
						case "lognormal":
						default:
							y[i] = math.Exp(cv * y[i])
						}
					}
					if len(ChangePoints(y, ChangeOptions{}).Levels) > 1 {
						found++
					}
				}
				rate := float64(found) / float64(runs)
				t.Logf("%-9s n=%-4d cv=%.1f %.4f of %d", kind, n, cv, rate, runs)
				if rate > limit+2*math.Sqrt(limit/float64(runs)) {
					t.Errorf("%s, n=%d, cv=%g: changes found in %.3f of series without any", kind, n, cv, rate)
				}
			}
		}
	}
}

// TestChangePointsFindThrottle is the drive that falls from 2.3 to 0.66 GB/s at
// chunk 60 of 160.
func TestChangePointsFindThrottle(t *testing.T) {
	const runs = 300
	for _, c := range []struct {
		kind   string
		cv     float64
		found  float64 // least share
		median float64 // greatest median error, in chunks
		p95    float64
	}{
		{"normal", 0.1, 1, 0, 0},
		{"normal", 0.3, 1, 0, 1},
		{"normal", 0.5, 1, 0, 2},
		{"t3", 0.1, 1, 0, 1},
		{"t3", 0.3, 1, 0, 3},
		{"stalls", 0.1, 1, 0, 1},
		{"stalls", 0.3, 0.99, 0, 3},
		{"AR(1) .3", 0.1, 1, 0, 0},
		{"AR(1) .3", 0.3, 0.97, 0, 2},
		{"AR(1) .6", 0.1, 1, 0, 1},
	} {
		rng := rand.New(rand.NewPCG(7, 1))
		var errs []float64
		more, inRange := 0, 0
		for range runs {
			y := NoiseOfKind(c.kind, rng, 160)
			for i := range y {
				level := 2.3
				if i >= 60 {
					level = 0.66
				}
				y[i] = level * math.Exp(c.cv*y[i])
			}
			levels := ChangePoints(y, ChangeOptions{}).Levels
			if len(levels) > 2 {
				more++
			}
			if len(levels) > 1 {
				l := levels[1]
				errs = append(errs, math.Abs(float64(l.From-60)))
				if l.Earliest <= 60 && 60 <= l.Latest {
					inRange++
				}
			}
		}
		q := Quantiles(errs, 0.5, 0.95, 1)
		found := float64(len(errs)) / runs
		t.Logf("%-8s cv=%.1f: found %.3f, error median %.0f, 95 %% %.0f, worst %.0f; %d with more changes; in range %.3f",
			c.kind, c.cv, found, q[0], q[1], q[2], more, float64(inRange)/float64(len(errs)))
		if found < c.found || q[0] > c.median || q[1] > c.p95 {
			t.Errorf("%s, cv=%g: found %.3f, error median %g, 95 %% %g", c.kind, c.cv, found, q[0], q[1])
		}
		if more > runs/50 {
			t.Errorf("%s, cv=%g: %d of %d with further changes", c.kind, c.cv, more, runs)
		}
		if c.kind == "normal" && float64(inRange) < 0.93*float64(len(errs)) {
			t.Errorf("%s, cv=%g: the range given holds the change in %d of %d", c.kind, c.cv, inRange, len(errs))
		}
	}
}

// TestChangePointsShortSeries: a file of a few GiB has few chunks.
func TestChangePointsShortSeries(t *testing.T) {
	const runs = 200
	for _, c := range []struct {
		n, at     int
		ratio, cv float64
		found     float64 // least share, found within one chunk
	}{
		{12, 6, 3.5, 0.1, 0.85},
		{20, 5, 3.5, 0.1, 0.88},
		{20, 15, 3.5, 0.2, 0.8},
		{30, 12, 1.5, 0.05, 0.97},
		{40, 25, 1.3, 0.05, 0.97},
	} {
		rng := rand.New(rand.NewPCG(10, uint64(c.n)))
		found := 0
		for range runs {
			y := NoiseOfKind("normal", rng, c.n)
			for i := range y {
				y[i] = math.Exp(c.cv * y[i])
				if i >= c.at {
					y[i] /= c.ratio
				}
			}
			if at := cuts(ChangePoints(y, ChangeOptions{})); len(at) == 1 && max(at[0]-c.at, c.at-at[0]) <= 1 {
				found++
			}
		}
		rate := float64(found) / runs
		t.Logf("%d of %d, ratio %g, cv %g: %.3f", c.at, c.n, c.ratio, c.cv, rate)
		if rate < c.found {
			t.Errorf("%d of %d, ratio %g, cv %g: found in %.3f", c.at, c.n, c.ratio, c.cv, rate)
		}
	}
}

// A limit that lets a burst through before it holds, or as it ends: up to four wild chunks in a row are no level, and
// hide nothing of what comes before or after them.
func TestChangePointsBesideABurst(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, burst := range [][]float64{{3392, 443, 14, 676}, {443, 14, 676}, {676}, {1148, 1148, 1148}, {1148, 1148}} {
		for range 50 {
			levels := make([]float64, 44)
			for i := range levels {
				levels[i] = 41 * math.Exp(0.02*rng.NormFloat64())
				if i >= 20 {
					levels[i] *= 16.5 / 41
				}
			}
			for _, c := range []struct {
				y  []float64
				at int
			}{{slices.Concat(burst, levels), len(burst) + 20}, {slices.Concat(levels, burst), 20},
				{slices.Concat(levels[8:29], burst[:min(len(burst), 3)]), 12}} {
				if got, want := fmt.Sprint(cuts(ChangePoints(c.y, ChangeOptions{}))), fmt.Sprint([]int{c.at}); got != want {
					t.Fatalf("changes at %s, want %s in %.4g", got, want, c.y)
				}
			}
		}
	}
}

func TestChangePointsLevels(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	y := make([]float64, 120)
	for i := range y {
		level := []float64{2.3, 2.1, 0.66, 1.4}[i/30] // 2.3 and 2.1 are less than 15 % apart
		y[i] = level * math.Exp(0.01*rng.NormFloat64())
	}
	c := ChangePoints(y, ChangeOptions{})
	if got := fmt.Sprint(cuts(c)); got != "[60 90]" {
		t.Fatalf("changes at %s, want [60 90]", got)
	}
	Check(t, "first level", c.Levels[0].Median, 2.2, 0.05)
	Check(t, "second level", c.Levels[1].Median, 0.66, 0.02)
	Check(t, "ratio", c.Levels[2].Ratio, 1.4/0.66, 0.03)
	if c.Levels[1].P > 1e-10 {
		t.Errorf("P = %g", c.Levels[1].P)
	}
	if got := fmt.Sprint(cuts(ChangePoints(y, ChangeOptions{MinRatio: 1.05}))); got != "[30 60 90]" {
		t.Errorf("with a finer ratio: changes at %s, want [30 60 90]", got)
	}
}

func BenchmarkChangePoints(b *testing.B) {
	for _, n := range []int{160, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(9, 1))
			y := make([]float64, n)
			for i := range y {
				y[i] = math.Exp(0.1 * rng.NormFloat64())
				if i > n/3 {
					y[i] /= 3
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				ChangePoints(y, ChangeOptions{})
			}
		})
	}
}

// cuts are the indices at which a new level begins.
func cuts(c changes) (list []int) {
	for _, l := range c.Levels[min(1, len(c.Levels)):] {
		list = append(list, l.From)
	}
	return list
}
