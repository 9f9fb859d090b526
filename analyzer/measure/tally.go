package measure

import (
	"cmp"
	"slices"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/sorting"
)

// Tally counts exact values, as many different ones as it has room for. When
// it is full, a new value takes the place of one that was seen only once; what
// repeats stays, and no count is too high.
type Tally struct {
	values []profile.Value
	Room   int // 0: for 8
}

// addTimes adds a value so many times.
func (t *Tally) addTimes(v, n int64) {
	for ; n > 0; n-- {
		t.Add(v)
		if t.values[0].Value == v { // it moves up no further
			t.values[0].Count += n - 1
			return
		}
	}
}

// Add adds a value.
func (t *Tally) Add(v int64) {
	for i := range t.values {
		if t.values[i].Value == v {
			t.values[i].Count++
			if i > 0 && t.values[i].Count > t.values[i-1].Count {
				t.values[i], t.values[i-1] = t.values[i-1], t.values[i]
			}
			return
		}
	}
	if n := len(t.values); n < max(t.Room, 8) {
		t.values = append(t.values, profile.Value{Value: v, Count: 1})
	} else if t.values[n-1].Count == 1 {
		t.values[n-1] = profile.Value{Value: v, Count: 1}
	}
}

// near is the most frequent of the values that share a bucket of histograms with
// v; v if there is none.
func (t *Tally) near(v int64) int64 {
	for _, known := range t.Top(len(t.values)) {
		if BucketOf(known.Value) == BucketOf(v) {
			return known.Value
		}
	}
	return v
}

// Top returns the most frequent values, at most n.
func (t *Tally) Top(n int) []profile.Value {
	v := slices.Clone(t.values)
	sorting.Stably(v, func(a, b profile.Value) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
	})
	return v[:min(n, len(v))]
}
