package drive

import "math"

// Cell is one measurement of a benchmark on another drive.
type Cell struct {
	Write   bool
	Random  bool
	Block   int64   // bytes
	Depth   int     // operations in flight
	Rate    float64 // bytes per ns
	Latency float64 // ns, the median; 0 if it was not measured
}

func (c *Cell) service() service {
	switch {
	case c.Write && c.Random:
		return randomWrite
	case c.Write:
		return sequentialWrite
	case c.Random:
		return randomRead
	}
	return sequentialRead
}

// ModelOf makes a model of a drive from what was measured on it: the latency of
// each kind from its smallest blocks with one in flight, the rate of the link from
// the fastest cell, and how many it serves at once from the deepest one of small
// blocks. It is false if no cell had one operation in flight.
func ModelOf(cells []Cell) (Model, bool) {
	m := Model{Rate: [2]float64{math.Inf(1), math.Inf(1)}, Parallel: unlimited}
	var fastest [2]float64
	for _, c := range cells {
		d := c.service().direction()
		fastest[d] = max(fastest[d], c.Rate)
	}
	for d, rate := range fastest {
		if rate > 0 {
			m.Rate[d] = rate
		}
	}
	var smallest [services]*Cell
	for i := range cells {
		c := &cells[i]
		if k := c.service(); c.Depth == 1 && c.Latency > 0 && (smallest[k] == nil || c.Block < smallest[k].Block) {
			smallest[k] = c
		}
	}
	known := [services]bool{}
	for k, c := range smallest {
		if c != nil {
			m.Latency[k], known[k] = max(c.Latency-m.transfer(service(k), c.Block), 0), true
		}
	}
	if known == [services]bool{} {
		return m, false
	}
	m.Latency = alike(m.Latency, known)
	m.Parallel = atOnce(m, cells)
	return m, true
}

// atOnce is how many requests a drive serves at once: as many as the operations a
// second of the deepest cell of small blocks need.
func atOnce(m Model, cells []Cell) int {
	var deepest *Cell
	for i := range cells {
		if c := &cells[i]; c.Block <= 64<<10 && c.Depth > 1 && (deepest == nil || c.Depth > deepest.Depth) {
			deepest = c
		}
	}
	if deepest == nil {
		return unlimited
	}
	n := deepest.Rate / float64(deepest.Block) * m.alone(deepest.service(), deepest.Block)
	if n >= 0.9*float64(deepest.Depth) {
		return unlimited // as many as were asked for
	}
	return max(int(math.Round(n)), 1)
}
