package generator

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

const (
	mb = 1e6
	gb = 1e9
)

// fakePass makes a pass of files of 100 MB whose rate falls from fast to slow after
// at bytes, with noise of 5 %.
func fakePass(name string, files int, at int64, fast, slow float64, seed uint64) baseline.Pass {
	rng := rand.New(rand.NewPCG(seed, 0))
	p := baseline.Pass{Name: name, Duty: 1}
	var start, written int64
	for range files {
		rate := fast
		if written >= at {
			rate = slow
		}
		rate *= 1 + 0.05*rng.NormFloat64()
		f := baseline.SustainedFile{StartNS: start, Bytes: 100 * mb, Rate: int64(rate),
			ActiveNS: int64(100 * mb / rate * 1e9)}
		p.Files = append(p.Files, f)
		start += f.ActiveNS
		written += f.Bytes
	}
	return p
}

func concluded(passes ...baseline.Pass) *baseline.SustainedReport {
	r := &baseline.SustainedReport{FileBytes: 100 * mb, TotalBytes: 16 * gb, Passes: passes}
	concludeSustained(r)
	return r
}

const never = math.MaxInt64

func thermal(transitions, seconds int64) *baseline.Thermal {
	return &baseline.Thermal{Source: "nvme_smart", Transitions: &transitions, ThrottleSeconds: &seconds}
}

func TestOnset(t *testing.T) {
	for _, at := range []int64{2 * gb, 8 * gb, 15 * gb} {
		r := concluded(fakePass("full", 160, at, 2.3e9, 0.66e9, uint64(at)))
		o := r.Passes[0].Onset
		if o == nil || o.Bytes < at-100*mb || o.Bytes > at+100*mb {
			t.Errorf("a drop at %d was found at %+v", at, o)
			continue
		}
		if math.Abs(float64(o.Before)/2.3e9-1) > 0.03 || math.Abs(float64(o.After)/0.66e9-1) > 0.03 {
			t.Errorf("levels %d and %d, not 2.3 and 0.66 GB/s", o.Before, o.After)
		}
		if want := r.Passes[0].Files[o.Bytes/(100*mb)].StartNS; math.Abs(float64(o.NS-want)) > 0.01*float64(want) {
			t.Errorf("onset at %d ns, the file there began at %d ns", o.NS, want)
		}
	}
}

func TestNoOnsetWhereThereWasNone(t *testing.T) {
	for seed := range uint64(50) {
		if r := concluded(fakePass("full", 160, never, 1e9, 0, seed)); r.Verdict.Throttled {
			t.Errorf("seed %d: throttled at %+v", seed, r.Passes[0].Onset)
		}
	}
	// A drive that gets faster did not throttle.
	if r := concluded(fakePass("full", 160, 8*gb, 1e9, 2e9, 1)); r.Verdict.Throttled || len(r.Passes[0].Levels) != 2 {
		t.Errorf("a rise is not a drop: %+v", r.Passes[0].Levels)
	}
}

// What comes and goes is no onset, and does not hide one.
func TestOnsetLasts(t *testing.T) {
	dip := fakePass("full", 160, never, 2e9, 0, 7)
	for i := 40; i < 60; i++ {
		dip.Files[i].Rate /= 3
	}
	if r := concluded(dip); r.Verdict.Throttled || len(r.Passes[0].Levels) != 3 {
		t.Errorf("a dip is not throttling: %+v of %+v", r.Passes[0].Onset, r.Passes[0].Levels)
	}
	falls := fakePass("full", 160, 10*gb, 2e9, 0.5e9, 8)
	for i := range 30 {
		falls.Files[i].Rate = falls.Files[i].Rate * 5 / 4
	}
	if o := concluded(falls).Passes[0].Onset; o == nil || o.Bytes < 10*gb-100*mb || o.Bytes > 10*gb+100*mb {
		t.Errorf("the fall at 10 GB was found at %+v", o)
	}
}

// A pass that is slow for less than a second until it ends has not shown that it
// stays so: 20 files at 2.5 or at 0.25 GB/s.
func TestOnsetTakesASecond(t *testing.T) {
	for fast, want := range map[float64]bool{50e9: false, 5e9: true} {
		r := concluded(fakePass("full", 100, 8*gb, fast, fast/20, 9))
		if len(r.Passes[0].Levels) != 2 || r.Verdict.Throttled != want {
			t.Errorf("from %.1f GB/s: throttled: %v, want %v; %+v", fast/1e9, r.Verdict.Throttled, want, r.Passes[0].Levels)
		}
	}
}

// A cause is named only when the evidence leaves no other.
func TestVerdicts(t *testing.T) {
	full := fakePass("full", 160, 6*gb, 2e9, 0.5e9, 1)
	same := fakePass("half", 160, 6*gb, 2e9, 0.5e9, 2)
	later := fakePass("half", 160, 12*gb, 2e9, 0.5e9, 3)
	none := fakePass("half", 160, never, 2e9, 0, 4)
	hot, cool := full, full
	hot.Before, hot.After = thermal(3, 100), thermal(4, 130)
	cool.Before, cool.After = thermal(3, 100), thermal(3, 100)
	for _, c := range []struct {
		name       string
		passes     []baseline.Pass
		cause      string
		candidates int
		experiment bool
	}{
		{"one pass decides nothing", []baseline.Pass{full}, "", 3, true},
		{"the same bytes are a cache", []baseline.Pass{full, same}, "cache", 0, false},
		{"later may be heat or a cache that drains", []baseline.Pass{full, later}, "", 2, true},
		{"never may be heat or a cache that drains", []baseline.Pass{full, none}, "", 2, true},
		{"counters show heat", []baseline.Pass{hot}, "heat", 3, false},
		{"counters exclude heat", []baseline.Pass{cool}, "", 2, true},
		{"without heat later is a cache that drains", []baseline.Pass{cool, later}, "", 1, false},
	} {
		v := concluded(c.passes...).Verdict
		if v.Cause != c.cause || len(v.Candidates) != c.candidates || (v.Experiment != "") != c.experiment {
			t.Errorf("%s: %+v", c.name, v)
		}
		if c.cause != "" && len(v.Evidence) == 0 {
			t.Errorf("%s: a cause without evidence", c.name)
		}
	}
}
