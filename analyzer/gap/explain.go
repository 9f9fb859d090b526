package gap

import (
	"math"

	"github.com/iotrace/iotrace/stats"
)

// The limits beyond which contributions are not ranked.
const (
	maxResidual = 0.25 // of the gap, workload cell against recording
	maxMiss     = 0.10 // benchmark cell against the benchmark's own number
)

// Contribution is the part of a factor in the gap, in seconds per GB.
type Contribution struct {
	Factor
	Phi      float64 `json:"seconds_per_gb"`
	Low      float64 `json:"low"`  // 95 % bootstrap interval;
	High     float64 `json:"high"` // both equal the value if there are fewer than six repetitions
	Share    float64 `json:"share"`
	Least    float64 `json:"order_least"` // of its effects over all settings of the others
	Greatest float64 `json:"order_greatest"`
	Verdict  string  `json:"verdict"` // "resolved", "sign depends on order", "not resolved"
}

// Interaction is what two factors cost together beyond the sum of each alone.
type Interaction struct {
	A       string  `json:"a"`
	B       string  `json:"b"`
	Seconds float64 `json:"seconds_per_gb"`
}

// Closure compares an anchor cell with what it stands for, in seconds per GB.
type Closure struct {
	Cell    float64 `json:"cell_seconds_per_gb"`
	Reality float64 `json:"reality_seconds_per_gb"` // 0 if not known
	// |cell − reality|: of the gap for the workload, of reality for the benchmark
	Error float64 `json:"error"`
	Limit float64 `json:"limit"`
	OK    bool    `json:"ok"` // within the limit, or reality not known
}

// Explanation is the gap between the anchors, divided.
type Explanation struct {
	Gap          float64        `json:"gap_seconds_per_gb"` // workload cell less benchmark cell
	GapLow       float64        `json:"gap_low"`
	GapHigh      float64        `json:"gap_high"`
	Factors      []Contribution `json:"factors"`
	Interactions []Interaction  `json:"interactions"`
	// recording, or its replay if there is one, less workload cell, seconds per GB
	Residual float64 `json:"residual"`
	// Replay is what the recording takes on this disk now, and Moment how much
	// more it took when it was made; both 0 if it was not replayed.
	Replay    float64  `json:"replay_seconds_per_gb"`
	Moment    float64  `json:"moment"`
	Workload  Closure  `json:"workload_anchor"`
	Benchmark Closure  `json:"benchmark_anchor"`
	Noise     float64  `json:"noise"` // median coefficient of variation of the cells
	Drift     bool     `json:"drift"` // the device changed during the experiment
	Ranked    bool     `json:"ranked"`
	Refusals  []string `json:"refusals"` // why not, and what to do
}

// Explain divides the gap among the factors. recorded is the time per GB of the
// recording, claimed that of the benchmark (0 if not known). Nil if a cell was
// never measured.
func Explain(factors []Factor, runs []Measured, recorded, claimed float64, r stats.Resampling) *Explanation {
	cells := cellsOf(len(factors), runs)
	a := stats.Attribute(cells, r)
	if a.Contributions == nil {
		return nil
	}
	e := &Explanation{Factors: []Contribution{}, Interactions: []Interaction{}, Refusals: []string{}}
	none, all := stats.Median(cells[0]), stats.Median(cells[len(cells)-1])
	e.Gap = a.Gap.Value
	e.GapLow, e.GapHigh = ends(a.Gap)
	for i, c := range a.Contributions {
		x := Contribution{Factor: factors[i], Phi: c.Phi.Value, Least: c.Least, Greatest: c.Greatest,
			Verdict: a.Verdicts[i].String()}
		x.Low, x.High = ends(c.Phi)
		if e.Gap != 0 {
			x.Share = x.Phi / e.Gap
		}
		e.Factors = append(e.Factors, x)
	}
	e.Noise = noise(cells)
	e.interactions(a.Interactions, max(none, all)*e.Noise)
	e.Residual = recorded - all
	e.Workload = Closure{Cell: all, Reality: recorded, Limit: maxResidual}
	e.Workload.Error = math.Abs(e.Residual) / max(math.Abs(recorded-none), 1e-12)
	e.Workload.OK = e.Workload.Error <= maxResidual
	e.Benchmark = Closure{Cell: none, Reality: claimed, Limit: maxMiss, OK: true}
	if claimed > 0 {
		e.Benchmark.Error = math.Abs(none-claimed) / claimed
		e.Benchmark.OK = e.Benchmark.Error <= maxMiss
	}
	e.Drift = drifted(cells, runs)
	e.judge("")
	return e
}

// Replayed adds what the recording takes now, in seconds per GB, and closes the
// workload's end with that: a recording is a single run, of another moment.
func (e *Explanation) Replayed(now float64) {
	none := e.Benchmark.Cell
	e.Replay, e.Moment, e.Residual = now, e.Workload.Reality-now, now-e.Workload.Cell
	e.Workload.Error = math.Abs(e.Residual) / max(math.Abs(now-none), 1e-12)
	e.Workload.OK = e.Workload.Error <= maxResidual
	e.judge("")
}

func ends(e stats.Estimate) (low, high float64) {
	if !e.Interval.Known() {
		return e.Value, e.Value
	}
	return e.Low, e.High
}

// interactions lists the pairs that are more than the noise.
func (e *Explanation) interactions(table [][]float64, noise float64) {
	for i := range table {
		for j := range i {
			if math.Abs(table[i][j]) > noise {
				e.Interactions = append(e.Interactions, Interaction{e.Factors[j].ID, e.Factors[i].ID, table[i][j]})
			}
		}
	}
}

// noise is the median over cells of (max − min) / median, scaled to a standard
// deviation for six values (the range of six normal values is 2.53 of them).
func noise(cells [][]float64) float64 {
	var all []float64
	for _, c := range cells {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range c {
			low, high = min(low, v), max(high, v)
		}
		if m := stats.Median(c); m > 0 {
			all = append(all, (high-low)/2.53/m)
		}
	}
	return stats.Median(all)
}

// Ranking lists the indices of the factors by their part, greatest first; only
// those that are resolved. Nil if nothing may be ranked.
func (e *Explanation) Ranking() []int {
	if !e.Ranked {
		return nil
	}
	var order []int
	for i, c := range e.Factors {
		if c.Verdict != stats.Resolved.String() {
			continue
		}
		at := len(order)
		for at > 0 && math.Abs(e.Factors[order[at-1]].Phi) < math.Abs(c.Phi) {
			at--
		}
		order = append(order[:at], append([]int{i}, order[at:]...)...)
	}
	return order
}
