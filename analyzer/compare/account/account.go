// Package account says what made the difference between two recorded commands: where the time of both went, and
// how much work they did.
package account

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/internal/unit"
)

// Account sets side by side where the time of two recorded commands went, and how much work they did. Of several runs
// it has the one of median length, whose parts belong together.
type Account struct {
	Text        string  `json:"text"`         // what made the difference, in words
	SubjectNS   int64   `json:"subject_ns"`   // until the data was safe
	ReferenceNS int64   `json:"reference_ns"` // likewise
	Causes      []Cause `json:"causes"`       // of the verdicts, the greatest difference first
	Amounts     []Work  `json:"amounts"`      // what changed as the outcome did first, then the greatest ratio

	alike bool // the times do not differ
}

// Cause is the time that a cause of the verdict took on both sides.
type Cause struct {
	Code        string `json:"code"`
	Name        string `json:"name"`
	SubjectNS   int64  `json:"subject_ns"`
	ReferenceNS int64  `json:"reference_ns"`
}

// unchanged is the ratio, either way, that is not called a difference.
const unchanged = 1.1

// A Side is a command, recorded once or several times.
type Side struct {
	Name string
	Runs []Run
}

// Of compares two sides; nil if one of them is no recorded command. undecided says that their times do not differ by
// more than those of runs of the same do.
func Of(subject, reference Side, undecided bool) *Account {
	s, r := typical(subject.Runs), typical(reference.Runs)
	if s == nil || r == nil {
		return nil
	}
	a := &Account{SubjectNS: s.total, ReferenceNS: r.total, Causes: causesOf(s, r), Amounts: amountsOf(s, r)}
	a.alike = undecided || a.ratio() < unchanged && a.ratio() > 1/unchanged
	a.Text = a.times(subject.Name, reference.Name) + a.work()
	return a
}

// causesOf are the causes of both sides.
func causesOf(s, r *Run) []Cause {
	names := map[string]string{}
	for _, cause := range slices.Concat(r.causes, s.causes) {
		names[cause.Code] = cause.Name
	}
	list := []Cause{}
	for code, name := range names {
		list = append(list, Cause{code, name, s.lasted(code), r.lasted(code)})
	}
	slices.SortFunc(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.difference(), a.difference()), cmp.Compare(a.Code, b.Code))
	})
	return list
}

func (c *Cause) difference() int64 {
	if c.SubjectNS > c.ReferenceNS {
		return c.SubjectNS - c.ReferenceNS
	}
	return c.ReferenceNS - c.SubjectNS
}

// times says how long both took, and which cause it is that took so much more, or less.
func (a *Account) times(subject, reference string) string {
	text := fmt.Sprintf("%s took %s, %s %s", subject, duration(a.SubjectNS), reference, duration(a.ReferenceNS))
	if a.alike {
		return text + ": about as long."
	}
	if ratio := a.ratio(); ratio >= 1 {
		text += fmt.Sprintf(": %s times as long.", unit.Significant(ratio, 2))
	} else {
		text += fmt.Sprintf(": %s of the time.", unit.Share(ratio))
	}
	if cause := a.Decisive(); cause != nil {
		// Others may have changed the other way: no cause made more than all of it.
		made := min(float64(cause.difference())/math.Abs(float64(a.SubjectNS-a.ReferenceNS)), 1)
		text += fmt.Sprintf(" What changed is %s: %s against %s, %s of the difference.", cause.Name,
			duration(cause.SubjectNS), duration(cause.ReferenceNS), unit.Share(made))
	}
	return text
}

// work says of what work there was more, or less.
func (a *Account) work() string {
	var amounts []string
	for i := range a.Amounts {
		if x := &a.Amounts[i]; len(amounts) < 4 && x.tells() {
			amounts = append(amounts, x.words())
		}
	}
	if len(amounts) == 0 {
		return ""
	}
	return " Amounts: " + strings.Join(amounts, "; ") + "."
}

// ratio is how many times as long the subject took.
func (a *Account) ratio() float64 { return float64(a.SubjectNS) / float64(max(a.ReferenceNS, 1)) }

// Decisive is the cause that changed most in the direction of the outcome; nil if both took as long.
func (a *Account) Decisive() *Cause {
	if a.alike {
		return nil
	}
	for i := range a.Causes {
		if x := &a.Causes[i]; (x.SubjectNS > x.ReferenceNS) == (a.ratio() >= 1) {
			return x
		}
	}
	return nil
}

func duration(ns int64) string {
	if ns == 0 {
		return "none"
	}
	return unit.Duration(time.Duration(ns))
}
