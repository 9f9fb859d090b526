package fio

import "github.com/iotrace/iotrace/analyzer/program"

// shape is what the operations of a workload add up to.
type shape struct {
	flight      program.Flight // reads and writes
	sides       map[action]*side
	syncs       map[action]int64
	first, last int64
	end, late   int64 // of the operation before; what beginning after it would have cost all of them
	submitted   int64 // operations that were asynchronous
	libaio      int64 // those that came through it
	files       map[*file]program.Position
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
		syncs: map[action]int64{}, files: map[*file]program.Position{}, first: -1}
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
	s.flight.Add(o.start, o.end)
	side.count++
	side.bytes += o.length
	if o.submitted {
		s.submitted++
	}
	if o.libaio {
		s.libaio++
	}
	at := s.files[o.file]
	if _, follows, first := at.Move(o.offset, o.length); !follows && !first {
		side.jumps++
	}
	s.files[o.file] = at
	if _, known := side.sizes[o.length]; known || len(side.sizes) < maxSizes {
		side.sizes[o.length]++
	}
}

// operations is how many reads and writes there were.
func (s *shape) operations() int64 { return s.sides[read].count + s.sides[write].count }

// replayed is the depth that fio replays them with. It counts a pause from when it began the operation before if it
// does one at a time, and otherwise from when that was submitted, and never makes up for what is late. So where little
// was in flight together, one after the other comes closer to the recorded times: a hundredth later at most.
func (s *shape) replayed() int {
	if s.late*100 <= s.last-s.first {
		return 1
	}
	return s.flight.Max()
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
