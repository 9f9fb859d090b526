package compare

// The states of a Value.
const (
	Known   = "known"
	None    = "none"    // known not to occur: no syncs, no requests
	Unknown = "unknown" // Reason says why
)

// A Value is what one side says about one dimension: a distribution of a
// quantity (Points) or shares of kinds (Shares).
type Value struct {
	State   string    `json:"state"`
	Reason  string    `json:"reason,omitempty"`
	Typical *float64  `json:"typical"`          // median of Points; depths and rates: mean; of Shares the first
	Points  []Point   `json:"points,omitempty"` // ascending; weights add up to 1
	Shares  []Share   `json:"shares,omitempty"` // they add up to 1
	Samples []float64 `json:"samples,omitempty"`

	runs []Value // that were pooled
}

// Point is a value and its share of the whole: of the bytes (sizes, runs), of
// the time (depths) or of the operations (times).
type Point struct {
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// Share is the share of one kind.
type Share struct {
	Kind  string  `json:"kind"`
	Share float64 `json:"share"`
}

func unknown(reason string) Value { return Value{State: Unknown, Reason: reason} }
func none(what string) Value      { return Value{State: None, Reason: what} }

// settle sets the typical value.
func (v *Value) settle(k *kind) {
	if v.State != Known {
		return
	}
	t := v.typical(k)
	v.Typical = &t
	if len(v.Samples) == 0 {
		v.Samples = []float64{t}
	}
}

func (v *Value) typical(k *kind) float64 {
	if len(v.Shares) > 0 {
		return v.Shares[0].Share
	}
	if k.mean {
		sum := 0.0
		for _, p := range v.Points {
			sum += p.Value * p.Weight
		}
		return sum
	}
	return v.quantile(0.5)
}

// quantile is the value that a share q of the weight does not exceed.
func (v *Value) quantile(q float64) float64 {
	seen := 0.0
	for _, p := range v.Points {
		if seen += p.Weight; seen >= q-1e-9 {
			return p.Value
		}
	}
	return v.Points[len(v.Points)-1].Value
}

// share of a kind; 0 if there is none of it.
func (v *Value) share(kind string) float64 {
	for _, s := range v.Shares {
		if s.Kind == kind {
			return s.Share
		}
	}
	return 0
}

// pool joins the values of several runs, each with the same weight.
func pool(values []Value, k *kind) Value {
	if len(values) == 1 {
		return values[0]
	}
	missing := 0
	for _, v := range values {
		switch v.State {
		case Unknown:
			return v
		case None:
			missing++
		}
	}
	if missing > 0 {
		if missing < len(values) {
			return unknown("some of the runs have it and some have not")
		}
		return values[0]
	}
	points, shares := spread{}, portions{}
	var samples []float64
	for _, v := range values {
		for _, p := range v.Points {
			points.add(p.Value, p.Weight)
		}
		for _, s := range v.Shares {
			shares = shares.plus(s)
		}
		samples = append(samples, v.typical(k))
	}
	v := points.value(Value{})
	if len(shares) > 0 {
		v = shares.value(Value{})
	}
	v.Samples, v.runs = samples, values
	return v
}

// quantiles are those of each run; of a side of one run, the one.
func (v *Value) quantiles(q float64) []float64 {
	if len(v.runs) == 0 {
		return []float64{v.quantile(q)}
	}
	all := make([]float64, len(v.runs))
	for i := range v.runs {
		all[i] = v.runs[i].quantile(q)
	}
	return all
}
