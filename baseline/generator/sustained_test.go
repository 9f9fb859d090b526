package generator

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/report/benchmarks"
)

func TestSustainedRun(t *testing.T) {
	dir := t.TempDir()
	s, err := NewSustained(SustainedConfig{Dir: dir, Total: 24 * mib, FileSize: mib, HalfRate: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	r, err := s.Run(context.Background(), func(baseline.SustainedProgress) { calls++ })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Passes) != 2 || len(r.Passes[0].Files) != 24 || len(r.Passes[1].Files) != 24 || calls != 48 {
		t.Errorf("%d passes, %d progress calls", len(r.Passes), calls)
	}
	for _, f := range r.Passes[1].Files {
		if f.Bytes != mib || f.Rate != baseline.PerSecond(f.Bytes, f.ActiveNS) {
			t.Errorf("file %+v", f)
		}
	}
	var text strings.Builder
	if err := benchmarks.WriteSustained(&text, r); err != nil || !strings.Contains(text.String(),
		"Full rate: 25.2 MB in 24 files") {
		t.Errorf("text (%v):\n%s", err, text.String())
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
	if _, err := NewSustained(SustainedConfig{Dir: dir, Total: 5 * mib, FileSize: mib}); err == nil ||
		!strings.Contains(err.Error(), "too few") {
		t.Errorf("five files: %v", err)
	}
}
