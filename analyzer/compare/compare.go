package compare

import (
	"fmt"
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// A Side is one thing to compare: one run, or several of the same.
type Side struct {
	Name     string   `json:"name"`
	Kind     string   `json:"kind"`  // "trace", "bench" or "pattern"
	About    string   `json:"about"` // the command, or the title of the pattern
	Runs     int      `json:"runs"`  // 0 for a pattern: declared, not run
	Warnings []string `json:"warnings"`

	// Profile is what a trace was read into, for its timeline; of several runs, the
	// first.
	Profile *profile.Profile `json:"-"`

	values      [numDimensions]Value
	observation string
	runs        []Run // of a recorded command
}

// The kinds of sides, from the concrete to the abstract.
const (
	Trace   = "trace"
	Bench   = "bench"
	Pattern = "pattern"
)

var abstractness = map[string]int{Trace: 0, Bench: 1, Pattern: 2}

// Comparison is the outcome: the subject against the reference.
type Comparison struct {
	Subject   *Side `json:"subject"`
	Reference *Side `json:"reference"`
	Swapped   bool  `json:"swapped"` // the reference is the one that was named first
	// Similarity is 1 for workloads that do the same, and halves with each
	// dimension that is entirely different. It is null if less than half of the
	// dimensions could be compared.
	Similarity *float64 `json:"similarity"`
	// Compared and Comparable count the dimensions that the similarity rests on,
	// and all that it could rest on.
	Compared   int         `json:"compared"`
	Comparable int         `json:"comparable"`
	Account    *Account    `json:"account,omitempty"` // of two recorded commands
	Dimensions []Dimension `json:"dimensions"`
}

// A dimension of single runs differs from this distance on: about a fifth in a
// size or a time, or 20 points in a share.
const noticeable = 0.1

// Compare sets two sides against each other. The reference is the benchmark if
// one side is a trace and the other is not, a pattern if the other is none, and
// otherwise a.
func Compare(a, b *Side) *Comparison {
	subject, reference := b, a
	if abstractness[b.Kind] > abstractness[a.Kind] {
		subject, reference = a, b
	}
	c := &Comparison{Subject: subject, Reference: reference, Swapped: subject == b}
	product := 1.0
	for i := range kinds {
		d := c.dimension(i)
		if d.Factor != nil {
			product *= *d.Factor
		}
		if kinds[i].part && !told(&d) {
			continue
		}
		c.Dimensions = append(c.Dimensions, d)
	}
	if 2*c.Compared >= c.Comparable {
		c.Similarity = &product
	}
	c.withoutRates()
	testRuns(c)
	for i := range c.Dimensions {
		d := &c.Dimensions[i]
		d.Effect = effect(d, kindOf(d.Code))
	}
	s, r := c.commands()
	c.Account = accountOf(s, r, c.Dimensions[durableTime].Verdict == "~")
	return c
}

// commands are the recorded commands of both sides.
func (c *Comparison) commands() (subject, reference accountSide) {
	return accountSide{Name: c.Subject.Name, Runs: c.Subject.runs},
		accountSide{Name: c.Reference.Name, Runs: c.Reference.runs}
}

// withoutRates leaves out the rates of two commands that did different work: who moves less in less time is not slower.
func (c *Comparison) withoutRates() {
	apart := Apart(c.commands())
	if apart == "" {
		return
	}
	for _, i := range []int{throughput, durableThroughput} {
		d := &c.Dimensions[i]
		*d = Dimension{Code: d.Code, Name: d.Name, Unit: d.Unit, Outcome: true, Subject: d.Subject,
			Reference: d.Reference, Verdict: "?", Reason: apart}
	}
}

func (c *Comparison) dimension(i int) Dimension {
	k := &kinds[i]
	d := Dimension{
		Code: k.code, Name: k.name, Unit: k.unit, Outcome: k.outcome,
		Subject: c.Subject.values[i], Reference: c.Reference.values[i], Verdict: "same",
	}
	d.Subject.settle(k)
	d.Reference.settle(k)
	if !k.outcome && !k.part {
		c.Comparable++
	}
	found, ok := distance(&d.Subject, &d.Reference, k)
	if !ok {
		d.Verdict, d.Reason = "?", c.reason(&d)
		return d
	}
	d.Distance, d.JS, d.W1, d.Doublings = number(found.all), number(found.js), number(found.w1), number(found.doublings)
	if found.all >= noticeable {
		d.Verdict = "differs"
	}
	if s, r := d.Subject.Typical, d.Reference.Typical; s != nil && r != nil && *r > 0 {
		d.Ratio = number(*s / *r)
	}
	if !k.outcome && !k.part {
		factor := math.Pow(1-found.all/2, k.weight)
		d.Factor = &factor
		c.Compared++
	}
	return d
}

// told reports whether one side has values, and the other has some too or none.
func told(d *Dimension) bool {
	return d.Subject.State != Unknown && d.Reference.State != Unknown &&
		(d.Subject.State == Known || d.Reference.State == Known)
}

// kindOf is the definition of a dimension.
func kindOf(code string) *kind {
	for i := range kinds {
		if kinds[i].code == code {
			return &kinds[i]
		}
	}
	return nil
}

// reason says which side is not known, and why.
func (c *Comparison) reason(d *Dimension) string {
	s, r := d.Subject, d.Reference
	switch {
	case s.State == Unknown && r.State == Unknown && s.Reason == r.Reason:
		return s.Reason
	case s.State == Unknown && r.State == Unknown:
		return c.Subject.Name + ": " + s.Reason + "; " + c.Reference.Name + ": " + r.Reason
	case s.State == Unknown:
		return c.Subject.Name + ": " + s.Reason
	}
	return c.Reference.Name + ": " + r.Reason
}

// Find returns the dimension with this code, nil if there is none.
func (c *Comparison) Find(code string) *Dimension {
	for i := range c.Dimensions {
		if c.Dimensions[i].Code == code {
			return &c.Dimensions[i]
		}
	}
	return nil
}

// Different are the dimensions that differ.
func (c *Comparison) Different() []*Dimension {
	var all []*Dimension
	for i := range c.Dimensions {
		if c.Dimensions[i].Verdict == "differs" {
			all = append(all, &c.Dimensions[i])
		}
	}
	return all
}

// Power says which difference of the outcome these runs could have shown; "" of
// single runs.
func (c *Comparison) Power() string {
	a, b := c.Subject.Runs, c.Reference.Runs
	if a <= 1 && b <= 1 || c.Reference.Kind == Pattern {
		return ""
	}
	if a < fewestRuns || b < fewestRuns {
		return fmt.Sprintf("too few runs to tell a difference from noise (%d against %d): record at least %d a side", a,
			b, fewestRuns)
	}
	for _, i := range outcomes {
		if d := &c.Dimensions[i]; d.Detectable != nil {
			return fmt.Sprintf("with %d runs against %d a difference of %s above %s would be seen, four times of five", a, b,
				d.Name, unit.Share(*d.Detectable))
		}
	}
	return ""
}

// number is nil for what is not one.
func number(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// Join makes one side of several runs of the same. The runs keep their own
// typical values, which tests compare.
func Join(sides []*Side) *Side {
	if len(sides) == 1 {
		return sides[0]
	}
	all := *sides[0]
	all.Runs, all.Warnings, all.runs = 0, []string{}, nil
	all.Name += fmt.Sprintf(" and %d more", len(sides)-1)
	for _, s := range sides {
		all.Runs += s.Runs
		all.runs = append(all.runs, s.runs...)
		for _, w := range s.Warnings {
			all.Warnings = append(all.Warnings, s.Name+": "+w)
		}
	}
	for k := range kinds {
		values := make([]Value, len(sides))
		for i, s := range sides {
			values[i] = s.values[k]
		}
		all.values[k] = pool(values, &kinds[k])
	}
	return &all
}
