package survey

import (
	"math/rand/v2"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

const sliceNS = 1 << 27 // of the recorder

// Where much was lost in one slice of many stays told apart, also from what was lost at no known moment.
func TestLossesOfAShortSlice(t *testing.T) {
	for _, many := range []int64{20, 1400, 100_000} {
		var l Losses
		l.add(&trace.Lost{From: 0, To: many * sliceNS, Count: 50, CPU: -1, Kind: trace.KindSyscall})
		for i := range many {
			for cpu := range int32(2) {
				e := trace.Lost{From: i * sliceNS, To: (i + 1) * sliceNS, Count: 3, CPU: cpu, Kind: trace.KindSyscall}
				if i == many/2 {
					e.Count = 1_000_000
				}
				l.add(&e)
			}
		}
		p := l.profile(1000)
		short := 0
		for _, s := range p.Slices {
			if s.Count >= 2_000_000 && s.FromNS <= many/2*sliceNS && s.ToNS-s.FromNS <= max(many/100, 1)*sliceNS {
				short++
			}
		}
		if short != 1 || len(p.Slices) > 1000 {
			t.Errorf("of %d slices %d are left, %d of them where much was lost", many, len(p.Slices), short)
		}
	}
}

// However slices lie, no event of theirs is forgotten, and there are no more than are wanted.
func TestLossesAreAllCounted(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		var l Losses
		for range r.IntN(20_000) {
			from := r.Int64N(1 << (10 + r.IntN(40)))
			l.add(&trace.Lost{From: from, To: from + r.Int64N(1<<(1+r.IntN(40))), Count: r.Uint64N(1000),
				Kind: trace.Kind(1 + r.IntN(5))})
		}
		p := l.profile(100)
		var sum uint64
		for _, s := range p.Slices {
			sum += s.Count
		}
		if sum != p.Total || len(p.Slices) > 100 {
			t.Errorf("seed %d: %d of %d events in %d slices", seed, sum, p.Total, len(p.Slices))
		}
	}
}
