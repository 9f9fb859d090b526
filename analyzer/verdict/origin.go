package verdict

import (
	"math"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// origin is time by what it was under in the time stack, where the critical path says that: what becomes a cause keeps
// it, so that a picture of the causes over time can be drawn from the stack. It is nothing where there is no path.
type origin [timeline.NumKinds]float64

func (o *origin) add(b *origin) {
	for k, ns := range b {
		o[k] += ns
	}
}

// take moves so much out of what matches, as much of each kind as there is of it.
func (o *origin) take(ns float64, matches func(timeline.Kind) bool) (taken origin) {
	var all float64
	for k, there := range o {
		if matches(timeline.Kind(k)) {
			all += there
		}
	}
	if all <= 0 || ns <= 0 {
		return taken
	}
	part := min(ns/all, 1)
	for k, there := range o {
		if matches(timeline.Kind(k)) {
			taken[k] = there * part
			o[k] -= taken[k]
		}
	}
	return taken
}

// prefer moves so much out of what matches first, and what is missing out of the rest.
func (o *origin) prefer(ns float64, matches func(timeline.Kind) bool) origin {
	taken := o.take(ns, matches)
	rest := o.take(ns-taken.sum(), anyKind)
	taken.add(&rest)
	return taken
}

func anyKind(timeline.Kind) bool { return true }

func (o *origin) sum() (ns float64) {
	for _, x := range o {
		ns += x
	}
	return ns
}

// parts are the kinds that come to a nanosecond and more.
func (o *origin) parts() (list []profile.StackPart) {
	for i, ns := range o {
		if k, whole := timeline.Kind(i), int64(math.Round(ns)); whole > 0 {
			list = append(list, profile.StackPart{Label: k.Label().String(), Within: k.Within(), NS: whole})
		}
	}
	return list
}

// begin is where the time of each use comes from.
func (a *account) begin(parts []profile.StackPart) {
	for _, x := range parts {
		if k, ok := timeline.KindNamed(x.Label, x.Within); ok {
			a.origins[labels[x.Label]][k] += float64(x.NS)
		}
	}
}

// give puts time back that a rule has taken: what it is spent on is another use.
func (a *account) give(u use, ns int64) {
	a.spent[u] += ns
	of := a.hand.prefer(float64(ns), func(k timeline.Kind) bool { return labels[k.Label().String()] == u })
	a.origins[u].add(&of)
}
