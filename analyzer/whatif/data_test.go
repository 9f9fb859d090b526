package whatif

import (
	"math/rand/v2"
	"testing"
)

// The tree says what going through all pieces says.
func TestLatest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]piece, 1+rng.IntN(40))
		for i := range list {
			list[i] = piece{rng.Int64N(60), rng.Int64N(20), int32(i)}
		}
		l := newLatest(list)
		for i, p := range list {
			l.put(p)
			from := rng.Int64N(90)
			to, want := from+1+rng.Int64N(20), int32(noRequest)
			for at := from; at < to; at++ {
				last := int32(noRequest)
				for _, q := range list[:i+1] {
					if q.offset <= at && at < q.offset+q.bytes {
						last = q.request
					}
				}
				want = max(want, last)
			}
			if got := l.of(from, to); got != want {
				t.Fatalf("%v: the last request for %d to %d is %d, want %d", list[:i+1], from, to, got, want)
			}
		}
	}
}
