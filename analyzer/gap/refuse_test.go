package gap

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// twoCells are six runs in each cell of one factor, which costs from and to seconds per GB.
func twoCells(from, to float64) (runs []Measured) {
	for i := range Repetitions {
		for mask, s := range []float64{from, to} {
			runs = append(runs, Measured{Run: Run{Block: i, Mask: mask}, Seconds: s * (1 + 0.001*float64(i)), Bytes: 1e9})
		}
	}
	return runs
}

var oneFactor = []Factor{{ID: "B", Name: "request size", Benchmark: "1 MiB", Workload: "4 KiB"}}

func explained(from, to, recorded, replayed float64, elsewhere string) *Report {
	e := Explain(oneFactor, twoCells(from, to), recorded, 0, stats.Resampling{Seed: 1})
	if replayed > 0 {
		e.Replayed(replayed)
	}
	r := &Report{Workload: &Workload{Bytes: 1 << 30}, Elsewhere: elsewhere}
	r.Conclude(&Experiment{Payload: 1 << 23}, e)
	return r
}

// What is not reproduced is said first, with its likely reason, and no remedy that could not help.
func TestNotReproduced(t *testing.T) {
	for _, c := range []struct {
		r         *Report
		code      string
		want, not []string
	}{
		{explained(1, 1, 50, 1, "a limit held it back"), "refused",
			[]string{"does not come back here", "likely reason: a limit held it back"}, []string{"--size", "repetitions"}},
		{explained(1, 1, 50, 1, ""), "refused", []string{"at another moment"}, []string{"--size", "repetitions"}},
		{explained(1, 20, 5, 60, "a limit held it back"), "refused", []string{"is slower now"}, []string{"a limit held"}},
		{explained(1, 20, 50, 20, "a limit held it back"), "ranked",
			[]string{"Only in part", "likely reason: a limit", "Above all it is the request size"}, nil},
		{explained(1, 20, 30, 30, ""), "ranked",
			[]string{"Above all it is the request size", "more than all that is not"}, nil},
		{explained(1, 20, 70, 70, ""), "refused", []string{"is not in the model", "try --size"}, nil},
	} {
		if c.r.Answer.Code != c.code {
			t.Errorf("%s, want %s: %s", c.r.Answer.Code, c.code, c.r.Answer.Text)
		}
		for _, s := range c.want {
			if !strings.Contains(c.r.Answer.Text, s) {
				t.Errorf("no %q in %s", s, c.r.Answer.Text)
			}
		}
		for _, s := range c.not {
			if text := strings.Join(append(c.r.Explanation.Refusals, c.r.Answer.Text), "\n"); strings.Contains(text, s) {
				t.Errorf("%q in %s", s, text)
			}
		}
	}
}

// Where moving the data took little of the time, the answer begins with what took most.
func TestTheVerdictLeads(t *testing.T) {
	r := explained(1, 20, 21, 0, "")
	r.Workload.Covered.Seconds = 0.05
	r.Causes = causes(&profile.Profile{Verdict: profile.Verdict{Causes: []profile.Reason{
		{Code: "blocked_in_call", Name: "blocked in a call", Text: "flock on /x", Share: 0.94},
		{Code: "settling", Name: "making it safe", Share: 0.01}}}})
	r.Conclude(&Experiment{}, r.Explanation)
	for _, s := range []string{"Above all it was something else: blocked in a call (flock on /x), 94 % of the time",
		"Moving the data took 5", "request size"} {
		if !strings.Contains(r.Answer.Text, s) {
			t.Errorf("no %q in %s", s, r.Answer.Text)
		}
	}
	if len(r.Causes) != 1 {
		t.Error(r.Causes)
	}
}
