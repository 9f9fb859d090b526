package unit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestShares(t *testing.T) {
	for _, test := range []struct {
		parts []float64
		want  string
	}{
		{nil, ""},
		{[]float64{1}, "100 %"},
		{[]float64{0.5, 0.5}, "50 % 50 %"},
		{[]float64{0.826, 0.126, 0.048}, "83 % 12 % 5 %"},
		{[]float64{0.335, 0.335, 0.33}, "34 % 33 % 33 %"},
		{[]float64{0.997, 0.003}, ">99 % <1 %"},
		{[]float64{0.146, 0.142, 0.142, 0.142, 0.428}, "15 % 14 % 14 % 14 % 43 %"},
		{[]float64{0.5, 0.066}, "50 % 6.6 %"},
		{[]float64{math.NaN(), 1}, "? 100 %"},
		{[]float64{1.5, -0.5}, "150 % -50 %"},
	} {
		if got := strings.Join(Shares(test.parts), " "); got != test.want {
			t.Errorf("%v: %q, want %q", test.parts, got, test.want)
		}
	}
}

// Whatever the parts of a whole are, their percents add up to 100, each is within one of the true one, and the first
// is what it would be alone.
func TestSharesAddUp(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 1))
		ns, all := make([]int64, 1+r.IntN(6)), int64(0)
		for i := range ns {
			ns[i] = 1 + r.Int64N(1<<r.IntN(50))
			all += ns[i]
		}
		parts := make([]float64, len(ns))
		for i := range ns {
			parts[i] = float64(ns[i]) / float64(all)
		}
		sum := 0
		for i, text := range Shares(parts) {
			n, err := strconv.Atoi(strings.Trim(text, " %<>"))
			if slices.Contains([]string{"<1 %", ">99 %"}, text) {
				n = map[byte]int{'<': 0, '>': 100}[text[0]]
			}
			if sum += n; err != nil || float64(n) < 100*parts[i]-1 || float64(n) > 100*parts[i]+1 {
				t.Errorf("seed %d: %v is %q", seed, parts[i], text)
			}
		}
		if sum != 100 {
			t.Errorf("seed %d: %v are %v, %d together", seed, parts, Shares(parts), sum)
		}
	}
}
