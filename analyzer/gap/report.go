package gap

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/trace"
)

// Report is what is known about a gap. Its JSON form is described in
// docs/json.md: seconds per GB are numbers, 1 GB is 10^9 bytes.
type Report struct {
	Type      string    `json:"type"`    // "gap"
	Version   int       `json:"version"` // of this form: 1
	Tool      string    `json:"tool"`
	Trace     string    `json:"trace"`
	Against   string    `json:"against"`
	Benchmark Setting   `json:"benchmark"`
	Read      float64   `json:"read_bytes_per_s"` // of the benchmark; 0 if not known
	Write     float64   `json:"write_bytes_per_s"`
	Copy      float64   `json:"copy_bytes_per_s,omitempty"` // of a benchmark that copies
	Workload  *Workload `json:"workload"`                   // null if it moved no data
	// Causes are view A: what the whole recording spent its time on, by the verdict's causes of a twentieth of it and
	// more, the greatest first.
	Causes []profile.Reason `json:"causes"`
	Bounds []Bound          `json:"bounds"` // view B
	// ReadShare is the part of the gap that reading alone takes, in time per
	// byte, if the workload copies and the benchmark writes; 0 if not known.
	ReadShare   float64        `json:"read_share,omitempty"`
	Differences []Factor       `json:"differences"` // between benchmark and workload
	Factors     []Contribution `json:"factors"`     // view C; empty without an experiment
	Residual    *float64       `json:"residual"`    // null without an experiment
	Experiment  *Experiment    `json:"experiment,omitempty"`
	Explanation *Explanation   `json:"explanation,omitempty"`
	// Elsewhere is what the recording met and a replay of it may not, the likely reason
	// where they differ; missing if there is none but another moment.
	Elsewhere string   `json:"elsewhere,omitempty"`
	Answer    Answer   `json:"answer"`
	Warnings  []string `json:"warnings"`
}

// Answer is the outcome in one word and in a sentence.
type Answer struct {
	Code string `json:"code"` // "cloned", "bound", "no_gap", "differences", "ranked", "unresolved", "refused", "lost"
	Text string `json:"text"`
}

// Refuse makes what prevented an explanation the answer: what the report says without it stands.
func (r *Report) Refuse(why error) {
	r.Answer = Answer{Code: "refused", Text: "Not explained: " + why.Error() + "."}
}

// Experiment is what was run.
type Experiment struct {
	Dir      string     `json:"dir"`
	Device   string     `json:"device"`
	FSType   string     `json:"fs_type"`
	Payload  int64      `json:"payload_bytes"` // of each run
	Written  int64      `json:"written_bytes"` // planned, all runs
	Seed     uint64     `json:"seed"`
	Screened []Factor   `json:"screened,omitempty"` // factors before screening
	Repeated int        `json:"repeated_blocks"`    // that were disturbed; their first runs do not count
	Runs     []Measured `json:"runs"`
}

// Views makes the report of views A and B.
func Views(p *profile.Profile, w *Workload, bench Setting, b Benchmark) *Report {
	r := &Report{Type: "gap", Version: 1, Trace: p.Trace.File, Benchmark: bench, Read: b.Read.Value, Write: b.Write.Value,
		Copy: b.Copy.Value, Workload: w, Elsewhere: elsewhere(p), Causes: causes(p),
		Bounds: []Bound{}, Differences: []Factor{},
		Factors: []Contribution{}, Warnings: []string{}}
	if cloned, bytes := clones(p); cloned && (w == nil || w.Bytes < bytes/20) {
		r.Workload = nil // what else was read is not the copy
		r.Answer = Answer{"cloned", fmt.Sprintf("It was cloned: %s became part of another file without being read or "+
			"written. Nothing to explain.", unit.Bytes(bytes))}
		return r
	}
	if w != nil && w.Fresh {
		// What the workload creates cannot be cold: it would be a reason of its
		// own, and parts of pages would be read before they are overwritten.
		r.Benchmark.WarmTarget = true
	}
	if w == nil {
		r.Answer = Answer{"no_gap", "No data was moved: nothing to explain."}
		return r
	}
	r.Bounds = Bounds(w, b)
	r.Differences = append(r.Differences, Factors(w, bench)...)
	if x := readShare(b.Read.Value, b.Write.Value, w.Rate()); w.Copies() && bench.Write && !bench.Read && !math.IsNaN(x) {
		r.ReadShare = x
	}
	r.answer(p, b)
	return r
}

// lostCalls are the lost events that the levels of the factors rest on.
func lostCalls(p *profile.Profile) uint64 {
	var n uint64
	for _, k := range []trace.Kind{trace.KindSyscall, trace.KindAsyncOp, trace.KindFile} {
		n += p.Lost.Kinds[k.String()]
	}
	return n
}

// answer is the one that views A and B permit.
func (r *Report) answer(p *profile.Profile, b Benchmark) {
	claimed := r.Claimed()
	if n := p.Lost.Total - min(lostCalls(p), p.Lost.Total); n > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d requests or waits were lost: the causes are not exact; the "+
			"levels of the workload are not touched", n))
	}
	defer r.lead()
	switch bound, explained := Explained(r.Bounds); {
	case lostCalls(p) > 0:
		r.Answer = Answer{"lost", fmt.Sprintf("The recording lost %d calls: its levels cannot be trusted and nothing is "+
			"explained from them. Record again with a larger --buffer.", lostCalls(p))}
	case claimed > 0 && r.Workload.SecondsPerGB() <= claimed*(1+tolerance):
		r.Answer = Answer{"no_gap", fmt.Sprintf("The workload is about as fast as the benchmark, or faster (%s against "+
			"%s): there is no gap to explain.", unit.Rate(r.Workload.Rate()), unit.Rate(1e9/claimed))}
	case explained:
		r.Answer = Answer{"bound", fmt.Sprintf("The %s bound explains it: %s, at best %s (%s … %s); measured %s.",
			bound.Code, bound.Text, unit.Rate(bound.Rate), unit.Rate(bound.Low), unit.Rate(bound.High),
			unit.Rate(bound.Measured))}
	default:
		text := "No simple limit explains the gap."
		if r.ReadShare > 0 {
			text = fmt.Sprintf("No simple limit explains the gap; reading the source accounts for %s of it.",
				unit.Share(r.ReadShare))
		}
		switch copying := r.Benchmark.Read && r.Benchmark.Write; {
		case copying && !b.Copy.Known():
			text = "The speed of the benchmark on this disk is not known: give --copy-mbps, or a result of iotrace bench --json."
		case !copying && !b.Read.Known() && !b.Write.Known():
			text = "The speed of the benchmark on this disk is not known: give --read-mbps and --write-mbps, or a result of " +
				"iotrace bench --json."
		}
		r.Answer = Answer{"differences", text + r.foremost() +
			" To measure which difference costs what, add --dir DIR on the same disk."}
	}
}

// Settled reports whether an experiment could not add to the answer.
func (r *Report) Settled() bool { return r.Answer.Code != "differences" }

// Claimed is the benchmark's own time per GB, 0 if it is not known.
func (r *Report) Claimed() float64 {
	switch {
	case r.Benchmark.Write && r.Benchmark.Read:
		if r.Copy > 0 {
			return 1e9 / r.Copy
		}
	case r.Benchmark.Write && r.Write > 0:
		return 1e9 / r.Write
	case !r.Benchmark.Write && r.Read > 0:
		return 1e9 / r.Read
	}
	return 0
}

// clones reports whether every copy of the recording was a clone.
func clones(p *profile.Profile) (all bool, bytes int64) {
	for _, c := range p.Copies {
		if !c.Method.Clones() {
			return false, 0
		}
		bytes += c.Bytes
	}
	return len(p.Copies) > 0, bytes
}
