package stats

// This file has the distributions that the tests of this module ask: what gonum's distuv computes in the same way,
// from the same functions. That package brings linear algebra of 2 MB along, which the linker cannot leave out; the
// tests compare the two.

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// normalCDF is the share of a standard normal distribution below x.
func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

// normalSurvival is the share above x.
func normalSurvival(x float64) float64 { return 0.5 * (1 - math.Erf(x/math.Sqrt2)) }

// normalQuantile is the value below which a share of a standard normal distribution lies.
func normalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// student is the number of degrees of freedom of a t distribution.
type student float64

// Survival is the share above t.
func (df student) Survival(t float64) float64 {
	nu := float64(df)
	tail := 0.5 * mathext.RegIncBeta(nu/2, 0.5, nu/(t*t+nu))
	switch {
	case t == 0:
		return 0.5
	case t < 0:
		return 1 - tail
	}
	return tail
}

// Quantile is the value below which a share lies.
func (df student) Quantile(p float64) float64 {
	if p == 0.5 {
		return 0
	}
	nu := float64(df)
	z := mathext.InvRegIncBeta(nu/2, 0.5, 2*math.Min(p, 1-p))
	return math.Copysign(math.Sqrt(nu*(1-z)/z), p-0.5)
}

// headsCDF is the probability of at most k heads when a coin is tossed n times.
func headsCDF(n, k int) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	}
	return mathext.RegIncBeta(float64(n-k), float64(k+1), 0.5)
}

// beta draws from the distribution Beta(a, b), for a and b of at least 1.
func beta(rng *rand.Rand, a, b float64) float64 {
	x, y := gamma(rng, a), gamma(rng, b)
	return x / (x + y)
}

// gamma draws from a gamma distribution of a shape of at least 1 (Marsaglia and Tsang, ACM Transactions on Mathematical
// Software 26, 2000).
func gamma(rng *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := rng.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-rng.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
