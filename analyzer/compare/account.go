package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
)

// Account sets side by side where the time of two recorded commands went, and how much work they did. Of several runs
// it has the one of median length, whose parts belong together.
type Account struct {
	Text        string  `json:"text"`         // what made the difference, in words
	SubjectNS   int64   `json:"subject_ns"`   // until the data was durable
	ReferenceNS int64   `json:"reference_ns"` // likewise
	Causes      []Cause `json:"causes"`       // of the verdicts, the greatest difference first
	Amounts     []Work  `json:"amounts"`      // what changed as the outcome did first, then what makes the decisive cause
	Copies      []Copy  `json:"copies"`       // that both sides made

	alike bool // the times do not differ
}

// Cause is the time that a cause of the verdict took on both sides.
type Cause struct {
	Code        string `json:"code"`
	Name        string `json:"name"`
	SubjectNS   int64  `json:"subject_ns"`
	ReferenceNS int64  `json:"reference_ns"`

	kind string
}

// unchanged is the ratio, either way, that is not called a difference.
const unchanged = 1.1

// A Side is a command, recorded once or several times.
type accountSide struct {
	Name string
	Runs []Run
}

// accountOf compares two sides; nil if one of them is no recorded command. undecided says that their times do not
// differ by more than those of runs of the same do.
func accountOf(subject, reference accountSide, undecided bool) *Account {
	s, r := typical(subject.Runs), typical(reference.Runs)
	if s == nil || r == nil {
		return nil
	}
	a := &Account{SubjectNS: s.total, ReferenceNS: r.total, Causes: causesOf(s, r), Copies: copiesOf(s, r)}
	a.alike = undecided || a.ratio() < unchanged && a.ratio() > 1/unchanged
	a.Amounts = amountsOf(s, r, a.Decisive(), a.telling())
	a.Text = a.times(subject, reference) + a.work()
	return a
}

// causesOf are the causes of both sides, each under the name that it has in the subject, if it is there.
func causesOf(s, r *Run) []Cause {
	found := map[string]profile.Reason{}
	for _, x := range slices.Concat(r.causes, s.causes) {
		found[accountKindOf(&x)] = x
	}
	list := []Cause{}
	for kind, x := range found {
		list = append(list, Cause{x.Code, x.Name, s.lasted(kind), r.lasted(kind), kind})
	}
	sorting.Stably(list, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.difference(), a.difference()), cmp.Compare(a.Code, b.Code))
	})
	return list
}

// accountKindOf is what causes have in common that are set side by side. A drive that was given more to do is no longer
// waited for one request at a time, and another drive has another name: both times it is reading from the drive, or
// writing to it.
func accountKindOf(x *profile.Reason) string {
	if x.Code == cause.DeviceLatency || x.Code == cause.DeviceBandwidth {
		return "drive " + x.Name[strings.LastIndexByte(x.Name, ' ')+1:]
	}
	return x.Code
}

func (c *Cause) difference() int64 {
	if c.SubjectNS > c.ReferenceNS {
		return c.SubjectNS - c.ReferenceNS
	}
	return c.ReferenceNS - c.SubjectNS
}

// times says how long both took, and which cause it is that took so much more, or less.
func (a *Account) times(subject, reference accountSide) string {
	text := fmt.Sprintf("%s took %s, %s %s", subject.Name, subject.took(a.SubjectNS), reference.Name,
		reference.took(a.ReferenceNS))
	if a.alike {
		return text + ": about as long."
	}
	if ratio := a.ratio(); ratio >= 1 {
		text += fmt.Sprintf(": %s times as long.", unit.Significant(ratio, 2))
	} else {
		text += fmt.Sprintf(": %s of the time.", unit.Share(ratio))
	}
	if x := a.Decisive(); x != nil {
		// Others may have changed the other way: no cause made more than all of it.
		made := min(float64(x.difference())/math.Abs(float64(a.SubjectNS-a.ReferenceNS)), 1)
		text += fmt.Sprintf(" What changed is %s: %s against %s, %s of the difference.", x.Name,
			duration(x.SubjectNS), duration(x.ReferenceNS), unit.Share(made))
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

// telling is the ratio from which on an amount says something of the outcome: a time that is a third longer may be made
// of a third more to do.
func (a *Account) telling() float64 {
	if a.alike {
		return much
	}
	return min(max(math.Sqrt(max(a.ratio(), 1/a.ratio())), unchanged), much)
}

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

// took is how long a side took, which of several runs is their median.
func (s accountSide) took(ns int64) string {
	if len(s.Runs) > 1 {
		return fmt.Sprintf("%s (median of %d)", duration(ns), len(s.Runs))
	}
	return duration(ns)
}

func duration(ns int64) string {
	if ns == 0 {
		return "none"
	}
	return unit.Duration(time.Duration(ns))
}
