package replay

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/uring"

	"github.com/iotrace/iotrace/stats"
)

// TrialOptions direct a trial.
type TrialOptions struct {
	Dir      string // where files are written
	From     string // where the files are that are only read; "" for Dir
	Rounds   int    // each variant runs once in each
	Progress func(round int, variant string)
}

// Trial is what the rounds showed.
type Trial struct {
	Type    string        `json:"type"` // "trial"
	Version int           `json:"version"`
	Dir     string        `json:"dir"`
	From    string        `json:"from"`
	Rounds  int           `json:"rounds"`
	Writes  bool          `json:"writes"` // the work writes: what counts is when its data is safe
	Results []TrialResult `json:"results"`
	// LeftOut are variants that cannot be run here, and why.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// ComparedBytes is how much of the copies was read afterwards and found to
	// be what their sources are.
	ComparedBytes int64 `json:"compared_bytes"`
	// PausedNS is how long what was recorded computes or waits between its
	// operations, none of which methods of copying do.
	PausedNS int64 `json:"paused_ns"`
}

// TrialResult is how long a variant took. The first one is what was recorded.
type TrialResult struct {
	Name string  `json:"name"`
	Wall []int64 `json:"wall_ns"` // of each round, until the last operation returned
	Safe []int64 `json:"safe_ns"` // until the data was on the device
	// Faster is how many times as fast as what was recorded, the median of the
	// rounds, and the interval of that median at 95 %; 0 for what was recorded.
	// Low and High are 0 with fewer than six rounds.
	Faster float64 `json:"faster,omitempty"`
	Low    float64 `json:"faster_low,omitempty"`
	High   float64 `json:"faster_high,omitempty"`
}

// LeftOut is a variant that cannot be run.
type LeftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Median is the median of its times.
func Median(ns []int64) int64 { return int64(stats.Median(floats(ns))) }

func floats(ns []int64) []float64 {
	x := make([]float64, len(ns))
	for i, v := range ns {
		x[i] = float64(v)
	}
	return x
}

// Try runs all variants in each round, in random order, and says how much faster
// they are than the first, which is what was recorded. A variant that the system
// or the file system does not support is left out. Copies are compared with
// their sources when a variant runs for the first time.
func Try(ctx context.Context, list []Variant, o TrialOptions) (t *Trial, err error) {
	if o.From == "" {
		o.From = o.Dir
	}
	t = &Trial{Type: "trial", Version: 1, Dir: o.Dir, From: o.From, Rounds: o.Rounds, PausedNS: list[0].Program.Paused()}
	inputs, err := NewInputs(o.From)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, inputs.Close()) }()
	for _, v := range list {
		t.Results = append(t.Results, TrialResult{Name: v.Name})
		t.Writes = t.Writes || slices.ContainsFunc(v.Program.Ops, func(o Op) bool { return o.Writes() })
	}
	rng := rand.New(rand.NewPCG(1, 0x747269616c))
	gone := map[int]bool{}
	for round := range o.Rounds {
		for _, i := range rng.Perm(len(list)) {
			if gone[i] {
				continue
			}
			if o.Progress != nil {
				o.Progress(round+1, list[i].Name)
			}
			r, err := Run(ctx, list[i].Program, Options{Dir: o.Dir, Inputs: inputs, Settle: true,
				Compare: round == 0})
			switch {
			case i > 0 && round == 0 && unsupported(err):
				gone[i] = true
				t.LeftOut = append(t.LeftOut, LeftOut{list[i].Name, "not supported here"})
				continue
			case err == nil && !r.SameSizes:
				err = errors.New("an operation moved fewer bytes than it was to")
			}
			if err != nil {
				return nil, fmt.Errorf("trying %q: %w", list[i].Name, err)
			}
			if round == 0 {
				t.ComparedBytes += compared(list[i].Program)
			}
			t.Results[i].Wall = append(t.Results[i].Wall, r.Replayed.WallNS)
			t.Results[i].Safe = append(t.Results[i].Safe, max(r.SafeNS, r.Replayed.WallNS))
		}
	}
	t.judge()
	return t, nil
}

// unsupported reports whether an error means that a system cannot do something,
// not that it failed.
func unsupported(err error) bool {
	for _, e := range []error{unix.EOPNOTSUPP, unix.EINVAL, unix.EXDEV, unix.ENOSYS, unix.ENOTTY, uring.ErrUnavailable} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// compared is how much of the copies of a program there is.
func compared(p *Program) (bytes int64) {
	for _, c := range p.Copies {
		bytes += p.Files[c.From].Size
	}
	return bytes
}

// Counts are the times that count: until the data was durable, if any was written.
func (t *Trial) Counts(r *TrialResult) []int64 {
	if t.Writes {
		return r.Safe
	}
	return r.Wall
}

// judge compares round by round, so that what changes in the course of the trial
// does not matter.
func (t *Trial) judge() {
	t.Results = slices.DeleteFunc(t.Results, func(r TrialResult) bool { return len(r.Wall) == 0 })
	was := t.Counts(&t.Results[0])
	for i := 1; i < len(t.Results); i++ {
		r := &t.Results[i]
		var ratios []float64
		for round, ns := range t.Counts(r) {
			ratios = append(ratios, float64(was[round])/float64(max(ns, 1)))
		}
		r.Faster = stats.Median(ratios)
		if in := stats.MedianCI(ratios, 0.95); in.Known() {
			r.Low, r.High = in.Low, in.High
		}
	}
}

// Fastest is the result that is ahead of what was recorded and of the others;
// nil if none is ahead for sure.
func (t *Trial) Fastest() *TrialResult {
	var best *TrialResult
	for i := 1; i < len(t.Results); i++ {
		if r := &t.Results[i]; r.Low > 1 && (best == nil || r.Faster > best.Faster) {
			best = r
		}
	}
	return best
}
