package stats

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// ReadLines decodes a file of random cases, one a line. See testdata/README.md
// of the statistics.
func ReadLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c T
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s:%d: %v", name, len(cases)+1, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 300 {
		t.Fatalf("%s: %d cases, want 300 or more", name, len(cases))
	}
	return cases
}

// Near reports whether two numbers agree to a relative (or, below 1, absolute)
// tolerance.
func Near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// Check fails the test if a number is not the one expected.
func Check(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !Near(got, want, tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// NoiseOfKind draws n values of standard deviation about 1 without any change
// of level.
func NoiseOfKind(kind string, rng *rand.Rand, n int) []float64 {
	correlation := map[string]float64{"AR(1) .3": .3, "AR(1) .6": .6, "AR(1) .8": .8}[kind]
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 3, Src: rng}
	spread := math.Sqrt(math.Log(1.25)) // gives a coefficient of variation of 0.5
	y := make([]float64, n)
	for i := range y {
		switch z := rng.NormFloat64(); {
		case kind == "t3":
			y[i] = student.Rand()
		case kind == "lognormal":
			y[i] = math.Exp(spread * z)
		case kind == "stalls": // one value in twenty is far off: 7 times at cv 0.1
			y[i] = z
			if rng.IntN(20) == 0 {
				y[i] -= 20
			}
		case kind == "two modes": // interleaved, 20 standard deviations apart
			y[i] = z + 20*float64(rng.IntN(2))
		case kind == "hits": // as stalls, but one value in five
			y[i] = z
			if rng.IntN(5) == 0 {
				y[i] -= 20
			}
		case i == 0:
			y[i] = z
		default:
			y[i] = correlation*y[i-1] + math.Sqrt(1-correlation*correlation)*z
		}
	}
	return y
}

// Drawn is a sample of n values of a normal distribution.
func Drawn(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 22))
	x := make([]float64, n)
	for i := range x {
		x[i] = 10 + rng.NormFloat64()
	}
	return x
}
