package distribution

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/iotrace/iotrace/stats/internal/sample"
)

// KSTest is the result of a two-sample Kolmogorov–Smirnov test.
type KSTest struct {
	D     float64 // largest distance between the two distribution functions, 0 to 1
	P     float64
	Exact bool // P counts all arrangements; otherwise it is the asymptotic one
}

// exactPaths is len(a)·len(b) up to which KolmogorovSmirnov counts
// arrangements: a few milliseconds.
const exactPaths = 1 << 20

// KolmogorovSmirnov compares the distributions of two independent samples by
// the largest distance between their distribution functions. P is exact for
// samples without ties up to len(a)·len(b) = 2²⁰, and too large (cautious)
// with ties. For larger samples it is Kolmogorov's limit with Stephens'
// correction (Journal of the Royal Statistical Society B 32, 1970), and says
// little: of a million events every P is 0. Print D then. All is NaN if a
// sample is not usable.
func KolmogorovSmirnov(a, b []float64) KSTest {
	if !sample.Usable(a) || !sample.Usable(b) {
		return KSTest{D: math.NaN(), P: math.NaN()}
	}
	d := stat.KolmogorovSmirnov(sample.Sorted(a), nil, sample.Sorted(b), nil)
	if len(a)*len(b) <= exactPaths {
		return KSTest{D: d, P: exactKS(len(a), len(b), d), Exact: true}
	}
	n, m := float64(len(a)), float64(len(b))
	en := math.Sqrt(n * m / (n + m))
	return KSTest{D: d, P: kolmogorov((en + 0.12 + 0.11/en) * d)}
}

// exactKS is the probability that a random order of n and m values, a lattice
// path from (0,0) to (n,m), strays at least d from the diagonal. It follows
// the probability of the paths that have not strayed yet and sums what leaves,
// so that small results keep their precision.
func exactKS(n, m int, d float64) float64 {
	// Distances are multiples of 1/(n·m): compare them as integers.
	limit := int(math.Round(d * float64(n) * float64(m)))
	inside := make([]float64, m+1) // by j, for the current i
	left := 0.0
	for i := range n + 1 {
		for j := range m + 1 {
			p := 0.0
			if i == 0 && j == 0 {
				p = 1
			}
			rest := float64(n - i + m - j + 1) // steps left before this one
			if i > 0 {
				p += inside[j] * float64(n-i+1) / rest
			}
			if j > 0 {
				p += inside[j-1] * float64(m-j+1) / rest
			}
			if distance := i*m - j*n; distance >= limit || -distance >= limit {
				left += p
				p = 0
			}
			inside[j] = p
		}
	}
	return math.Min(1, left)
}

// kolmogorov is the probability that the supremum of a Brownian bridge exceeds
// x: 2 Σ (−1)^(k−1) exp(−2k²x²), or its dual series where that one converges
// slowly.
func kolmogorov(x float64) float64 {
	if x < 1.18 {
		if x < 0.04 {
			return 1
		}
		sum := 0.0
		for k := 1; k <= 7; k += 2 {
			sum += math.Exp(-float64(k*k) * math.Pi * math.Pi / (8 * x * x))
		}
		return math.Max(0, 1-math.Sqrt(2*math.Pi)/x*sum)
	}
	sum, sign := 0.0, 1.0
	for k := 1; k <= 6; k++ {
		sum += sign * math.Exp(-2*float64(k*k)*x*x)
		sign = -sign
	}
	return math.Min(1, 2*sum)
}
