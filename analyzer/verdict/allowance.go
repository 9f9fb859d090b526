package verdict

// This file says what a limit of a control group came to while a workload ran: groups are joined, and limits
// set and lifted, meanwhile.

import "github.com/iotrace/iotrace/analyzer/profile"

// allowance is what a limit came to, a second.
type allowance struct {
	Mean      float64 // while there was one; 0 if that was for too little of the time
	Low, High int64
	Lowest    int // which of the limits that was
}

// allowanceOf follows a number of one of the limits of I/O, the rate of it, through what else was set of the same group
// at the same device, from begin to end (ns).
func allowanceOf(limits []profile.IOLimit, of int, rate func(*profile.IOLimit) int64, begin, end int64) (a allowance) {
	since, last := begin, int64(0)
	var sum float64
	var held int64
	until := func(at int64) {
		if at = max(at, begin); last > 0 {
			sum += float64(last) * float64(at-since)
			held += at - since
		}
		since = at
	}
	for i := range limits {
		l := &limits[i]
		if l.Group != limits[of].Group || l.Device != limits[of].Device || l.FromNS >= end {
			continue
		}
		until(l.FromNS)
		if last = rate(l); last == 0 {
			continue
		}
		if held == 0 || last < a.Low {
			a.Low, a.Lowest = last, i
		}
		if held == 0 || last > a.High {
			a.High = last
		}
	}
	if until(end); held > 0 && float64(held) >= twoThirds*float64(end-begin) { // a program may join its group late
		a.Mean = sum / float64(held)
	}
	return a
}

// Text is "10 MB/s", or "5 MB/s to 10 MB/s" if it changed, in words for a number.
func (a allowance) Text(words func(int64) string) string {
	if a.Low == a.High {
		return words(a.Low)
	}
	return words(a.Low) + " to " + words(a.High)
}
