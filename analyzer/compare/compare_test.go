package compare

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/trace"
)

const (
	kib = 1 << 10
	mib = 1 << 20
)

func base() baseline.Step {
	return baseline.Step{Name: "base", Op: baseline.Write, Access: baseline.Sequential, Block: 64 * kib, Depth: 4,
		Threads: 1,
		Cache:   baseline.Direct, FileSize: 64 * mib}
}

func side(t testing.TB, step baseline.Step) *Side {
	return FromProfile(step.Name, synthesize(t, &baseline.Pattern{Steps: []baseline.Step{step}}).profile())
}

func codes(ds []*Dimension) []string {
	all := []string{}
	for _, d := range ds {
		if !d.Outcome {
			all = append(all, d.Code)
		}
	}
	return all
}

func lookup(t *testing.T, name string) *baseline.Pattern {
	found, err := baseline.Lookup(name)
	check(t, err)
	if len(found) != 1 {
		t.Fatalf("%s names %d patterns", name, len(found))
	}
	return &found[0]
}

func TestSelfComparisonIsExactlyOne(t *testing.T) {
	for _, name := range []string{"adm/seq1m-qd8/write", "cdm@9/default/rnd4k-q1t1/mix", "copy/loop-128k", "copy/clone",
		"dd/zero-fdatasync"} {
		declared := FromPattern(lookup(t, name))
		traced := FromProfile(name, synthesize(t, lookup(t, name)).profile())
		many := Join(slices.Repeat([]*Side{traced}, 6))
		for _, s := range []*Side{declared, traced, many} {
			c := Compare(s, s)
			if *c.Similarity != 1 || len(c.Different()) != 0 {
				t.Errorf("%s (%s) with itself: similarity %v, different %v", name, s.Kind, *c.Similarity, codes(c.Different()))
			}
			for _, d := range c.Dimensions {
				if d.Distance != nil && *d.Distance != 0 || d.P != nil && *d.P < 1 {
					t.Errorf("%s with itself: %s has distance %v, p %v", name, d.Code, *d.Distance, d.P)
				}
			}
		}
	}
}

func TestSequentialAgainstRandomNamesEveryDifference(t *testing.T) {
	want := []string{"call_size", "call_depth", "locality", "run_length"}
	seq, rnd := lookup(t, "adm/seq1m-qd8/read"), lookup(t, "adm/rnd4k-qd1/read")
	for _, c := range []*Comparison{
		Compare(FromPattern(rnd), FromPattern(seq)),
		Compare(FromProfile("rnd", synthesize(t, rnd).profile()), FromProfile("seq", synthesize(t, seq).profile())),
		Compare(FromProfile("rnd", synthesize(t, rnd).profile()), FromPattern(seq)),
	} {
		if got := codes(c.Different()); !slices.Equal(got, want) {
			t.Errorf("%s against %s differ in %v, want %v", c.Subject.Name, c.Reference.Name, got, want)
		}
	}
	c := Compare(FromProfile("rnd", synthesize(t, rnd).profile()), FromPattern(seq))
	for code, effect := range map[string]string{
		"call_size":  "4 KiB vs 1 MiB (256 × smaller)",
		"call_depth": "1 vs 8 in flight",
		"locality":   "random vs sequential",
	} {
		if got := c.Find(code).Effect; got != effect {
			t.Errorf("%s: %q, want %q", code, got, effect)
		}
	}
}

// Workloads that differ in one thing differ in its dimension and in no other.
func TestOneDifferenceIsNamed(t *testing.T) {
	reference := side(t, base())
	for name, change := range map[string]struct {
		with func(*baseline.Step)
		want []string
	}{
		"call_size":  {func(s *baseline.Step) { s.Block = 8 * kib }, []string{"call_size"}},
		"call_depth": {func(s *baseline.Step) { s.Depth = 1 }, []string{"call_depth"}},
		"read_mix":   {func(s *baseline.Step) { s.Op = baseline.Read }, []string{"read_mix"}},
		"locality":   {func(s *baseline.Step) { s.Access = baseline.Random }, []string{"locality", "run_length"}},
		"cache_mode": {func(s *baseline.Step) { s.Cache = baseline.Buffered }, []string{"cache_mode"}},
		"sync":       {func(s *baseline.Step) { s.Sync = baseline.SyncEvery; s.Every = 16 }, []string{"sync"}},
		"dsync":      {func(s *baseline.Step) { s.Sync = baseline.SyncWrite }, []string{"sync"}},
		"busy_share": {func(s *baseline.Step) { s.Burst = &baseline.Burst{Bytes: 8 * mib, Count: 8, Duty: 0.2} },
			[]string{"busy_share"}},
		"nothing": {func(*baseline.Step) {}, []string{}},
	} {
		step := base()
		step.Name = name
		change.with(&step)
		c := Compare(reference, side(t, step))
		got := codes(c.Different())
		if !slices.Equal(got, change.want) {
			t.Errorf("%s: different %v, want %v", name, got, change.want)
		}
	}
}

func drawPoints(t *rapid.T, name string) []Point {
	s := spread{}
	for range rapid.IntRange(1, 12).Draw(t, name+" n") {
		s.add(math.Trunc(math.Exp2(rapid.Float64Range(0, 35).Draw(t, name))),
			rapid.Float64Range(0.001, 1).Draw(t, name+" weight"))
	}
	return s.value(Value{}).Points
}

func TestDistancesAreSymmetricAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPoints(t, "a"), drawPoints(t, "b")
		k := &kinds[rapid.SampledFrom([]int{callSize, callDepth, thinkTime, readLatency}).Draw(t, "kind")]
		x, y := pointDistance(a, b, k), pointDistance(b, a, k)
		if math.Abs(x.all-y.all) > 1e-9 || math.Abs(x.js-y.js) > 1e-9 || math.Abs(x.w1-y.w1) > 1e-9*(1+x.w1) ||
			math.Abs(x.doublings-y.doublings) > 1e-9 {
			t.Fatalf("not symmetric: %+v, %+v", x, y)
		}
		if !(x.all >= 0 && x.all <= 1 && x.js >= 0 && x.js <= 1+1e-12 && x.w1 >= 0 && x.doublings >= 0) {
			t.Fatalf("out of range: %+v", x)
		}
		if self := pointDistance(a, a, k); self.all != 0 || self.w1 != 0 {
			t.Fatalf("distance to itself: %+v", self)
		}
		p, q := portions{{"x", rapid.Float64Range(0, 1).Draw(t, "p")}, {"y", 1}}.value(Value{}),
			portions{{"x", rapid.Float64Range(0, 1).Draw(t, "q")}, {"y", 1}}.value(Value{})
		if d, e := shareDistance(&p, &q), shareDistance(&q, &p); math.Abs(d.all-e.all) > 1e-9 || d.all < 0 || d.all > 1 {
			t.Fatalf("shares: %+v, %+v", d, e)
		}
	})
}

// A shift by a factor is as many doublings, wherever it happens; and the more
// doublings, the larger the distance.
func TestDistanceGrowsWithTheShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := math.Exp2(rapid.Float64Range(0, 16).Draw(t, "value"))
		k, last := &kinds[callSize], 0.0
		for shift := 0.25; shift <= 8; shift += 0.25 {
			d := pointDistance([]Point{{v, 1}}, []Point{{v * math.Exp2(shift), 1}}, k)
			if math.Abs(d.doublings-shift) > 1e-9 {
				t.Fatalf("%v doublings instead of %v", d.doublings, shift)
			}
			if shift == math.Trunc(shift) { // between whole ones it depends on where bins end
				if d.all < last {
					t.Fatalf("%v at a shift of %v, %v before", d.all, shift, last)
				}
				last = d.all
			}
		}
	})
}

func TestSimilarityIsBounded(t *testing.T) {
	groups := Groups(baseline.Catalogue())
	for _, a := range groups {
		for _, b := range groups {
			x, y := Compare(a[0], b[0]), Compare(b[0], a[0])
			if math.Abs(*x.Similarity-*y.Similarity) > 1e-12 || !(*x.Similarity > 0 && *x.Similarity <= 1) {
				t.Fatalf("%s and %s: %v, the other way %v", a[0].Name, b[0].Name, *x.Similarity, *y.Similarity)
			}
			product := 1.0
			for _, d := range x.Dimensions {
				if d.Factor != nil {
					product *= *d.Factor
				}
			}
			if product != *x.Similarity {
				t.Fatalf("the parts make %v, not %v", product, *x.Similarity)
			}
			if (*x.Similarity == 1) != (a[0] == b[0]) {
				t.Fatalf("%s and %s: similarity %v", a[0].Name, b[0].Name, *x.Similarity)
			}
		}
	}
}

func TestMissingDataIsNotCompared(t *testing.T) {
	reference := side(t, base())
	for _, test := range []struct {
		name   string
		change func(*synthesis)
		want   []string
		reason string
	}{
		{"no privilege", func(s *synthesis) {
			s.limits = []trace.Limit{{Code: "no_requests", Text: "needs root"}}
		}, []string{"request_size", "request_depth", "request_latency"}, "x: not recorded (needs root)"},
		{"no durations", func(s *synthesis) { s.limits = []trace.Limit{trace.LimitNoDurations.Limit()} },
			[]string{"call_depth", "request_depth", "busy_share", "think_time", "metadata_share", "read_latency",
				"write_latency", "request_latency"}, "x: not recorded (How long calls or requests took is not seen)"},
		{"no times", func(s *synthesis) { s.limits = []trace.Limit{trace.LimitNoTimes.Limit()} },
			[]string{"call_depth", "request_depth", "busy_share", "think_time", "wall_time", "durable_time", "throughput",
				"durable_throughput"}, "x: not recorded (When calls or requests began is not seen"},
		{"interrupted", func(s *synthesis) { s.cut = true },
			[]string{"request_size", "request_depth", "think_time", "sync", "metadata_share", "wall_time", "durable_time",
				"throughput", "durable_throughput",
				"read_latency", "request_latency"}, "the trace was interrupted"},
		{"lossy", func(s *synthesis) { s.lost = 1 << 20 },
			[]string{"call_size", "call_depth", "read_mix", "locality", "run_length", "busy_share",
				"think_time", "cache_mode", "interface", "sync", "metadata_share", "throughput", "durable_throughput",
				"read_latency", "write_latency"}, "events were lost"},
		{"few lost", func(s *synthesis) { s.lost = 1 }, nil, ""},
	} {
		step := base()
		s := synthesize(t, &baseline.Pattern{Steps: []baseline.Step{step}})
		test.change(s)
		c := Compare(reference, FromProfile("x", s.profile()))
		var got []string
		for _, d := range c.Dimensions {
			if d.Verdict == "?" {
				got = append(got, d.Code)
				if !strings.Contains(d.Reason, test.reason) || d.Distance != nil || d.Factor != nil {
					t.Errorf("%s: %s is %+v", test.name, d.Code, d)
				}
			}
		}
		if (c.Similarity == nil) != (test.name == "lossy") {
			t.Errorf("%s: similarity %v", test.name, c.Similarity)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: not compared %v, want %v", test.name, got, test.want)
		}
		if !strings.Contains(test.reason, "not recorded") && len(c.Subject.Warnings) == 0 {
			t.Errorf("%s: no warning", test.name)
		}
	}
}

func TestDeclaredValuesAreNeverInvented(t *testing.T) {
	for _, p := range baseline.Catalogue() {
		s := FromPattern(&p)
		for _, i := range []int{requestSize, requestDepth, thinkTime, throughput, durableThroughput, readLatency,
			writeLatency, requestLatency} {
			if v := s.values[i]; v.State != Unknown || v.Reason != "not declared" || len(v.Points) > 0 {
				t.Fatalf("%s declares %s: %+v", p.Name, kinds[i].code, v)
			}
		}
		for i, v := range s.values {
			sum := 0.0
			for _, p := range v.Points {
				sum += p.Weight
			}
			for _, p := range v.Shares {
				sum += p.Share
			}
			if v.State == Known && math.Abs(sum-1) > 1e-9 {
				t.Fatalf("%s, %s: weights add up to %v", p.Name, kinds[i].code, sum)
			}
		}
	}
}

// The depth at the device is that of the time in which it had something to do.
func TestDepthOfRecordedBench(t *testing.T) {
	p := *lookup(t, "adm/seq1m-qd8/read")
	depth := func(q baseline.Requests) *float64 {
		r := &baseline.Report{Patterns: []baseline.PatternResult{{Pattern: p,
			Places: []baseline.PlaceResult{{Steps: []baseline.StepResult{{Step: "read",
				Runs: []baseline.RunResult{{Counted: true, ActiveNS: 1e9, Achieved: 1, Requests: &q}}}}}}}}}
		v := FromBench("x.json", r)[0].values[requestDepth]
		v.settle(&kinds[requestDepth])
		return v.Typical
	}
	if got := depth(baseline.Requests{MeanDepth: 0.5, BusyNS: 25e7}); got == nil || math.Abs(*got-2) > 1e-9 {
		t.Errorf("half a request on average, in a quarter of the time: depth %v, want 2", got)
	}
	if got := depth(baseline.Requests{MeanDepth: 0.5}); got != nil {
		t.Errorf("how long it was busy is not known: depth %v", *got)
	}
}

func TestBenchResultKeepsRunsApart(t *testing.T) {
	p := *lookup(t, "adm/seq1m-qd8/read")
	r := &baseline.Report{Patterns: []baseline.PatternResult{{Pattern: p,
		Places: []baseline.PlaceResult{{Place: "/x", Steps: []baseline.StepResult{{Step: "read"}}}}}}}
	runs := &r.Patterns[0].Places[0].Steps[0].Runs
	for i := range 7 {
		*runs = append(*runs, baseline.RunResult{Run: i, Counted: i > 0, ActiveNS: int64(time.Second), ReadBytes: 1e9,
			Rate: int64(i) * 1e8, Achieved: 7.5,
			Latency: map[string]baseline.Latency{"read": {N: 100, Min: 1e6, P50: 2e6, P90: 3e6, P99: 4e6, P999: 5e6, Max: 6e6}}})
	}
	sides := FromBench("x.json", r)
	if len(sides) != 1 || sides[0].Runs != 6 || sides[0].Name != "x.json#adm/default/seq1m-qd8/read" {
		t.Fatalf("%+v", sides)
	}
	if got := sides[0].values[throughput].Samples; !slices.Equal(got, []float64{1e8, 2e8, 3e8, 4e8, 5e8, 6e8}) {
		t.Errorf("rates of the runs: %v", got)
	}
	v := sides[0].values[readLatency]
	for q, want := range map[float64]float64{0.5: 2e6, 0.9: 3e6, 0.99: 4e6, 1: 6e6} {
		if got := v.quantile(q); math.Abs(got/want-1) > 1e-6 {
			t.Errorf("quantile %v of the latency is %v, want %v", q, got, want)
		}
	}
	if c := Compare(sides[0], FromPattern(&p)); c.Subject != sides[0] || c.Find("call_size").Verdict != "same" ||
		c.Find("request_size").Verdict != "?" {
		t.Errorf("against its pattern: %v", codes(c.Different()))
	}
	if got := *Compare(sides[0], sides[0]).Similarity; got != 1 {
		t.Errorf("similarity with itself %v", got)
	}
}

// The pauses between calls stand beside those of a benchmark, each kind by itself, and count in no similarity: of an
// imposed 3 µs before each write and 250 µs before each next read a benchmark with one operation at a time has nearly
// none, and one with eight has none.
func TestGapsStandBesideThoseOfABenchmark(t *testing.T) {
	side := &Side{Name: "copy", Kind: Trace, Profile: nil}
	s := spread{}
	s.times(&profile.Dist{Count: 10, Min: 250e3, P10: 250e3, P50: 250e3, P90: 250e3, P99: 250e3, P999: 250e3, Max: 250e3,
		Bins: []profile.Bin{{From: 229376, To: 262144, Count: 10}}})
	for i := range side.values {
		side.values[i] = unknown("not recorded")
	}
	side.values[gapWriteRead] = s.value(none("x"))
	side.values[gapReadWrite] = none("no such pause")
	for _, test := range []struct {
		pattern string
		latency int64
		gap     float64
	}{{"copy/loop-1m", 1e6, 20e3}, {"adm/seq1m-qd8/read", 1e6, -1}} {
		found, err := baseline.Lookup(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		p := found[0]
		l := baseline.Latency{N: 100, Min: test.latency, P50: test.latency, P90: test.latency, P99: test.latency,
			P999: test.latency, Max: test.latency, Mean: test.latency}
		run := baseline.RunResult{Counted: true, ActiveNS: 202e6, WriteOps: 100, WriteBytes: 100 << 20, Rate: 5e8,
			Latency: map[string]baseline.Latency{"read": l, "write": l}}
		r := &baseline.Report{Patterns: []baseline.PatternResult{{Pattern: p, Places: []baseline.PlaceResult{
			{Steps: []baseline.StepResult{
				{Step: p.Steps[0].Name, Runs: []baseline.RunResult{run}}}}}}}}
		c := Compare(side, FromBench("results.json", r)[0])
		d := c.Find("gap_write_read")
		switch {
		case d == nil:
			t.Fatalf("%s: no gap among %d dimensions", test.pattern, len(c.Dimensions))
		case test.gap < 0 && (d.Reference.State != None || d.Verdict != "differs"),
			test.gap > 0 && (d.Reference.Typical == nil || *d.Reference.Typical != test.gap || d.Verdict != "differs"):
			t.Errorf("%s: %+v", test.pattern, d)
		}
		if d.Factor != nil || c.Comparable != comparable() {
			t.Errorf("%s: counted: %v of %d", test.pattern, d.Factor, c.Comparable)
		}
	}
}

// comparable is how many dimensions a similarity can rest on.
func comparable() (n int) {
	for i := range kinds {
		if !kinds[i].outcome && !kinds[i].part {
			n++
		}
	}
	return n
}
