package replay

import (
	"math"
	"slices"
)

// Result says how closely a replay resembled the recording.
type Result struct {
	Type     string `json:"type"`    // "replay"
	Version  int    `json:"version"` // of this form: 1
	Dir      string `json:"dir"`
	ASAP     bool   `json:"asap"`
	Files    int    `json:"files"`
	Threads  int    `json:"threads"`
	Recorded Side   `json:"recorded"`
	Replayed Side   `json:"replayed"`
	// SafeNS is the time until what the replay wrote was on the device; 0 if that
	// was not measured.
	SafeNS int64   `json:"safe_ns,omitempty"`
	Wall   float64 `json:"wall_ratio"` // replayed / recorded
	// SameSizes: every data operation moved as many bytes as in the recording.
	SameSizes bool `json:"same_sizes"`
	// SameOrder: each thread did its operations in the recorded order, and none
	// began before those it waits for had ended.
	SameOrder bool `json:"same_order"`
	// LatencyDistance is the greatest difference of the
	// cumulative distributions of data calls (Kolmogorov and Smirnov), 0 to 1.
	LatencyDistance float64 `json:"latency_distance"`
	// Omitted is the number of calls on the files that were not replayed, and
	// OmittedNS their time when recorded, which the replay spends in pauses.
	Omitted   int64    `json:"omitted_calls"`
	OmittedNS int64    `json:"omitted_ns"`
	Warnings  []string `json:"warnings"`
}

// Side is one of the two.
type Side struct {
	WallNS     int64   `json:"wall_ns"` // from the first operation to the end of the last
	Ops        int64   `json:"operations"`
	Bytes      int64   `json:"bytes"` // of data calls, once per call
	Rate       int64   `json:"bytes_per_s"`
	SizeP50    int64   `json:"size_p50_bytes"`
	SizeP99    int64   `json:"size_p99_bytes"`
	Depth      float64 `json:"mean_depth"` // data calls in flight, over the wall time
	Latency    int64   `json:"latency_p50_ns"`
	LatencyP99 int64   `json:"latency_p99_ns"`
}

// result compares what a session has measured with the recording.
func result(s *session) *Result {
	r := &Result{
		Type: "replay", Version: 1, Dir: s.space.Path(), ASAP: s.asap, Files: len(s.p.Files), Threads: s.p.Threads,
		SameSizes: true, Omitted: s.p.Omitted, OmittedNS: s.p.OmittedNS, Warnings: []string{},
	}
	var before, after []int64
	r.Recorded = side(s.p, &before, func(i int) (at, took, moved int64) { o := &s.p.Ops[i]; return o.At, o.Took, o.Size })
	r.Replayed = side(s.p, &after, func(i int) (at, took, moved int64) { return s.at[i], s.took[i], s.moved[i] })
	for i := range s.p.Ops {
		if o := &s.p.Ops[i]; o.Kind.MovesData() && s.moved[i] != o.Size {
			r.SameSizes = false
		}
	}
	r.SameOrder, r.SafeNS = sameOrder(s), s.safe
	r.Wall = float64(r.Replayed.WallNS) / float64(max(r.Recorded.WallNS, 1))
	r.LatencyDistance = distance(before, after)
	if s.p.Mapped {
		r.Warnings = append(r.Warnings,
			"the recording mapped a file for writing; what was written through the mapping is not replayed")
	}
	return r
}

func sameOrder(s *session) bool {
	ends := make([]int64, s.p.Threads)
	for i := range s.p.Ops {
		o := &s.p.Ops[i]
		if s.at[i] < ends[o.Thread] {
			return false
		}
		for _, j := range o.After {
			if s.at[i] < s.at[j]+s.took[j] {
				return false
			}
		}
		ends[o.Thread] = s.at[i] + s.took[i]
	}
	return true
}

func side(p *Program, latencies *[]int64, of func(i int) (at, took, moved int64)) Side {
	var s Side
	var sizes []int64
	first, busy := int64(math.MaxInt64), int64(0)
	last := int64(0)
	for i := range p.Ops {
		at, took, moved := of(i)
		first, last = min(first, at), max(last, at+took)
		s.Ops++
		if p.Ops[i].Kind.MovesData() {
			s.Bytes += moved
			busy += took
			sizes = append(sizes, moved)
			*latencies = append(*latencies, took)
		}
	}
	slices.Sort(sizes)
	slices.Sort(*latencies)
	s.WallNS = max(last-first, 1)
	s.Rate = int64(float64(s.Bytes) / float64(s.WallNS) * 1e9)
	s.Depth = float64(busy) / float64(s.WallNS)
	s.SizeP50, s.SizeP99 = rank(sizes, 0.5), rank(sizes, 0.99)
	s.Latency, s.LatencyP99 = rank(*latencies, 0.5), rank(*latencies, 0.99)
	return s
}

// rank is the value below which a share of the sorted values lies.
func rank(sorted []int64, share float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}

// distance is the greatest difference between the cumulative distributions of
// two sorted samples.
func distance(a, b []int64) float64 {
	most, i, j := 0.0, 0, 0
	for i < len(a) && j < len(b) {
		v := min(a[i], b[j])
		for i < len(a) && a[i] == v {
			i++
		}
		for j < len(b) && b[j] == v {
			j++
		}
		most = max(most, math.Abs(float64(i)/float64(len(a))-float64(j)/float64(len(b))))
	}
	return most
}
