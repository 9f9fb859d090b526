package fiojobs

import (
	"github.com/iotrace/iotrace/analyzer/timeline"
)

// shape is what the operations of a workload add up to.
type shape struct {
	depth       timeline.Depth // of reads and writes
	sides       map[action]*side
	syncs       map[action]int64
	first, last int64
	busy, area  int64
	end, late   int64           // of the operation before; what beginning after it would have cost all of them
	submitted   int64           // operations that were asynchronous
	libaio      int64           // those that came through it
	next        map[*file]int64 // where the last operation ended
}

// side is the reads, or the writes.
type side struct {
	count, bytes int64
	jumps        int64 // that did not begin where the one before on the file ended; the first of a file is none
	sizes        map[int64]int64
}

// maxSizes bounds the sizes that are told apart.
const maxSizes = 1 << 16

func newShape() *shape {
	return &shape{sides: map[action]*side{read: {sizes: map[int64]int64{}}, write: {sizes: map[int64]int64{}}},
		syncs: map[action]int64{}, next: map[*file]int64{}, first: -1}
}

// add takes the next operation, in the order of their starts.
func (s *shape) add(o *operation) {
	if s.first < 0 {
		s.first = o.start
	} else {
		s.late += max(s.end-o.start, 0)
	}
	s.end = o.end
	s.last = max(s.last, o.end)
	side := s.sides[o.action]
	if side == nil {
		s.syncs[o.action]++
		return
	}
	s.depth.Add(o.start, o.end)
	s.area += max(o.end-o.start, 0)
	side.count++
	side.bytes += o.length
	if o.submitted {
		s.submitted++
	}
	if o.libaio {
		s.libaio++
	}
	if at, known := s.next[o.file]; known && at != o.offset {
		side.jumps++
	}
	s.next[o.file] = o.offset + o.length
	if _, known := side.sizes[o.length]; known || len(side.sizes) < maxSizes {
		side.sizes[o.length]++
	}
}

// finish completes the depth.
func (s *shape) finish() {
	s.depth.Finish()
	s.busy = s.depth.Busy()
}

// operations is how many reads and writes there were.
func (s *shape) operations() int64 { return s.sides[read].count + s.sides[write].count }

// mean is how many were in flight while any was.
func (s *shape) mean() float64 {
	if s.busy == 0 {
		return 1
	}
	return max(1, float64(s.area)/float64(s.busy))
}

// replayed is the depth that fio replays them with. It counts a pause from when it began the operation before if it
// does one at a time, and otherwise from when that was submitted, and never makes up for what is late. So where little
// was in flight together, one after the other comes closer to the recorded times: a hundredth later at most.
func (s *shape) replayed() int {
	if s.late*100 <= s.last-s.first {
		return 1
	}
	return s.depth.Max()
}

// What fio needs at least to submit an operation of several at once, with a thread of the kernel to do it (ns), and by
// how much pauses are shortened for that at most (percent).
const (
	submitting = 10_000
	mostScaled = 110
)

// scale is how much faster (percent) fio has to go on in the log to be in time, as it loses what submitting takes each
// time. A log that has no time for pauses is not helped by that.
func (s *shape) scale() int64 {
	n := s.operations()
	for _, syncs := range s.syncs {
		n += syncs
	}
	apart := (s.last - s.first) / max(n, 1)
	if apart <= submitting {
		return 100
	}
	return min((100*apart+(apart-submitting)/2)/(apart-submitting), mostScaled)
}

// threads is how many do what so many operations at once take: a call holds its thread until
// it returns, where one thread can submit all those that are asynchronous.
func (s *shape) threads(depth int) int {
	if 2*s.submitted > s.operations() {
		return 1
	}
	return depth
}
