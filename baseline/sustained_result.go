package baseline

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// SustainedReport is the outcome of a sustained run. Its JSON form is described
// in docs/baselines.md.
type SustainedReport struct {
	Type        string    `json:"type"`    // "sustained"
	Version     int       `json:"version"` // of this form: 1
	Tool        string    `json:"tool"`
	Place       Place     `json:"place"`
	Started     time.Time `json:"started"`
	TotalBytes  int64     `json:"total_bytes"` // of each pass
	FileBytes   int64     `json:"file_bytes"`
	Block       int64     `json:"block"`
	Depth       int       `json:"depth"`
	Seed        int64     `json:"seed"`
	Passes      []Pass    `json:"passes"`
	Verdict     Verdict   `json:"verdict"`
	Interrupted bool      `json:"interrupted"`
}

// Pass is one go through the files.
type Pass struct {
	Name   string          `json:"name"` // "full", "half"
	Duty   float64         `json:"duty"` // busy share of the time
	Files  []SustainedFile `json:"files"`
	Levels []Level         `json:"levels"`
	Onset  *Onset          `json:"onset"` // of throttling; null if there was none
	Before *Thermal        `json:"thermal_before,omitempty"`
	After  *Thermal        `json:"thermal_after,omitempty"`
}

// SustainedFile is one file of a pass.
type SustainedFile struct {
	StartNS      int64  `json:"start_ns"` // since the pass began
	ActiveNS     int64  `json:"active_ns"`
	Bytes        int64  `json:"bytes"`
	Rate         int64  `json:"bytes_per_second"` // while busy
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
}

// Level is a stretch of a pass during which the rate stayed about the same.
type Level struct {
	FromBytes int64 `json:"from_bytes"`
	ToBytes   int64 `json:"to_bytes"`
	FromNS    int64 `json:"from_ns"`
	Rate      int64 `json:"bytes_per_second"` // median over its files
}

// Onset is where the rate fell for good.
type Onset struct {
	Bytes        int64  `json:"bytes"` // written before
	NS           int64  `json:"ns"`    // since the pass began
	Before       int64  `json:"before_bytes_per_second"`
	After        int64  `json:"after_bytes_per_second"`
	MilliCelsius *int64 `json:"milli_celsius,omitempty"`
}

// Verdict is what can be said about the cause.
type Verdict struct {
	Throttled bool `json:"throttled"`
	// Cause is "cache", "heat", or "" where the evidence does not decide.
	Cause    string   `json:"cause"`
	Evidence []string `json:"evidence"`
	// Candidates are the causes still possible, and Experiment what would decide.
	Candidates []string `json:"candidates,omitempty"`
	Experiment string   `json:"experiment,omitempty"`
}

// find looks for the levels of the pass.
func (p *Pass) find() {
	all := make([]chunk, len(p.Files))
	var bytes int64
	for i, f := range p.Files {
		bytes += f.Bytes
		all[i] = chunk{bytes: bytes, ns: f.StartNS + f.ActiveNS, rate: float64(f.Rate)}
	}
	p.Levels = levelsOf(all)
	p.Onset = p.onset()
}

// lastingFall is the least factor between the rates before and after an onset. File systems and drives wander
// by a fifth for seconds; drives that throttle lose a quarter at least, and rarely less than half.
const lastingFall = 1.25

// leastSlow is how long a pass must be slow until its end: other use of the machine also slows a device down by a
// quarter, for tenths of a second. A pass that ends sooner has not shown that it lasts.
const leastSlow = time.Second

// onset is the deepest fall that lasts: no later level comes back to within lastingFall of the one before it. A
// short dip and a slow decline are in the levels, and are no onset.
func (p *Pass) onset() *Onset {
	var found *Onset
	depth, after := lastingFall, int64(0) // after: the fastest level from here to the end
	for i := len(p.Levels) - 1; i > 0; i-- {
		before, l := p.Levels[i-1], p.Levels[i]
		after = max(after, l.Rate)
		if p.lastNS()-l.FromNS < leastSlow.Nanoseconds() {
			continue
		}
		if fall := float64(before.Rate) / float64(max(after, 1)); fall >= depth {
			depth = fall
			found = &Onset{Bytes: l.FromBytes, NS: l.FromNS, Before: before.Rate, After: l.Rate, MilliCelsius: p.temperatureAt(l.FromNS)}
		}
	}
	return found
}

// lastNS is when the last file was written.
func (p *Pass) lastNS() int64 {
	if len(p.Files) == 0 {
		return 0
	}
	last := p.Files[len(p.Files)-1]
	return last.StartNS + last.ActiveNS
}

func (p *Pass) temperatureAt(ns int64) *int64 {
	for _, f := range p.Files {
		if f.StartNS >= ns {
			return f.MilliCelsius
		}
	}
	return nil
}

// The onset of a half-rate pass lies at the same bytes as that of the full one
// within this factor, or one file; beyond the second factor it came clearly
// later.
const (
	sameOnset  = 1.15
	laterOnset = 1.3
)

// conclude says what the passes show. A cause is named only if the evidence
// leaves no other.
func (r *SustainedReport) conclude() {
	for i := range r.Passes {
		r.Passes[i].find()
	}
	if len(r.Passes) == 0 || r.Passes[0].Onset == nil {
		return
	}
	full := r.Passes[0]
	v := &r.Verdict
	v.Throttled = true
	v.Candidates = []string{"a write cache that is full", "heat", "a slower link, power saving or other use of the drive"}
	say := func(format string, args ...any) { v.Evidence = append(v.Evidence, fmt.Sprintf(format, args...)) }
	if full.Onset.MilliCelsius != nil {
		say("the drive was at %.0f °C when its rate fell", float64(*full.Onset.MilliCelsius)/1000)
	}
	hot, known := heated(full.Before, full.After)
	switch {
	case known && hot:
		say("its counters say that it slowed down because of heat")
		v.Cause = "heat"
	case known:
		say("its counters say that heat did not slow it down")
		v.Candidates = remove(v.Candidates, "heat")
	}
	if len(r.Passes) < 2 || r.Interrupted {
		if v.Cause == "" {
			v.Experiment = "repeat with --half-rate: a full cache comes at the same bytes again, heat later or not at all"
		}
		return
	}
	r.compareHalf(v, say, known && !hot)
}

func (r *SustainedReport) compareHalf(v *Verdict, say func(string, ...any), cool bool) {
	full, half := r.Passes[0].Onset, r.Passes[1].Onset
	near := func(a, b int64) bool {
		return math.Abs(float64(a-b)) <= float64(r.FileBytes) || float64(max(a, b)) <= sameOnset*float64(min(a, b))
	}
	switch {
	case half == nil:
		say("at half the rate it did not fall within %s", unit.Bytes(r.TotalBytes))
	case near(half.Bytes, full.Bytes):
		say("at half the rate it fell after the same %s", unit.Bytes(half.Bytes))
		if v.Cause == "" {
			v.Cause, v.Candidates = "cache", nil
		}
		return
	default:
		say("at half the rate it fell after %s, not %s", unit.Bytes(half.Bytes), unit.Bytes(full.Bytes))
	}
	later := half == nil || float64(half.Bytes) > laterOnset*float64(full.Bytes)
	if v.Cause != "" || !later {
		return
	}
	v.Candidates = []string{"heat", "a write cache that is emptied in the pauses"}
	v.Experiment = "watch the drive's temperature, or cool it and repeat: heat then comes later still, a cache does not change"
	if cool {
		v.Candidates = remove(v.Candidates, "heat")
		v.Experiment = ""
	}
}

func remove(list []string, item string) []string {
	var rest []string
	for _, s := range list {
		if s != item {
			rest = append(rest, s)
		}
	}
	return rest
}

// WriteText prints the report for people.
func (r *SustainedReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Place.Describe())
	for _, p := range r.Passes {
		p.write(&b)
	}
	r.Verdict.write(&b, r.Passes)
	if r.Interrupted {
		fmt.Fprintf(&b, "The run was cut short: this is what was seen until then.\n")
	}
	_, err := io.WriteString(w, visible.Lines(b.String()))
	return err
}

func (p Pass) write(b *strings.Builder) {
	var bytes int64
	for _, f := range p.Files {
		bytes += f.Bytes
	}
	fmt.Fprintf(b, "\n%s rate: %s in %d files\n", strings.ToUpper(p.Name[:1])+p.Name[1:], unit.Bytes(bytes), len(p.Files))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i, l := range p.Levels {
		if i == 0 {
			fmt.Fprint(t, "from\tafter\tmedian\t\n")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t\n", unit.Bytes(l.FromBytes), unit.Duration(asDuration(l.FromNS)), unit.Rate(float64(l.Rate)))
	}
	t.Flush()
}

func (v Verdict) write(b *strings.Builder, passes []Pass) {
	b.WriteByte('\n')
	if len(passes) == 0 || len(passes[0].Files) == 0 {
		return
	}
	if !v.Throttled {
		b.WriteString("No lasting drop of the rate.\n")
		return
	}
	o := passes[0].Onset
	fmt.Fprintf(b, "Throttled after %s (%s): from %s to %s.\n", unit.Bytes(o.Bytes), unit.Duration(asDuration(o.NS)), unit.Rate(float64(o.Before)), unit.Rate(float64(o.After)))
	for _, e := range v.Evidence {
		fmt.Fprintf(b, "- %s\n", e)
	}
	switch v.Cause {
	case "cache":
		fmt.Fprintf(b, "Cause: a write cache of about %s that is full.\n", unit.Bytes(o.Bytes))
	case "heat":
		b.WriteString("Cause: heat.\n")
	default:
		fmt.Fprintf(b, "Possible causes: %s.\n", strings.Join(v.Candidates, "; "))
	}
	if v.Experiment != "" {
		fmt.Fprintf(b, "To decide: %s.\n", v.Experiment)
	}
}
