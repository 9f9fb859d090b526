package measure

import "testing"

// TestTurns: two places that are read by turns are told from one, from two that are read one after the other, and from
// accesses at random. A place goes on with an access that begins within the one before there.
func TestTurns(t *testing.T) {
	const n = 1000
	for name, c := range map[string]struct {
		at   func(i int64) (at, n int64)
		want float64
	}{
		"one place":           {func(i int64) (int64, int64) { return i * 4096, 4096 }, 0},
		"one after the other": {func(i int64) (int64, int64) { return i * 4096 % (n / 2 * 4096) * 7, 4096 }, 0},
		"by turns": {func(i int64) (int64, int64) {
			if i%2 == 0 {
				return i / 2 * 4096, 4096
			}
			return 1<<30 + i/2*100, 8192
		}, 0.999},
		"at random": {func(i int64) (int64, int64) { return i * 7919 % n * 65536, 4096 }, 0},
	} {
		p := new(Pattern)
		for i := range int64(n) {
			p.Add(c.at(i))
		}
		if got := p.Profile().Turns; got < c.want-0.001 || got > c.want+0.001 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
