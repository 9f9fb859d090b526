package analyzer

import (
	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// trend keeps, per time bin, what the explanation of a step and the charts
// need: the time stack and the I/O of others.
type trend struct {
	width   int64
	end     int64
	stack   [timeline.NumLabels][]int64
	foreign []int64 // bytes
}

// newTrend divides the recording into at most n bins of a round width.
func newTrend(n int, end int64) *trend {
	t := &trend{width: measure.RoundUp(max(end, 1)/int64(n) + 1), end: end}
	count := int(end/t.width) + 1
	for i := range t.stack {
		t.stack[i] = make([]int64, count)
	}
	t.foreign = make([]int64, count)
	return t
}

func (t *trend) bins() int { return len(t.foreign) }

func (t *trend) at(ns int64) int { return int(min(max(ns, 0)/t.width, int64(len(t.foreign)-1))) }

// label adds a stretch of the time stack.
func (t *trend) label(l timeline.Label, from, to int64) {
	for from < to {
		i := t.at(from)
		next := min(to, int64(i+1)*t.width)
		if i == len(t.foreign)-1 {
			next = to
		}
		t.stack[l][i] += next - from
		from = next
	}
}

// share is the part of a stretch of time that some labels hold; whole bins
// count.
func (t *trend) share(from, to int64, labels ...timeline.Label) float64 {
	sum, all := int64(0), int64(0)
	for i := t.at(from); i <= t.at(to); i++ {
		for l := range t.stack {
			all += t.stack[l][i]
		}
		for _, l := range labels {
			sum += t.stack[l][i]
		}
	}
	if all == 0 {
		return 0
	}
	return float64(sum) / float64(all)
}

// foreignRate is how fast others moved bytes during a stretch of time.
func (t *trend) foreignRate(from, to int64) int64 {
	sum := int64(0)
	i, j := t.at(from), t.at(to)
	for k := i; k <= j; k++ {
		sum += t.foreign[k]
	}
	return measure.Rate(sum, int64(j-i+1)*t.width)
}
