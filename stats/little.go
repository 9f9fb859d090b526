package stats

import "slices"

// Span is the life of one operation, in ns: it is in flight for
// Start ≤ t < End.
type Span struct{ Start, End int64 }

// InFlight says how many operations were in flight over a window of time.
type InFlight struct {
	Wall     int64   // length of the window, ns
	Busy     int64   // time with at least one operation in flight, ns
	Integral float64 // of the number in flight over the window, ns
	Latency  float64 // sum of the latencies within the window, ns: equals Integral
	Max      int     // most in flight at once
}

// OverWall is the mean number in flight over the whole window: Little's L
// (Operations Research 9, 1961), what iostat calls aqu-sz. Idle time dilutes
// it. 0 for an empty window.
func (f InFlight) OverWall() float64 {
	if f.Wall == 0 {
		return 0
	}
	return f.Integral / float64(f.Wall)
}

// OverBusy is the mean number in flight while there was any: at least 1, or 0
// if there never was one.
func (f InFlight) OverBusy() float64 {
	if f.Busy == 0 {
		return 0
	}
	return f.Integral / float64(f.Busy)
}

// Depth sweeps over operations, in any order, and returns what was in flight
// from start to end. Operations that reach beyond the window count with the
// part inside; those that end before they start count as nothing.
//
// By Little's law the integral of the depth is the sum of the latencies.
// Integral and Latency are computed in different ways, so that a caller can
// check that one is the other to 1e-9.
func Depth(ops []Span, start, end int64) InFlight {
	if end <= start {
		return InFlight{}
	}
	f := InFlight{Wall: end - start}
	begins, ends := make([]int64, 0, len(ops)), make([]int64, 0, len(ops))
	for _, o := range ops {
		from, to := max(o.Start, start), min(o.End, end)
		if from >= to {
			continue
		}
		f.Latency += float64(to - from)
		begins, ends = append(begins, from), append(ends, to)
	}
	slices.Sort(begins)
	slices.Sort(ends)
	depth, at := 0, start
	for len(ends) > 0 {
		// At equal times ends come first: such operations did not overlap.
		next, change := ends[0], -1
		if len(begins) > 0 && begins[0] < ends[0] {
			next, change = begins[0], 1
			begins = begins[1:]
		} else {
			ends = ends[1:]
		}
		f.Integral += float64(depth) * float64(next-at)
		if depth > 0 {
			f.Busy += next - at
		}
		depth += change
		f.Max = max(f.Max, depth)
		at = next
	}
	return f
}
