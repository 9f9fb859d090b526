package program

import "github.com/iotrace/iotrace/analyzer/timeline"

// Flight is how many steps are in flight together. They are added in the order of their starts.
type Flight struct {
	timeline.Depth
	took, steps int64
}

// Add takes the next step.
func (f *Flight) Add(start, end int64) {
	f.Depth.Add(start, end)
	f.took += max(end-start, 0)
	f.steps++
}

// Mean is how many were in flight while any was, and 1 where none was.
func (f *Flight) Mean() float64 {
	if f.Busy() == 0 {
		return 1
	}
	return max(1, float64(f.took)/float64(f.Busy()))
}

// Latency is what each took on average, in seconds.
func (f *Flight) Latency() float64 { return float64(f.took) / 1e9 / float64(max(f.steps, 1)) }
