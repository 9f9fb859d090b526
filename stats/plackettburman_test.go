package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPlackettBurmanIsOrthogonal(t *testing.T) {
	d := PlackettBurman()
	for f := range 11 {
		for g := range f {
			var seen [2][2]int
			for _, run := range d {
				seen[b2i(run[f])][b2i(run[g])]++
			}
			if seen != [2][2]int{{3, 3}, {3, 3}} {
				t.Errorf("factors %d and %d: %v, want each combination three times", f, g, seen)
			}
		}
	}
	for _, v := range d[PlackettBurmanRuns-1] {
		if v {
			t.Error("the last run must have all factors at the first setting")
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestScreenEffects(t *testing.T) {
	truth := []float64{5, 0, -2, 0, 0, 0, 0.5}
	d := PlackettBurman()
	rng := rand.New(rand.NewPCG(19, 1))
	const noise = 0.3
	measure := func(reps int) [PlackettBurmanRuns][]float64 {
		var y [PlackettBurmanRuns][]float64
		for r, run := range d {
			for range reps {
				v := 10 + noise*rng.NormFloat64()
				for f, effect := range truth {
					if run[f] {
						v += effect
					}
				}
				y[r] = append(y[r], v)
			}
		}
		return y
	}
	for _, reps := range []int{1, 6} {
		var spread []float64
		for range 200 {
			s := ScreenEffects(measure(reps), len(truth))
			if !s.Active(0) || !s.Active(2) {
				t.Fatalf("%d repetitions: large effects not active: %+v", reps, s)
			}
			for f, want := range truth {
				Check(t, "effect", s.Effects[f], want, 6*noise/math.Sqrt(3*float64(reps)))
			}
			spread = append(spread, s.Noise)
		}
		// An effect is the difference of two means of six runs.
		want := noise * math.Sqrt(2.0/6/float64(reps))
		Check(t, "noise", Median(spread)/want, 1, 0.12)
	}
	if s := ScreenEffects(measure(1), 11); !math.IsNaN(s.Noise) || len(s.Effects) != 11 {
		t.Errorf("eleven factors, no repetitions: %+v", s)
	}
	var none [PlackettBurmanRuns][]float64
	if s := ScreenEffects(none, 3); s.Effects != nil {
		t.Errorf("no measurements: %+v", s)
	}
}
