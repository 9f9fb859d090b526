package generator

import (
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/baseline"
)

func drawAll(c *schedule, n int64) []operation {
	c.limit.Store(n)
	var all []operation
	for o, ok := c.take(); ok; o, ok = c.take() {
		all = append(all, o)
	}
	return all
}

func offsets(ops []operation) []int64 {
	var at []int64
	for _, o := range ops {
		at = append(at, o.offset)
	}
	return at
}

func TestOrders(t *testing.T) {
	for _, c := range []struct {
		name string
		step baseline.Step
		span int64
		n    int64
		want []int64
	}{
		{"sequential, with a second pass", baseline.Step{Op: baseline.Read, Access: baseline.Sequential, Block: 10}, 30, 5,
			[]int64{0, 10, 20, 0, 10}},
		{"strided", baseline.Step{Op: baseline.Read, Access: baseline.Strided, Block: 10, Stride: 20}, 60, 7,
			[]int64{0, 20, 40, 10, 30, 50, 0}},
		{"interleaved", baseline.Step{Op: baseline.Read, Access: baseline.Interleaved, Block: 10, Streams: 2}, 60, 7,
			[]int64{0, 30, 10, 40, 20, 50, 0}},
	} {
		if got := offsets(drawAll(newSchedule(c.step, 0, c.span, 1), c.n)); !slices.Equal(got, c.want) {
			t.Errorf("%s: offsets %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLastBlockMayBeShort(t *testing.T) {
	ops := drawAll(newSchedule(baseline.Step{Op: baseline.Write, Access: baseline.Sequential, Block: 10}, 100, 25, 1), 4)
	want := []operation{{0, 100, 10, false}, {1, 110, 10, false}, {2, 120, 5, false}, {3, 100, 10, false}}
	if !slices.Equal(ops, want) {
		t.Errorf("got %v, want %v", ops, want)
	}
}

// Each order that promises every block once keeps the promise, and none ever
// leaves its span.
func TestEveryBlockOncePerPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		access := rapid.SampledFrom([]baseline.Access{baseline.Sequential, baseline.Shared, baseline.Shuffled,
			baseline.Strided, baseline.Interleaved, baseline.Random}).Draw(t, "access")
		block := rapid.Int64Range(1, 4096).Draw(t, "block")
		blocks := rapid.Int64Range(1, 300).Draw(t, "blocks")
		s := baseline.Step{Op: baseline.Read, Access: access, Block: block}
		switch access {
		case baseline.Strided:
			s.Stride = block * rapid.SampledFrom([]int64{1, 2, 3, 7}).Draw(t, "stride")
			blocks *= s.Stride / block
		case baseline.Interleaved:
			s.Streams = rapid.IntRange(1, 9).Draw(t, "streams")
			blocks *= int64(s.Streams)
		}
		base := rapid.Int64Range(0, 1<<40).Draw(t, "base")
		seen := map[int64]int{}
		for _, o := range drawAll(newSchedule(s, base, blocks*block, rapid.Uint64().Draw(t, "seed")), 2*blocks) {
			if o.offset < base || o.offset+o.size > base+blocks*block || (o.offset-base)%block != 0 || o.size != block {
				t.Fatalf("operation %+v is not a block of the span", o)
			}
			seen[o.offset]++
		}
		if access == baseline.Random {
			return
		}
		for at, n := range seen {
			if n != 2 {
				t.Fatalf("block at %d came %d times in two passes", at, n)
			}
		}
		if int64(len(seen)) != blocks {
			t.Fatalf("%d of %d blocks came", len(seen), blocks)
		}
	})
}

// Random offsets are uniform: the chi-square statistic over 64 bins is within
// six standard deviations of its mean, for fixed seeds.
func TestRandomIsUniform(t *testing.T) {
	const bins, n = 64, 1 << 16
	for seed := range uint64(20) {
		for _, access := range []baseline.Access{baseline.Random, baseline.Shuffled} {
			var count [bins]float64
			blocks := int64(bins * 1000)
			for _, o := range drawAll(newSchedule(baseline.Step{Op: baseline.Read, Access: access, Block: 1}, 0, blocks, seed),
				n) {
				count[o.offset*bins/blocks]++
			}
			var chi float64
			for _, c := range count {
				chi += (c - n/bins) * (c - n/bins) / (n / bins)
			}
			if chi > bins-1+6*math.Sqrt(2*(bins-1)) {
				t.Errorf("%s, seed %d: chi-square %.0f over %d bins", access, seed, chi, bins)
			}
		}
	}
}

func TestNeighboursAreNotSequential(t *testing.T) {
	for _, access := range []baseline.Access{baseline.Random, baseline.Shuffled} {
		ops := drawAll(newSchedule(baseline.Step{Op: baseline.Read, Access: access, Block: 1}, 0, 10000, 5), 10000)
		consecutive := 0
		for i := 1; i < len(ops); i++ {
			if ops[i].offset == ops[i-1].offset+1 {
				consecutive++
			}
		}
		if consecutive > 20 {
			t.Errorf("%s: %d of 10000 blocks follow their predecessor", access, consecutive)
		}
	}
}

func TestReadShare(t *testing.T) {
	for _, share := range []int{0, 1, 30, 70, 99, 100} {
		const n = 100_000
		reads := 0
		for _, o := range drawAll(newSchedule(baseline.Step{Op: baseline.Mixed, ReadShare: share, Access: baseline.Random,
			Block: 1}, 0, 1000, 3), n) {
			if o.read {
				reads++
			}
		}
		p := float64(share) / 100
		if d := math.Abs(float64(reads) - p*n); d > 5*math.Sqrt(n*p*(1-p)) {
			t.Errorf("%d %% reads: %d of %d", share, reads, n)
		}
	}
}

func TestSplitMixHasTwoPositions(t *testing.T) {
	ops := drawAll(newSchedule(baseline.Step{Op: baseline.Mixed, ReadShare: 70, SplitMix: true,
		Access: baseline.Sequential, Block: 1}, 0, 1000, 3), 500)
	next := map[bool]int64{}
	for _, o := range ops {
		if o.offset != next[o.read] {
			t.Fatalf("operation %+v, its direction is at %d", o, next[o.read])
		}
		next[o.read]++
	}
}

func TestConcurrentDrawsShareOneSchedule(t *testing.T) {
	c := newSchedule(baseline.Step{Op: baseline.Read, Access: baseline.Sequential, Block: 1}, 0, 1<<20, 1)
	c.limit.Store(10000)
	var mu sync.Mutex
	seen := map[int64]int{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for o, ok := c.take(); ok; o, ok = c.take() {
				mu.Lock()
				seen[o.offset]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != 10000 {
		t.Errorf("%d different blocks of 10000", len(seen))
	}
}

func BenchmarkTake(b *testing.B) {
	for _, access := range []baseline.Access{baseline.Sequential, baseline.Random, baseline.Shuffled} {
		b.Run(string(access), func(b *testing.B) {
			c := newSchedule(baseline.Step{Op: baseline.Read, Access: access, Block: 4096}, 0, 1<<30, 1)
			c.limit.Store(math.MaxInt64)
			for b.Loop() {
				c.take()
			}
		})
	}
}
