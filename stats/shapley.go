package stats

import (
	"math"
	"math/bits"
)

// maxFactors is the number of factors of a full factorial table, beyond which
// nobody measures all cells.
const maxFactors = 10

// contribution is the part of one factor in the difference between two
// settings of several.
type contribution struct {
	Phi Estimate // Shapley value, in the unit of the table
	// Least and greatest effect of the factor over all settings of the others:
	// the range of answers that changing one factor at a time can give.
	Least, Greatest float64
}

// factors returns k if table has the 2^k cells of k factors.
func factors(table []float64) (int, bool) {
	k := bits.Len(uint(len(table))) - 1
	return k, len(table) > 1 && len(table) == 1<<k && k <= maxFactors && usable(table)
}

// Shapley divides the difference table[all]−table[none] among the factors.
// table is a full factorial: table[mask] is the value measured with the
// factors whose bits are set in mask at their second setting, the others at
// their first; k ≤ 10 factors make 2^k cells.
//
// The part of a factor is its effect averaged over all orders in which the
// factors can be switched (Shapley, 1953): the only division that sums to the
// difference exactly, treats factors that act alike alike, gives nothing to
// one without effect, and adds up over sums of tables. Values must be such that
// they add: seconds per byte, not bytes per second. Nil if the table is not
// usable or its length not such a power of two.
func Shapley(table []float64) []contribution {
	k, ok := factors(table)
	if !ok {
		return nil
	}
	weights := orderWeights(k)
	res := make([]contribution, k)
	for i := range res {
		c := contribution{Least: math.Inf(1), Greatest: math.Inf(-1)}
		for mask, v := range table {
			if mask>>i&1 == 1 {
				continue
			}
			effect := table[mask|1<<i] - v
			c.Phi.Value += weights[bits.OnesCount(uint(mask))] * effect
			c.Least, c.Greatest = min(c.Least, effect), max(c.Greatest, effect)
		}
		res[i] = c
	}
	return res
}

// orderWeights[s] is the share of all orders of k factors in which a given one
// comes right after a given set of s others: s!·(k−s−1)!/k!.
func orderWeights(k int) []float64 {
	w := make([]float64, k)
	for s := range w {
		// 1 / (k · C(k−1, s))
		binomial := 1.0
		for j := range s {
			binomial = binomial * float64(k-1-j) / float64(j+1)
		}
		w[s] = 1 / (float64(k) * binomial)
	}
	return w
}

// interactions returns for each pair of factors how much the effect of one
// depends on the setting of the other, averaged over the orders of the rest
// (Grabisch and Roubens, International Journal of Game Theory 28, 1999):
// positive if together they cost more than the sum of each alone. The matrix is
// symmetric with a zero diagonal. Nil as for Shapley.
func interactions(table []float64) [][]float64 {
	k, ok := factors(table)
	if !ok {
		return nil
	}
	res := make([][]float64, k)
	for i := range res {
		res[i] = make([]float64, k)
	}
	if k < 2 {
		return res
	}
	weights := orderWeights(k - 1)
	for i := range k {
		for j := range i {
			sum, a, b := 0.0, 1<<i, 1<<j
			for mask, v := range table {
				if mask&(a|b) == 0 {
					sum += weights[bits.OnesCount(uint(mask))] * (table[mask|a|b] - table[mask|a] - table[mask|b] + v)
				}
			}
			res[i][j], res[j][i] = sum, sum
		}
	}
	return res
}
