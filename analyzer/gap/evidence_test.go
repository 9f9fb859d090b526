package gap

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Each difference but the read side names causes that the verdict has, and several together name those of all.
func TestCausesBehindFactors(t *testing.T) {
	known := map[string]bool{}
	for _, c := range cause.All() {
		known[c.Code] = true
	}
	for id, codes := range behind {
		for _, c := range codes {
			if !known[c] {
				t.Errorf("%s: the verdict has no cause %q", id, c)
			}
		}
	}
	w := &Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: 10, Block: 4096, Depth: 1,
		Random: true, Buffered: true, Fresh: true, Files: 100, Syncs: 50, ThinkSeconds: 5, Compressible: 1, Looks: 2}
	factors := Factors(w, Setting{Write: true, Depth: 8, Block: 1 << 20})
	for _, f := range factors {
		if (len(f.Causes) == 0) != (f.ID == "R") {
			t.Errorf("%s names %v", f.ID, f.Causes)
		}
	}
	effects := make([]float64, len(factors))
	folded := fold(factors, effects, func(int) bool { return false }, 2)
	other := folded[len(folded)-1]
	if other.ID != "other" || !slices.Contains(other.Causes, cause.Sync) ||
		!slices.Contains(other.Causes, cause.DeviceLatency) {
		t.Errorf("%+v", other)
	}
	if each := slices.Compact(slices.Clone(other.Causes)); !slices.Equal(each, other.Causes) {
		t.Errorf("a cause is named twice: %v", other.Causes)
	}
}

// The evidence for a difference is what its causes took of the recorded time, and nothing below a twentieth.
func TestRecordedTimeBehindFactors(t *testing.T) {
	p := &profile.Profile{Verdict: profile.Verdict{Causes: []profile.Reason{
		{Code: cause.Sync, Share: 0.6}, {Code: cause.ThinkTime, Share: 0.2}, {Code: cause.OwnCPU, Share: 0.04},
	}}}
	r := &Report{Causes: causes(p)}
	for id, want := range map[string][]string{"D": {cause.Sync}, "T": {cause.ThinkTime}, "M": nil, "R": nil} {
		var got []string
		for _, c := range r.Recorded(&Factor{ID: id, Causes: causesOf(id)}) {
			got = append(got, c.Code)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

// The difference behind most of the recorded time is in the answer, if one is behind any.
func TestForemostDifference(t *testing.T) {
	r := &Report{Causes: []profile.Reason{{Code: cause.ThinkTime, Share: 0.2}, {Code: cause.Sync, Share: 0.3},
		{Code: cause.DeviceBandwidth, Share: 0.4}}}
	for _, id := range []string{"R", "T", "D"} {
		f := Factor{ID: id, Name: "difference " + id, Workload: "slow", Benchmark: "fast", Causes: causesOf(id)}
		r.Differences = append(r.Differences, f)
	}
	if got := r.foremost(); got != " 30 % of the recorded time goes with difference D: slow instead of fast." {
		t.Error(got)
	}
	r.Causes = r.Causes[2:]
	if got := r.foremost(); got != "" {
		t.Error(got)
	}
}
