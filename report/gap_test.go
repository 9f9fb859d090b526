package report

import (
	"encoding/json"
	"strings"
	"testing"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
	"github.com/iotrace/iotrace/stats"
)

// gapReport is an explanation made from a table that is known: reading costs
// 0.8 s per GB, small blocks 0.2, and both nothing beyond that.
func gapReport(t *testing.T, recorded float64) *explain.Report {
	t.Helper()
	w := &explain.Workload{Bytes: 1e9, ReadBytes: 1e9, WriteBytes: 1e9, CallBytes: 2e9, Seconds: recorded, Files: 1, Block: 64 << 10, MeanBlock: 64 << 10, Depth: 8, Latency: 1e-3}
	bench := explain.Setting{Write: true, Depth: 8, Block: 1 << 20}
	p := &profile.Profile{Trace: profile.Trace{File: "evil\x1b[31m</title>.iotrace"}}
	r := explain.Views(p, w, bench, explain.Benchmark{})
	r.Against = "cdm@9/default/seq1m-q8t1/write"
	var runs []explain.Measured
	for i, x := range explain.Factorial(len(r.Differences), 6, 1) {
		v := 0.25 + float64(i%3)*0.002
		if x.Mask&1 == 1 {
			v += 0.8
		}
		if x.Mask&2 == 2 {
			v += 0.2
		}
		runs = append(runs, explain.Measured{Run: x, Seconds: v, Bytes: 1e9})
	}
	r.Conclude(&explain.Experiment{Dir: "/mnt", Payload: 1e9, Runs: runs}, explain.Explain(r.Differences, runs, recorded, 0, stats.Resampling{}))
	return r
}

func TestGapText(t *testing.T) {
	var b strings.Builder
	if err := text.Gap(&b, gapReport(t, 1.25), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	for _, want := range []string{"Above all it is the read side", "80 % of the gap", "benchmark cell", "not in the model", "recording", "request size"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing:\n%s", want, out)
		}
	}
	if strings.Contains(out, "\x1b") {
		t.Error("the name of the trace acts on the terminal")
	}
	b.Reset()
	if err := text.Gap(&b, gapReport(t, 3), text.Options{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Not ranked: ") || strings.Contains(b.String(), "Above all") {
		t.Errorf("a residual of more than the limit was ranked:\n%s", b.String())
	}
}

func TestGapPage(t *testing.T) {
	var b strings.Builder
	if err := page.Gap(&b, gapReport(t, 1.25)); err != nil {
		t.Fatal(err)
	}
	out := b.String()
	if strings.Count(out, "<rect ") != 6 || strings.Count(out, `class="whisker"`) != 2 {
		t.Error("want six bars, two of them with an interval")
	}
	if strings.Contains(out, "evil\x1b") || strings.Contains(out, "</title>.iotrace") {
		t.Error("the name of the trace acts on the page")
	}
	for _, outside := range []string{"http://", "https://", "<script"} {
		if strings.Contains(out, outside) {
			t.Errorf("the page holds %q: it must need nothing else", outside)
		}
	}
}

func TestGapJSON(t *testing.T) {
	var b strings.Builder
	if err := JSON(&b, gapReport(t, 1.25)); err != nil {
		t.Fatal(err)
	}
	var r struct {
		TimeStack json.RawMessage `json:"time_stack"`
		Bounds    []any           `json:"bounds"`
		Factors   []struct {
			ID      string  `json:"id"`
			Seconds float64 `json:"seconds_per_gb"`
			Verdict string  `json:"verdict"`
		} `json:"factors"`
		Residual *float64 `json:"residual"`
	}
	if err := json.Unmarshal([]byte(b.String()), &r); err != nil {
		t.Fatal(err)
	}
	if r.TimeStack == nil || r.Bounds == nil || r.Residual == nil || len(r.Factors) != 2 || r.Factors[0].ID != "R" || r.Factors[0].Verdict != "resolved" {
		t.Errorf("%+v", r)
	}
}
