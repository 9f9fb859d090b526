package timeline

import (
	"sort"
	"testing"

	"pgregory.net/rapid"
)

type span struct{ start, end int64 }

func spans(t *rapid.T) []span {
	s := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) span {
		start := rapid.Int64Range(0, 1000).Draw(t, "start")
		return span{start, start + rapid.Int64Range(0, 300).Draw(t, "length")}
	}), 0, 60).Draw(t, "spans")
	sort.SliceStable(s, func(i, j int) bool { return s[i].start < s[j].start })
	return s
}

// TestDepthIsTheSweep compares with counting at every instant.
func TestDepthIsTheSweep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := WithLevels()
		in := spans(t)
		var sum int64
		for _, s := range in {
			d.Add(s.start, s.end)
			sum += s.end - s.start
		}
		d.Finish()
		var busy, area int64
		most := 0
		at := make([]int, 1400)
		for _, s := range in {
			for i := s.start; i < s.end; i++ {
				at[i]++
			}
		}
		for _, n := range at {
			area += int64(n)
			most = max(most, n)
			if n > 0 {
				busy++
			}
		}
		var levelArea, levelBusy int64
		d.Levels(func(depth int, ns int64) {
			levelBusy += ns
			levelArea += int64(depth) * ns
		})
		if d.Busy() != busy || levelBusy != busy {
			t.Fatalf("busy %d, in levels %d, want %d", d.Busy(), levelBusy, busy)
		}
		if area != sum {
			t.Fatalf("the test itself breaks Little's law: %d, %d", area, sum)
		}
		if most <= 16 && levelArea != sum {
			t.Fatalf("area under the depth is %d, lengths add up to %d", levelArea, sum)
		}
		if d.Max() < most {
			t.Fatalf("greatest depth %d, want at least %d", d.Max(), most)
		}
		if d.Now() != 0 {
			t.Fatalf("%d in flight at the end", d.Now())
		}
	})
}

func TestLevelsPartitionDepths(t *testing.T) {
	last := -1
	for n := 1; n < 1<<20; n++ {
		i := levelOf(n)
		if i < last || i >= levels {
			t.Fatalf("depth %d is in group %d after group %d", n, i, last)
		}
		if f := levelFloor(i); f > n || i != last && f != n {
			t.Fatalf("group %d begins at %d; its first depth is %d", i, f, n)
		}
		last = i
	}
}

// TestDepthTakesDisorder: hostile traces must not break it.
func TestDepthTakesDisorder(t *testing.T) {
	d := WithLevels()
	d.Add(100, 50)
	d.Add(10, 200)
	d.Add(-5, -1)
	d.Finish()
	if d.Busy() != 100 || d.Now() != 0 {
		t.Fatalf("busy %d, %d in flight", d.Busy(), d.Now())
	}
}

// BenchmarkDepth has 32 in flight, which end nearly in the order in which they began.
func BenchmarkDepth(b *testing.B) {
	var d Depth
	for i := range int64(b.N) {
		d.Add(i*100, i*100+3150+i*7919%600)
	}
}
