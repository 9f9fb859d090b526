package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/stats"
)

// repeated are runs of one workload whose values scatter; the wall time of all is
// multiplied by factor, and the throughput divided by it.
func repeated(rnd *rand.Rand, n int, factor float64, scatter func(*rand.Rand) float64) *Side {
	var all []*Side
	for range n {
		s := &Side{Name: "run", Kind: Trace, Runs: 1}
		outcome := scatter(rnd) * factor
		for i := range kinds {
			noise := scatter(rnd)
			if kinds[i].unit == "share" {
				s.values[i] = portions{{"x", 0.5 * noise}, {"y", 0.5}}.value(Value{})
				continue
			}
			switch i {
			case wallTime, durableTime:
				noise = outcome
			case throughput, durableThroughput:
				noise = 1 / outcome
			}
			s.values[i] = Value{State: Known, Points: []Point{{1e6 * noise, 1}}}
		}
		all = append(all, s)
	}
	return Join(all)
}

// The ways in which runs scatter: by a share, of which now and then one takes twice as
// long, or that take either of two times.
func within(share float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return math.Exp(r.NormFloat64() * share) }
}

func withOutliers(r *rand.Rand) float64 {
	if r.IntN(10) == 0 {
		return 2 * within(0.05)(r)
	}
	return within(0.05)(r)
}

func eitherOf(r *rand.Rand) float64 { return float64(1+r.IntN(2)) * within(0.02)(r) }

// Of two sets of runs of one workload, all dimensions are "~" or "same" but for
// one in twenty comparisons, however many runs and however they scatter.
func TestRunsOfOneWorkloadDoNotDiffer(t *testing.T) {
	for name, scatter := range map[string]func(*rand.Rand) float64{"normal": within(0.1), "outliers": withOutliers,
		"two modes": eitherOf} {
		for _, n := range []int{4, 5, 7} {
			t.Run(fmt.Sprintf("%s %d", name, n), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(7, uint64(n)))
				const trials = 200
				wrong := 0
				for range trials {
					if c := Compare(repeated(rnd, n, 1, scatter), repeated(rnd, n, 1, scatter)); len(c.Different()) > 0 {
						wrong++
					}
				}
				t.Logf("%d of %d comparisons of equals found a difference", wrong, trials)
				if most := atMost(trials, 0.05, 0.999); wrong > most { // of nine such bounds one in 110 would fail at chance
					t.Errorf("%d of %d comparisons of equals found a difference, at one in twenty at most %d do (99.9 %%)",
						wrong, trials, most)
				}
			})
		}
	}
}

// atMost is the number of wrong ones among n independent trials that is not
// exceeded with the given confidence if each is wrong with probability p: the
// quantile of the binomial distribution. 21 for 200 trials at 0.05 and 99.9 %.
func atMost(n int, p, confidence float64) int {
	term := math.Pow(1-p, float64(n)) // P(none)
	sum := term
	for k := 0; k < n; k++ {
		if sum >= confidence {
			return k
		}
		term *= float64(n-k) / float64(k+1) * p / (1 - p)
		sum += term
	}
	return n
}

func TestRunsOfADifferentSpeedDiffer(t *testing.T) {
	for _, test := range []struct {
		runs            int
		factor, scatter float64
		least           int // of 100
	}{
		{4, 3, 0.1, 99}, {5, 2, 0.1, 99}, {5, 1.2, 0.05, 90}, {8, 2, 0.1, 99}, {8, 1.2, 0.05, 99}, {8, 1.2, 0.1, 70},
	} {
		t.Run(fmt.Sprint(test), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(9, 10))
			found, covered, intervals := 0, 0, 0
			for range 100 {
				c := Compare(repeated(rnd, test.runs, 1, within(test.scatter)),
					repeated(rnd, test.runs, test.factor, within(test.scatter)))
				d := c.Find("wall_time")
				if d.Verdict == "differs" && *d.P < significant {
					found++
				}
				if d.Low != nil {
					intervals++
					if *d.Low <= test.factor && *d.High >= test.factor {
						covered++
					}
				}
			}
			t.Logf("found %d of 100", found)
			if found < test.least {
				t.Errorf("found %d of 100, want %d", found, test.least)
			}
			if covered < intervals*88/100 { // 95 % expected; the bootstrap of eight values is a little narrow
				t.Errorf("the interval holds the true ratio in %d of %d", covered, intervals)
			}
		})
	}
}

// What does not scatter at all needs no luck to be seen: other block sizes.
func TestCertainDifferencesExplain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	sized := func(size float64) *Side {
		var all []*Side
		for range 5 {
			s := repeated(rnd, 1, 1, within(0.1))
			s.values[callSize] = Value{State: Known, Points: []Point{{size, 1}}}
			all = append(all, s)
		}
		return Join(all)
	}
	if d := Compare(sized(64<<10), sized(1<<20)).Find("call_size"); d.Verdict != "differs" {
		t.Errorf("calls of 64 KiB and of 1 MiB: %s, p %v", d.Verdict, *d.P)
	}
}

// The least difference that is said to be seen is seen as often as it says.
func TestDetectable(t *testing.T) {
	const trials = 300
	level := significant / outcomeWeight
	for _, n := range []int{4, 5, 8} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(15, uint64(n)))
			shift := stats.LeastShift(n, n, level, seen) * 0.1
			found := 0
			for range trials {
				c := Compare(repeated(rnd, n, 1, within(0.1)), repeated(rnd, n, math.Exp(shift), within(0.1)))
				if c.Find("wall_time").Verdict == "differs" {
					found++
				}
			}
			t.Logf("%.0f %% seen in %d of %d", math.Expm1(shift)*100, found, trials)
			if share := float64(found) / trials; share < 0.72 || share > 0.88 { // three and a half standard errors
				t.Errorf("a difference of %.0f %% is seen in %.2f, said %.2f", math.Expm1(shift)*100, share, seen)
			}
		})
	}
}

// A difference that is certain but hardly one is none.
func TestCertainButSmall(t *testing.T) {
	steady := func(v float64) *Side {
		var all []*Side
		for i := range 6 {
			s := &Side{Name: "run", Kind: Trace, Runs: 1}
			for k := range kinds {
				s.values[k] = none("nothing")
			}
			s.values[callDepth] = Value{State: Known, Points: []Point{{v * (1 + 1e-4*float64(i)), 1}}}
			share := v * (1 + 1e-4*float64(i)) / 4000 // 0.2 %
			s.values[metadataShare] = portions{{"metadata", share}, {"data and sync", 1 - share}}.value(Value{})
			all = append(all, s)
		}
		return Join(all)
	}
	for by, want := range map[float64]string{1.005: "same", 1.05: "differs"} {
		if d := Compare(steady(8*by), steady(8)).Find("call_depth"); d.P == nil || *d.P >= significant || d.Verdict != want {
			t.Errorf("a depth of %v instead of 8: %s, want %s", 8*by, d.Verdict, want)
		}
		if d := Compare(steady(8*by), steady(8)).Find("metadata_share"); d.P == nil || *d.P >= significant ||
			d.Verdict != "same" {
			t.Errorf("a share that is %v times 0.2 %%: %s, want same", by, d.Verdict)
		}
	}
}

func TestFewRunsAreNotTested(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	c := Compare(repeated(rnd, 3, 1, within(0.1)), repeated(rnd, 6, 2, within(0.1)))
	if d := c.Find("wall_time"); d.P != nil || d.Verdict != "differs" {
		t.Errorf("three runs: %+v", d)
	}
	if power := c.Power(); !strings.Contains(power, "too few runs") {
		t.Errorf("three runs: %q", power)
	}
}
