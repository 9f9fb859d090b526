package measure

import "slices"

// maxStreams is how many sequential streams are followed at once, so that
// interleaved streams are not taken for random access.
const maxStreams = 16

// streams are the runs of consecutive accesses that may go on.
type streams struct {
	ends  []int64 // of each; by themselves, because every access is compared with all of them
	runs  []run
	order []uint8 // their numbers, the one that went on last at the end
}

// run is a stream of consecutive accesses.
type run struct{ bytes, hits int64 }

// goOn has the stream that ends at a place go on; it is false if none does.
func (s *streams) goOn(at, n int64) bool {
	for i, end := range s.ends {
		if end == at {
			s.ends[i] += n
			s.runs[i].bytes += n
			s.runs[i].hits++
			s.last(slices.Index(s.order, uint8(i)))
			return true
		}
	}
	return false
}

// begin begins a stream. If there are too many it takes the place of the one that did not go on for longest, and
// returns the bytes of that.
func (s *streams) begin(at, n int64) (ended int64) {
	if i := len(s.ends); i < maxStreams {
		s.ends, s.runs, s.order = append(s.ends, at+n), append(s.runs, run{n, 1}), append(s.order, uint8(i))
		return 0
	}
	i := s.order[0]
	ended = s.runs[i].bytes
	s.ends[i], s.runs[i] = at+n, run{n, 1}
	s.last(0)
	return ended
}

// last moves a number to the end of the order.
func (s *streams) last(from int) {
	o := s.order[from:]
	if end := len(o) - 1; end > 0 {
		first := o[0]
		copy(o, o[1:])
		o[end] = first
	}
}
