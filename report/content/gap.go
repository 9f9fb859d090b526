package content

import (
	"cmp"
	"slices"
	"strings"
	"time"

	explain "github.com/iotrace/iotrace/analyzer/gap"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

func GapTitle(r *explain.Report) string {
	return visible.Shorten(visible.Text(r.Trace), 60) + " against " + visible.Text(r.Against)
}

// gapStep is a row of the waterfall, in seconds per GB.
type gapStep struct {
	Name     string
	From, To float64 // what the bar covers
	Low      float64 // interval of to − from; both equal it without one
	High     float64
	Value    float64
	Total    bool // begins at zero
	Detail   string
	Recorded string // of a factor, the part of the recorded time behind it
	Verdict  string
}

// GapSteps lists the benchmark, each factor on top of those before it, the
// workload cell, what is not in the model, and the recording.
func GapSteps(r *explain.Report) []gapStep {
	e := r.Explanation
	total := func(name string, v float64) gapStep {
		return gapStep{Name: name, To: v, Value: v, Low: v, High: v, Total: true, Detail: unit.Rate(1e9 / v)}
	}
	at := e.Benchmark.Cell
	steps := []gapStep{total("benchmark cell", at)}
	for i := range e.Factors {
		f := &e.Factors[i]
		steps = append(steps, gapStep{Name: f.Name, From: at, To: at + f.Phi, Value: f.Phi, Low: f.Low, High: f.High,
			Detail: f.Benchmark + " → " + f.Workload, Recorded: GapRecorded(r, &f.Factor), Verdict: f.Verdict})
		at += f.Phi
	}
	steps = append(steps, total("workload cell", e.Workload.Cell))
	steps = append(steps, gapStep{Name: "not in the model", From: at, To: at + e.Residual, Value: e.Residual,
		Low: e.Residual, High: e.Residual, Detail: "residual"})
	if e.Replay > 0 {
		reason := cmp.Or(r.Elsewhere, "the recording was made at another moment")
		if e.Moment < 0 {
			reason = "it is slower now"
		}
		steps = append(steps, total("replay of it now", e.Replay),
			gapStep{Name: "not reproduced", From: e.Replay, To: e.Workload.Reality, Value: e.Moment, Low: e.Moment,
				High: e.Moment, Detail: reason})
	}
	return append(steps, total("recording", e.Workload.Reality))
}

// GapBounds are the bounds that say something. One that is made of the recording's own numbers and is reached only
// states the measurement again.
func GapBounds(r *explain.Report) []explain.Bound {
	return slices.DeleteFunc(slices.Clone(r.Bounds), func(b explain.Bound) bool {
		return !b.Independent && b.Reached > 0.95
	})
}

// GapCause is a part of the recorded time.
type GapCause struct{ Share, Name, Text string }

// GapCauses are the parts of the recorded time, by their causes. They add up to all of it.
func GapCauses(r *explain.Report) (list []GapCause) {
	rest := 1.0
	for i := range r.Causes {
		c := &r.Causes[i]
		rest -= c.Share
		list = append(list, GapCause{unit.Share(c.Share), visible.Text(c.Name), visible.Text(seen(c))})
	}
	if len(list) > 0 && rest > 0.005 {
		list = append(list, GapCause{unit.Share(rest), "other", "smaller causes, and what has none"})
	}
	return list
}

// GapRecorded says how much of the recorded time was under the causes behind a difference, "" for none.
func GapRecorded(r *explain.Report, f *explain.Factor) string {
	var parts []string
	for _, c := range r.Recorded(f) {
		parts = append(parts, unit.Share(c.Share)+" "+visible.Text(c.Name))
	}
	return strings.Join(parts, ", ")
}

// GapTogether says what two differences cost beyond the sum of each alone.
func GapTogether(r *explain.Report, i explain.Interaction) string {
	name := func(id string) string {
		for k := range r.Factors {
			if r.Factors[k].ID == id {
				return r.Factors[k].Name
			}
		}
		return id
	}
	return name(i.A) + " together with " + name(i.B) + ": " + PerGB(i.Seconds) + " beyond the sum of each alone"
}

// PerGB prints seconds per GB.
func PerGB(s float64) string { return unit.Duration(time.Duration(s * 1e9)) }
