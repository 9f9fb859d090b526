package analyzer

import (
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestCausesAreMadeOfThePath checks that each cause of a recording with a critical path says what its time was, and
// that no two have the same.
func TestCausesAreMadeOfThePath(t *testing.T) {
	t.Parallel()
	p, err := Analyze(filepath.Join("..", "testdata", "path.iotrace"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Verdict.Causes) < 4 || len(p.TimeStack.Parts) == 0 {
		t.Fatalf("%d causes, time stack %+v", len(p.Verdict.Causes), p.TimeStack.Parts)
	}
	type kind struct{ label, within string }
	left := map[kind]int64{}
	var all int64
	for _, x := range p.TimeStack.Parts {
		left[kind{x.Label, x.Within}] = x.NS
		all += x.NS
	}
	if all != p.TimeStack.TotalNS {
		t.Errorf("parts of %d ns, in all %d", all, p.TimeStack.TotalNS)
	}
	for i := range p.Verdict.Causes {
		r := &p.Verdict.Causes[i]
		var sum int64
		for _, x := range r.Parts {
			sum += x.NS
			left[kind{x.Label, x.Within}] -= x.NS
		}
		if rounded := int64(len(p.TimeStack.Parts)); sum < r.TimeNS-rounded || sum > r.TimeNS+rounded {
			t.Errorf("%s takes %d ns, made of %d: %+v", r.Code, r.TimeNS, sum, r.Parts)
		}
	}
	for k, ns := range left {
		if ns < -int64(len(p.Verdict.Causes)) {
			t.Errorf("causes have %d ns more of %v than there is", -ns, k)
		}
	}
	sync := func(r *profile.Reason) (within, other int64) {
		for _, x := range r.Parts {
			if x.Within == "sync" || x.Label == "sync" {
				within += x.NS
			} else {
				other += x.NS
			}
		}
		return within, other
	}
	for i := range p.Verdict.Causes {
		if r := &p.Verdict.Causes[i]; r.Code == "sync" {
			if within, other := sync(r); other > within/100 {
				t.Errorf("of what syncs took, %d ns were no syncs: %+v", other, r.Parts)
			}
		}
	}
}
