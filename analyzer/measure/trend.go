package measure

import "github.com/iotrace/iotrace/analyzer/timeline"

// Trend keeps, per time bin, what the explanation of a step and the charts
// need: the time stack and the I/O of others.
type Trend struct {
	Width   int64
	Stack   [timeline.NumKinds][]int64
	Foreign []int64 // bytes
	bin     int     // in which the last stretch ended
	from    int64   // where that bin begins
}

// NewTrend divides the recording into at most n bins of a round width.
func NewTrend(n int, end int64) *Trend {
	t := &Trend{Width: RoundUp(max(end, 1)/int64(n) + 1)}
	count := int(end/t.Width) + 1
	for i := range t.Stack {
		t.Stack[i] = make([]int64, count)
	}
	t.Foreign = make([]int64, count)
	return t
}

func (t *Trend) Bins() int { return len(t.Foreign) }

func (t *Trend) At(ns int64) int { return int(min(max(ns, 0)/t.Width, int64(len(t.Foreign)-1))) }

// Label adds a stretch of the time stack.
func (t *Trend) Label(k timeline.Kind, from, to int64) {
	if from >= t.from && to <= t.from+t.Width { // as usual: a division takes longer than all the rest
		t.Stack[k][t.bin] += to - from
		return
	}
	for from < to {
		i := t.At(from)
		next := min(to, int64(i+1)*t.Width)
		if i == len(t.Foreign)-1 {
			next = to
		}
		t.Stack[k][i] += next - from
		t.bin, t.from = i, int64(i)*t.Width
		from = next
	}
}

// Share is the part of a stretch of time that some labels hold; whole bins
// count.
func (t *Trend) Share(from, to int64, labels ...timeline.Label) float64 {
	sum, all := int64(0), int64(0)
	for i := t.At(from); i <= t.At(to); i++ {
		for l := range t.Stack {
			all += t.Stack[l][i]
		}
		for _, l := range labels {
			sum += t.Stack[l][i]
		}
	}
	if all == 0 {
		return 0
	}
	return float64(sum) / float64(all)
}

// ForeignRate is how fast others moved bytes during a stretch of time.
func (t *Trend) ForeignRate(from, to int64) int64 {
	sum := int64(0)
	i, j := t.At(from), t.At(to)
	for k := i; k <= j; k++ {
		sum += t.Foreign[k]
	}
	return Rate(sum, int64(j-i+1)*t.Width)
}
