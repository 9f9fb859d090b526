package perfetto

// series adds up an amount over time, in bins that become wider as the trace becomes
// longer: its size is bounded, and amounts may come in any order.
type series struct {
	width int64     // of a bin, ns: a power of two
	bins  []float64 // amounts
	rises []float64 // difference of the amounts of those bins that are wholly covered, to the bin before
}

const (
	maxBins    = 4096
	firstWidth = 1 << 16 // ns
)

// add spreads an amount over a time. What takes no time lies in one bin.
func (s *series) add(from, to int64, amount float64) {
	s.reach(to)
	first, last := int(from/s.width), int(to/s.width)
	if first == last {
		s.bins[first] += amount
		return
	}
	each := amount / float64(to-from)
	s.bins[first] += each * float64(int64(first+1)*s.width-from)
	s.bins[last] += each * float64(to-int64(last)*s.width)
	s.rises[first+1] += each * float64(s.width)
	s.rises[last] -= each * float64(s.width)
}

// reach makes the bins hold a time.
func (s *series) reach(at int64) {
	if s.width == 0 {
		s.width = firstWidth
	}
	for at/s.width >= maxBins {
		s.settle()
		n := 0
		for ; 2*n < len(s.bins); n++ {
			sum := s.bins[2*n]
			if 2*n+1 < len(s.bins) {
				sum += s.bins[2*n+1]
			}
			s.bins[n] = sum
		}
		s.bins, s.rises = s.bins[:n], s.rises[:n]
		s.width *= 2
	}
	if n := int(at/s.width) + 1; n > len(s.bins) {
		s.bins = append(s.bins, make([]float64, n-len(s.bins))...)
		s.rises = append(s.rises, make([]float64, n-len(s.rises))...)
	}
}

// settle adds the amounts of the bins that are wholly covered.
func (s *series) settle() {
	level := 0.0
	for i := range s.bins {
		level += s.rises[i]
		s.bins[i] += level
		s.rises[i] = 0
	}
}

// steps says where the mean rate, in amounts each ns, changes to what.
func (s *series) steps(step func(at int64, rate float64)) {
	s.settle()
	last := 0.0
	for i, amount := range s.bins {
		rate := amount / float64(s.width)
		if rate < 1e-12*float64(maxBins) { // what is left of sums and differences
			rate = 0
		}
		if rate != last {
			step(int64(i)*s.width, rate)
		}
		last = rate
	}
	if last != 0 {
		step(int64(len(s.bins))*s.width, 0)
	}
}
