package generator

import "github.com/iotrace/iotrace/baseline"

// seriesSlices is the length of a series. Its slices double when time runs
// past the last, so it always covers the whole run and never allocates.
const seriesSlices = 1024

// firstSlice is log2 of the first width of a slice in ns: about a millisecond.
const firstSlice = 20

// series counts bytes per slice of time.
type series struct {
	shift uint // width is 1<<(firstSlice+shift) ns
	bytes [seriesSlices]int64
}

// add counts n bytes at ns after the start.
func (s *series) add(ns, n int64) {
	i := max(ns, 0) >> (firstSlice + s.shift)
	for i >= seriesSlices {
		s.coarsen()
		i >>= 1
	}
	s.bytes[i] += n
}

func (s *series) coarsen() {
	for i := range seriesSlices / 2 {
		s.bytes[i] = s.bytes[2*i] + s.bytes[2*i+1]
	}
	clear(s.bytes[seriesSlices/2:])
	s.shift++
}

func (s *series) merge(o *series) {
	other := *o
	for s.shift < other.shift {
		s.coarsen()
	}
	for other.shift < s.shift {
		other.coarsen()
	}
	for i, n := range other.bytes {
		s.bytes[i] += n
	}
}

// width is the width of a slice in ns.
func (s *series) width() int64 { return 1 << (firstSlice + s.shift) }

// export gives at most n slices up to the end of the run.
func (s *series) export(end int64, n int) baseline.Series {
	c := *s
	for c.width()*int64(n) < end {
		c.coarsen()
	}
	used := min((end+c.width()-1)/c.width(), seriesSlices)
	return baseline.Series{SliceNS: c.width(), Bytes: append([]int64{}, c.bytes[:used]...)}
}

// chunks cuts the course of a run, which lasted until end, into n pieces of
// equal bytes.
func (s *series) chunks(end int64, n int) []chunk {
	var total int64
	for _, b := range s.bytes {
		total += b
	}
	size := total / int64(max(n, 1))
	if size == 0 {
		return nil
	}
	all := make([]chunk, 0, n)
	var done int64
	last := 0.0
	for i, b := range s.bytes {
		from := float64(int64(i) * s.width())
		to := min(from+float64(s.width()), float64(end))
		for next := size * int64(len(all)+1); b > 0 && len(all) < n && done+b >= next; next += size {
			at := from + (to-from)*float64(next-done)/float64(b)
			all = append(all, chunk{Bytes: next, NS: int64(at), Rate: float64(size) / max(at-last, 1) * 1e9})
			last = at
		}
		done += b
	}
	return all
}
