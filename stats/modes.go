package stats

import "math"

// The rule by which a sample is called bimodal. All three must hold: the dip
// test alone finds two clumps 3 % apart, the BIC alone prefers two components
// for any skewed sample.
const (
	bimodalP    = 0.05 // dip test on ln y: P less than this
	bimodalBIC  = 10   // BIC(1) − BIC(2) greater than this: "very strong" on Raftery's scale
	bimodalD    = 2    // Ashman's D greater than this: clean separation
	leastMode   = 3    // values: fewer are stalls, not a mode
	leastValues = 6    // in a sample that is looked at
)

// mode is one of the values around which a sample gathers.
type mode struct {
	Median float64 // of the values that belong to it, in their unit
	Weight float64 // share of the values, 0 to 1
}

// modality says whether a sample has one mode or several.
type modality struct {
	Bimodal bool   // two or three modes: a mean of the sample describes none of its values
	Modes   []mode // by ascending median; one if not Bimodal

	// The evidence.
	Dip      dipTest // on ln y
	DeltaBIC float64 // BIC of one normal distribution of ln y less that of two; −Inf if two cannot be fitted
	Ashman   float64 // separation of the two: √2·|μ₁−μ₂|/√(σ₁²+σ₂²)
}

// FindModes looks for modes in rates, latencies or sizes, all above zero, in any
// order. The sample is bimodal if, on logarithms, the dip test has P < 0.05,
// two normal distributions have a BIC better by more than 10 than one, and
// their Ashman D (Astronomical Journal 108, 1994) is above 2. It then has
// three modes if a third distribution improves the BIC by more than 10 again
// and all neighbours have D > 2, otherwise two. A mode has three values at least.
//
// The dip test wants numbers: a second mode that holds half of the values is
// seen from about 25 values on, one that holds a tenth from several hundred.
// Fewer than six values have one mode. The result has no Modes if y is not
// usable or not above zero throughout.
func FindModes(y []float64) modality {
	if !positive(y) {
		return modality{Dip: dipTest{math.NaN(), math.NaN()}, DeltaBIC: math.NaN(), Ashman: math.NaN()}
	}
	z := logs(y)
	s := Sorted(z)
	d := dipSorted(s, 1e-9)
	m := modality{Dip: dipTest{d, dipP(d, len(s))}, DeltaBIC: math.Inf(-1)}
	if len(s) < leastValues {
		m.assign(y, z, nil)
		return m
	}
	pts := condense(s)
	one, two := fitMixture(pts, 1), fitMixture(pts, 2)
	m.DeltaBIC = one.BIC - two.BIC
	m.Ashman = separation(two.Components)
	m.Bimodal = m.Dip.P < bimodalP && m.DeltaBIC > bimodalBIC && m.Ashman > bimodalD
	if !m.Bimodal {
		m.assign(y, z, nil)
		return m
	}
	if three := fitMixture(pts, 3); two.BIC-three.BIC > bimodalBIC && separation(three.Components) > bimodalD &&
		m.assign(y, z, three.Components) {
		return m
	}
	if m.Bimodal = m.assign(y, z, two.Components); !m.Bimodal {
		m.assign(y, z, nil)
	}
	return m
}

// separation is the least Ashman D between neighbours, 0 if there are none.
func separation(c []component) float64 {
	if len(c) < 2 {
		return 0
	}
	least := math.Inf(1)
	for i := 1; i < len(c); i++ {
		d := math.Sqrt2 * (c[i].Mean - c[i-1].Mean) / math.Hypot(c[i].SD, c[i-1].SD)
		least = math.Min(least, d)
	}
	return least
}

// assign gives every value to a mode and reports whether each mode has enough.
// z are the logarithms of y.
func (m *modality) assign(y, z []float64, c []component) bool {
	groups := make([][]float64, max(1, len(c)))
	for i, v := range z {
		g := nearest(c, v)
		groups[g] = append(groups[g], y[i])
	}
	m.Modes = make([]mode, len(groups))
	enough := true
	for g, values := range groups {
		m.Modes[g] = mode{Median(values), float64(len(values)) / float64(len(y))}
		enough = enough && len(values) >= leastMode
	}
	return enough
}

// nearest is the component v most likely comes from, of the two whose means it
// lies between: a wide component does not reach across a narrow one.
func nearest(c []component, v float64) int {
	for j := range c {
		if j == len(c)-1 || v <= c[j].Mean {
			return j
		}
		if v < c[j+1].Mean {
			if logDensity(c[j], v) >= logDensity(c[j+1], v) {
				return j
			}
			return j + 1
		}
	}
	return 0
}

func logDensity(c component, v float64) float64 {
	u := (v - c.Mean) / c.SD
	return math.Log(c.Weight/c.SD) - u*u/2
}
