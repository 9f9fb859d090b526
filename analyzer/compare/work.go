package compare

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/sorting"
	"github.com/iotrace/iotrace/internal/unit"
)

// Work is how much work of a kind both sides did.
type Work struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Unit      string `json:"unit"` // "bytes", "ns" or "" for a number
	Subject   int64  `json:"subject"`
	Reference int64  `json:"reference"`

	noticeable int64 // a difference from there on is worth telling
	kinds      []string
	spared     bool    // there was less to do by so much
	telling    float64 // so is a ratio from there on
}

// much is the ratio from which on an amount differs by much.
const much = 1.5

// amount says what one is called, from where on it is worth telling, and what kinds of causes are made of it.
type amount struct {
	code, name, unit string
	noticeable       int64
	kinds            []string
}

// of is what both sides did of it.
func (a *amount) of(s, r int64) Work {
	return Work{Code: a.code, Name: a.name, Unit: a.unit, Subject: s, Reference: r, noticeable: a.noticeable,
		kinds: a.kinds}
}

// amountsOf are the amounts of both sides. Those that changed as the outcome did come first, among them those of which
// the decisive cause is made, then the greatest ratio. A ratio from telling on is worth telling.
func amountsOf(s, r *Run, decisive *Cause, telling float64) []Work {
	list := []Work{}
	for i := range amounts {
		list = append(list, amounts[i].of(s.amounts[i], r.amounts[i]))
	}
	list = append(list, reasonAmounts(s, r)...)
	for i := range list {
		list[i].telling = telling
	}
	longer := s.total >= r.total
	sorting.Stably(list, func(a, b Work) int {
		return cmp.Or(cmp.Compare(b.explains(longer), a.explains(longer)),
			cmp.Compare(b.makes(decisive), a.makes(decisive)), cmp.Compare(b.weight(), a.weight()))
	})
	return list
}

// explains is 1 of an amount that changed in the direction of the outcome, -1 of one that changed the other way.
func (a *Work) explains(longer bool) int {
	more := cmp.Compare(a.Subject, a.Reference)
	if longer != a.spared {
		return more
	}
	return -more
}

// makes is 1 of an amount of which a cause is made.
func (a *Work) makes(c *Cause) int {
	if c != nil && slices.Contains(a.kinds, c.kind) {
		return 1
	}
	return 0
}

// reasonAmounts are the bytes at devices by reason.
func reasonAmounts(s, r *Run) (list []Work) {
	all := map[reason]bool{}
	for _, run := range []*Run{s, r} {
		for k := range run.reasons {
			all[k] = true
		}
	}
	for k := range all {
		words := wording.Reason(k.code, k.op != "read")
		if words == "" {
			words = k.code
		}
		kinds := writing
		if k.op == "read" {
			kinds = reading
		}
		code, name := "devices_"+k.op+"_"+k.code, k.op+" ("+words+")"
		if k.spared {
			code, name = "spared_"+k.op+"_"+k.code, "not "+name
		}
		list = append(list, Work{Code: code, Name: name, Unit: "bytes", Subject: s.reasons[k], Reference: r.reasons[k],
			noticeable: 1 << 20, kinds: kinds, spared: k.spared})
	}
	sorting.Stably(list, func(a, b Work) int {
		return cmp.Or(cmp.Compare(b.difference(), a.difference()), cmp.Compare(a.Code, b.Code))
	})
	return list
}

func (a *Work) difference() int64 { return max(a.Subject-a.Reference, a.Reference-a.Subject) }

// ratio is how many times as much one side did as the other.
func (a *Work) ratio() float64 {
	least, most := min(a.Subject, a.Reference), max(a.Subject, a.Reference)
	if most == 0 {
		return 1
	}
	return float64(most) / float64(max(least, 1))
}

// weight is the ratio where it says something of the outcome: to a side with hardly anything of it, all is much.
func (a *Work) weight() float64 {
	least, most := min(a.Subject, a.Reference), max(a.Subject, a.Reference)
	return float64(most) / float64(max(least, a.noticeable, 1))
}

// tells reports whether the amount differs by enough to be worth telling.
func (a *Work) tells() bool { return a.ratio() >= a.telling && a.difference() >= a.noticeable }

func (a *Work) words() string {
	return fmt.Sprintf("%s %s against %s", a.Name, a.value(a.Subject), a.value(a.Reference))
}

func (a *Work) value(v int64) string {
	switch a.Unit {
	case "bytes":
		return unit.Bytes(v)
	case "ns":
		return unit.Duration(time.Duration(v))
	}
	return unit.Count(v)
}
