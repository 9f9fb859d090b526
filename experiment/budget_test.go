package experiment

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/gap"
)

// The budget is kept by a smaller payload first and by fewer differences told apart then, and what that leaves out is
// said; without one, runs that are too short to be told apart grow.
func TestExperimentFitsItsBudget(t *testing.T) {
	many := make([]gap.Factor, 6)
	for _, c := range []struct {
		name    string
		budget  time.Duration
		each    time.Duration // for 64 MiB
		factors []gap.Factor
		payload int64
		most    int
		said    []string
	}{
		{"plenty", time.Hour, time.Second, many[:2], 64 << 20, 4, nil},
		{"smaller", time.Minute, 4 * time.Second, many[:2], 16 << 20, 4, []string{"runs move 16.8 MB instead of 67.1 MB"}},
		{"fewer", time.Minute, 80 * time.Second, many, 1 << 20, 2,
			[]string{"runs move", "at most 2 diff", "all repetitions"}},
		{"no budget", 0, 10 * time.Millisecond, many[:2], 512 << 20, 4, nil},
	} {
		d := design{blocks: 6, factors: c.factors, most: gap.MaxFactors, payload: 64 << 20,
			workload: &gap.Workload{Bytes: 1 << 30, Seconds: 3600}}
		f := forecast{limit: time.Hour, pilots: []pilotRun{{payload: 64 << 20, took: c.each}}}
		b := budget{total: c.budget}
		withNothing(d.factors)
		fit(&d, &f, &b, 0, false)
		if d.payload != c.payload || d.most != c.most || len(b.leftOut) != len(c.said) {
			t.Errorf("%s: %d bytes, %d factors, %q", c.name, d.payload, d.most, b.leftOut)
			continue
		}
		for i, s := range c.said {
			if !strings.Contains(b.leftOut[i], s) {
				t.Errorf("%s: no %q in %q", c.name, s, b.leftOut[i])
			}
		}
	}
}

// withNothing makes factors change nothing.
func withNothing(factors []gap.Factor) {
	list := gap.Factors(&gap.Workload{Bytes: 1e9, WriteBytes: 1e9, Seconds: 10, Block: 4096, Depth: 1, Files: 1},
		gap.Setting{Write: true, Depth: 1, Block: 1 << 20})
	for i := range factors {
		factors[i] = list[0]
	}
}

// What was chosen is kept with the runs, as they have to be alike.
func TestThePlanIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, err := openState(path, "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.setPlan(plan{Payload: 5 << 20, Most: 2}); err != nil {
		t.Fatal(err)
	}
	if err := s.add("full", gap.Measured{Seconds: 1, Bytes: 2}); err != nil {
		t.Fatal(err)
	}
	if err := s.release(); err != nil {
		t.Fatal(err)
	}
	if s, err = openState(path, "key", nil); err != nil || s.plan == nil || s.plan.Payload != 5<<20 || s.count() != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	if err := s.drop(); err != nil {
		t.Fatal(err)
	}
}

// Cells between the ends may take longer than both.
func TestCellsBetweenTheEnds(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		took []time.Duration
		want float64
	}{
		{[]time.Duration{s, s, s, s}, 1},
		{[]time.Duration{s, 5 * s, 5 * s, s}, 2},
		{[]time.Duration{s, 0, 0, 3 * s}, 1},
		{[]time.Duration{s, 0, 0, 0}, 1},
	} {
		if got := longer(c.took); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%v: %v, want %v", c.took, got, c.want)
		}
	}
}
