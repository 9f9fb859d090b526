package gap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/stats"
)

// named makes factors that change nothing, for tables that are made up.
func named(k int) []Factor {
	all := make([]Factor, k)
	for i := range all {
		all[i] = Factor{ID: fmt.Sprintf("F%d", i), apply: func(*Setting) {}}
	}
	return all
}

// measure makes the runs of a factorial of a device that takes value(mask)
// seconds per GB with relative noise.
func measure(k, blocks int, seed uint64, noise float64, value func(mask int) float64) []Measured {
	rng := rand.New(rand.NewPCG(seed, 1))
	var runs []Measured
	for _, r := range Factorial(k, blocks, seed) {
		runs = append(runs, Measured{Run: r, Bytes: 1e9, Seconds: value(r.Mask) * math.Exp(noise*rng.NormFloat64())})
	}
	return runs
}

func TestToyTable(t *testing.T) {
	table := []float64{0b000: .2, 0b001: .3, 0b010: .25, 0b100: .5, 0b011: .45, 0b101: .7, 0b110: .6, 0b111: 1.0}
	e := Explain(named(3), measure(3, 6, 1, 0, func(m int) float64 { return table[m] }), 1, .2, stats.Resampling{})
	for i, want := range []float64{.233333, .158333, .408333} {
		near(t, e.Factors[i].ID, e.Factors[i].Phi, want, 1e-6)
	}
	near(t, "gap", e.Gap, .8, 1e-12)
	near(t, "residual", e.Residual, 0, 1e-12)
	if !e.Ranked {
		t.Error("refused without a reason:", e.Refusals)
	}
	if got := fmt.Sprint(e.Ranking()); got != "[2 0 1]" {
		t.Error("ranking", got)
	}
}

// TestAxioms: additive tables give single effects without an order range,
// factors without effect get nothing, alike factors alike, and the sum is the gap.
func TestAxioms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 4).Draw(t, "k")
		effects := rapid.SliceOfN(rapid.Float64Range(0, 5), k, k).Draw(t, "effects")
		effects[0] = 0 // a dummy
		if k > 2 {
			effects[2] = effects[1]
		}
		base := rapid.Float64Range(0.1, 3).Draw(t, "base")
		value := func(mask int) float64 {
			v := base
			for i, x := range effects {
				if mask>>i&1 == 1 {
					v += x
				}
			}
			return v
		}
		e := Explain(named(k), measure(k, 6, 1, 0, value), value(1<<k-1), base, stats.Resampling{N: 50})
		sum := 0.0
		for i, c := range e.Factors {
			sum += c.Phi
			if math.Abs(c.Phi-effects[i]) > 1e-9 || c.Greatest-c.Least > 1e-9 {
				t.Fatalf("factor %d: %+v, want %v without an order range", i, c, effects[i])
			}
		}
		if math.Abs(sum-e.Gap) > 1e-9 {
			t.Fatalf("parts add up to %v, the gap is %v", sum, e.Gap)
		}
	})
}

// device is a simulated drive: every call costs overhead, bytes go at the rate
// that depth × block / latency allows, at most limit; reading adds its own
// time. In seconds per GB.
func device(mask int) float64 {
	depth, block, read := 8.0, float64(1<<20), mask&4 != 0
	if mask&1 != 0 {
		depth = 1
	}
	if mask&2 != 0 {
		block = 64 << 10
	}
	const overhead, latency, limit, readRate = 5e-6, 200e-6, 2e9, 3e9
	v := 1e9/block*overhead + 1e9/min(depth*block/latency, limit)
	if read {
		v += 1e9 / readRate
	}
	return v
}

// TestSimulatedDevice repeats the experiment on a device with known truth: the
// 95 % intervals cover it about as often as they say, and the parts are right.
func TestSimulatedDevice(t *testing.T) {
	table := make([]float64, 8)
	for m := range table {
		table[m] = device(m)
	}
	truth := stats.Shapley(table)
	covered, closed, drifts, first := make([]int, 3), 0, 0, 0
	const n = 300
	for seed := range uint64(n) {
		e := Explain(named(3), measure(3, 6, seed+100, 0.08, device), device(7), device(0),
			stats.Resampling{N: 400, Seed: seed})
		sum := 0.0
		for i, c := range e.Factors {
			sum += c.Phi
			if c.Low <= truth[i].Phi.Value && truth[i].Phi.Value <= c.High {
				covered[i]++
			}
		}
		if math.Abs(sum-e.Gap) < 1e-9 {
			closed++
		}
		if e.Drift {
			drifts++
		}
		if r := e.Ranking(); len(r) > 0 && r[0] == 1 {
			first++
		}
	}
	t.Logf("of %d experiments: the intervals of the three factors cover the truth in %v, parts add up in %d, drift in "+
		"%d, the request size first in %d", n, covered, closed, drifts, first)
	for i, c := range covered {
		if c < n*91/100 {
			t.Errorf("factor %d: truth in %d of %d intervals", i, c, n)
		}
	}
	if closed != n {
		t.Errorf("parts add up to the gap in %d of %d", closed, n)
	}
	if drifts > n/20 {
		t.Errorf("drift seen in %d of %d experiments without any", drifts, n)
	}
	if truth[1].Phi.Value < truth[0].Phi.Value || first < n*9/10 {
		t.Errorf("the request size comes first in %d of %d", first, n)
	}
}

func TestDrift(t *testing.T) {
	found := 0
	for seed := range uint64(50) {
		runs := measure(3, 6, seed, 0.05, device)
		for i := range runs[len(runs)/2:] {
			runs[len(runs)/2+i].Seconds *= 1.8
		}
		e := Explain(named(3), runs, device(7), device(0), stats.Resampling{N: 50})
		if e.Drift && !e.Ranked && e.Ranking() == nil {
			found++
		}
	}
	if found < 48 {
		t.Errorf("a fall to 1/1.8 in the middle was seen in %d of 50", found)
	}
}

// TestDisturbed: what slowed the machine for a while is found and its blocks are
// named; a device that has changed is not taken for disturbed.
func TestDisturbed(t *testing.T) {
	right, wrong := 0, 0
	for seed := range uint64(50) {
		runs := measure(3, 6, seed, 0.05, device)
		per := len(runs) / 6
		for i := per; i < 3*per; i++ { // the second and third block
			runs[i].Seconds *= 2
		}
		blocks := Disturbed(3, runs)
		rest := Without(runs, blocks)
		if slices.Equal(blocks, []int{1, 2}) && len(rest) == 4*per && !drifted(cellsOf(3, rest), rest) {
			right++
		}
		slower := measure(3, 6, seed, 0.05, device)
		for i := len(slower) / 3; i < len(slower); i++ {
			slower[i].Seconds *= 2
		}
		if Disturbed(3, slower) != nil || Disturbed(3, measure(3, 6, seed, 0.05, device)) != nil {
			wrong++
		}
	}
	if right < 48 || wrong > 1 {
		t.Errorf("two blocks of six were disturbed: found in %d of 50; found where there was none in %d", right, wrong)
	}
}

func TestRefusals(t *testing.T) {
	runs := measure(3, 6, 3, 0.03, device)
	for _, c := range []struct {
		name              string
		recorded, claimed float64
		ranked            bool
	}{
		{"both anchors right", device(7), device(0), true},
		{"benchmark not known", device(7), 0, true},
		{"recording slower than the model", 2 * device(7), device(0), false},
		{"another benchmark", device(7), 1.3 * device(0), false},
	} {
		if e := Explain(named(3), runs, c.recorded, c.claimed, stats.Resampling{N: 100}); e.Ranked != c.ranked {
			t.Errorf("%s: ranked %v, want %v: %q", c.name, e.Ranked, c.ranked, e.Refusals)
		}
	}
	slow := Explain(named(3), runs, 2*device(7), 0, stats.Resampling{N: 100})
	if slow.Replayed(1.02 * device(7)); !slow.Ranked || slow.Ranking() == nil ||
		math.Abs(slow.Moment-0.98*device(7)) > 1e-9 {
		t.Errorf("the disk was slower when it was recorded: %+v", slow)
	}
	if slow.Replayed(2 * device(7)); slow.Ranked || len(slow.Refusals) != 1 {
		t.Errorf("replays miss the cell as well: %q", slow.Refusals)
	}
	small := &Report{Workload: &Workload{Bytes: 4 << 30}}
	small.Conclude(&Experiment{Payload: 1 << 30}, slow)
	if small.Answer.Code != "refused" || !strings.Contains(slow.Refusals[0], "try --size 4GiB") {
		t.Errorf("the cells moved a quarter of the recording: %+v", small.Answer)
	}
	flat := Explain(named(2), measure(2, 6, 4, 0.1, func(int) float64 { return 1 }), 1, 1, stats.Resampling{})
	if flat.Ranked {
		t.Error("a gap within the noise was ranked")
	}
}
