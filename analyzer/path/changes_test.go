package path

import (
	"math/rand/v2"
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"
)

// TestChanges checks, with few and with too many labels over time, that each label keeps its time in every slice, that
// the stretches follow one another without a gap, and that their number is bounded.
func TestChanges(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c := changes{most: 64}
		type stretch struct {
			l        timeline.Kind
			from, to int64
		}
		var all []stretch
		end := 1 + rnd.Int64N(1e6)
		at := end
		for at > 0 && len(all) < 1000 {
			length := 1 + rnd.Int64N(1+rnd.Int64N(5000))
			x := stretch{timeline.Kind(rnd.IntN(int(timeline.NumKinds))), max(at-length, 0), at}
			all, at = append(all, x), x.from
			c.add(x.from, x.to, x.l)
		}
		if len(c.list) > c.most {
			t.Fatalf("seed %d: %d labels over time", seed, len(c.list))
		}
		width := max(c.slice, 1)
		sums := func(show func(add func(timeline.Kind, int64, int64))) map[[2]int64]int64 {
			sum := map[[2]int64]int64{}
			show(func(l timeline.Kind, from, to int64) {
				for from < to {
					next := min(to, (from/width+1)*width)
					sum[[2]int64{int64(l), from / width}] += next - from
					from = next
				}
			})
			return sum
		}
		want := sums(func(add func(timeline.Kind, int64, int64)) {
			for _, x := range all {
				add(x.l, x.from, x.to)
			}
		})
		last := at
		got := sums(func(add func(timeline.Kind, int64, int64)) {
			c.each(end, func(l timeline.Kind, from, to int64) {
				if from != last || to <= from {
					t.Fatalf("seed %d: a stretch from %d to %d, the one before ended at %d", seed, from, to, last)
				}
				last = to
				add(l, from, to)
			})
		})
		if last != end || len(got) != len(want) {
			t.Fatalf("seed %d: up to %d of %d, %d sums of %d", seed, last, end, len(got), len(want))
		}
		for k, ns := range want {
			if got[k] != ns {
				t.Fatalf("seed %d, slices of %d: label %d has %d ns in slice %d, want %d", seed, width, k[0], got[k], k[1], ns)
			}
		}
	}
}
