package chart

import (
	"slices"
	"strconv"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
)

// A band is one colour of the picture of where the time went: a part of the bar where the critical path tells what each
// cause is made of, else a label of the time stack.
type band struct {
	column, name, color string
	of                  func(label, within string) float64 // what part of such time is its
}

// timeBands are those of a profile, from the bottom up.
func timeBands(p *profile.Profile) []band {
	if list := causeBands(p); list != nil {
		return list
	}
	var list []band
	for _, s := range p.TimeStack.Slices {
		list = append(list, band{s.Label, visible.Text(s.Text), StackColor(s.Label), under(s.Label)})
	}
	return list
}

// under takes all of the time under some labels, and nothing else.
func under(labels ...string) func(label, within string) float64 {
	return func(label, _ string) float64 {
		if slices.Contains(labels, label) {
			return 1
		}
		return 0
	}
}

// causeBands are the parts of the bar; nil if it is not known of one what it is made of.
func causeBands(p *profile.Profile) (list []band) {
	var rest *profile.BarPart
	colors, taken := BarColors(p), kindTimes{}
	for i := range p.Verdict.Bar {
		x := &p.Verdict.Bar[i]
		if x.Code == "" {
			rest = x
			continue
		}
		r := causeOf(p, x)
		if r == nil || len(r.Parts) == 0 {
			return nil
		}
		part := timesOf(p, r)
		taken.add(part)
		list = append(list, band{"cause " + strconv.Itoa(i), visible.Text(x.Name), colors[i], part.of})
	}
	if rest != nil && len(list) > 0 {
		list = append(list, band{"rest", visible.Text(rest.Name), "rest", func(label, within string) float64 {
			return max(1-taken.of(label, within), 0)
		}})
	}
	return list
}

// kindTimes are parts of the time of the kinds of the time stack, by label and by what waited.
type kindTimes map[[2]string]float64

func (t kindTimes) of(label, within string) float64 { return t[[2]string{label, within}] }

func (t kindTimes) add(b kindTimes) {
	for k, part := range b {
		t[k] += part
	}
}

// timesOf is what part of each kind of time a cause took.
func timesOf(p *profile.Profile, r *profile.Reason) kindTimes {
	t := kindTimes{}
	for _, x := range p.TimeStack.Parts {
		i := slices.IndexFunc(r.Parts, func(y profile.StackPart) bool { return y.Label == x.Label && y.Within == x.Within })
		if i >= 0 && x.NS > 0 {
			t[[2]string{x.Label, x.Within}] = float64(r.Parts[i].NS) / float64(x.NS)
		}
	}
	return t
}

// over is the time of a band in each bin.
func (b *band) over(stack []profile.Labels) (ns []float64) {
	for i := range stack {
		l := &stack[i]
		if ns == nil {
			ns = make([]float64, len(l.NS))
		}
		part := b.of(l.Label, l.Within)
		if part == 0 {
			continue
		}
		for k, x := range l.NS {
			ns[k] += part * float64(max(x, 0))
		}
	}
	return ns
}

// causeOf is the cause of a part of the bar.
func causeOf(p *profile.Profile, x *profile.BarPart) *profile.Reason {
	for i := range p.Verdict.Causes {
		if r := &p.Verdict.Causes[i]; r.Code == x.Code && r.TimeNS == x.TimeNS {
			return r
		}
	}
	return nil
}

// BarColor is the colour of a cause beside the bar: that of its part, if it has one.
func BarColor(p *profile.Profile, r *profile.Reason) string {
	for i, color := range BarColors(p) {
		if x := &p.Verdict.Bar[i]; x.Code == r.Code && x.Name == r.Name {
			return color
		}
	}
	return CauseColor(r)
}

// BarColors are those of the parts of the bar, in their order.
func BarColors(p *profile.Profile) (list []string) {
	taken := map[string]bool{}
	for i := range p.Verdict.Bar {
		color := "rest"
		if x := &p.Verdict.Bar[i]; x.Code != "" {
			r := causeOf(p, x)
			if r == nil {
				r = &profile.Reason{Code: x.Code}
			}
			color = CauseColor(r)
		}
		if taken[color] {
			color = "part" + strconv.Itoa(i)
		}
		taken[color] = true
		list = append(list, color)
	}
	return list
}
