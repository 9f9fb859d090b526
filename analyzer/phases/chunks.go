package phases

import (
	"math"
	"math/bits"
	"slices"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/stats"
)

// Steps of speed are looked for in equal chunks of bytes: at most about
// maxChunks of them, and not in fewer than minChunks.
const (
	maxChunks = 256
	minChunks = 20
	minChunk  = 1 << 20
	inChunk   = 8 // pieces in a chunk, at first
)

// A chunk has to be larger than what happens within one, or its speed means
// nothing. Chunks are joined two by two until all of this holds, or too few
// would be left; what is found plays no part in it.
const (
	// briefest is the least time that the typical chunk takes. The shortest level
	// then lasts 100 ms: the kernel itself lets requests of a group with a limit
	// through in slices of that length (block/blk-throttle.c), and sets the rates of
	// writers every 200 ms (mm/page-writeback.c).
	briefest = 20_000_000
	// tooNoisy is the standard deviation of the logarithm of the rate above which
	// work comes in bursts larger than a chunk.
	tooNoisy = .5
	// tooLarge is the share of bytes in operations larger than a chunk.
	tooLarge = .1
	// fewestJoined is how many chunks joining leaves.
	fewestJoined = 16
)

// chunks is how the pieces of a curve are put together.
type chunks struct {
	piece  int64  // bytes
	chunk  int64  // bytes
	bursts []int  // pieces that begin one
	after  bool   // a pause counts for the burst before it: who sets a limit may let it pay
	ends   []mark // of the chunks
}

func newChunks(chunk int64) chunks { return chunks{piece: chunk / inChunk, chunk: chunk} }

// pause is how many times longer than the typical piece around it a piece takes
// that had to wait.
const pause = 10

// findBursts finds the pieces that begin a burst: the first of those that had
// to wait.
func (s *speed) findBursts() {
	around := make([]int64, 0, 2*inChunk+1)
	took := make([]int64, len(s.marks))
	for i := range took {
		took[i] = s.mark(i+1).at - s.mark(i).at
	}
	waited := false
	for i := range took {
		around = append(around[:0], took[max(0, i-inChunk):min(i+inChunk+1, len(took))]...)
		slices.Sort(around)
		waits := took[i] > pause*around[len(around)/2]
		if waits && !waited {
			s.bursts = append(s.bursts, i)
		}
		waited = waits
	}
}

// divide makes chunks of the current size and returns how much their speed
// varies. Who sets a limit may let a burst wait beforehand or pay afterwards:
// the way that makes the chunks more alike is taken, the first if there is
// little between them.
func (s *speed) divide() stats.Noise {
	before, after := s.join(false), s.join(true)
	if after.Sigma < .8*before.Sigma {
		return after
	}
	return s.join(false)
}

// join makes chunks; after says that a pause counts for the burst before it.
func (s *speed) join(after bool) stats.Noise {
	s.after = after
	per := int(s.chunk / s.piece)
	s.ends = s.ends[:0]
	bursty := s.bursty(per)
	for i := per; i <= len(s.marks); i += per {
		m := s.mark(i)
		if bursty {
			m.at = s.smooth(i, per)
		}
		s.ends = append(s.ends, m)
	}
	return s.noise()
}

// noise is how much the speed of chunks varies: in that half of them in which
// it varies more, because a limit may be there in one only.
func (s *speed) noise() stats.Noise {
	r := s.rates()
	n := stats.NoiseOf(r[:len(r)/2])
	if m := stats.NoiseOf(r[len(r)/2:]); m.Sigma > n.Sigma {
		return m
	}
	return n
}

// burstChunks is how many chunks the usual burst may take.
const burstChunks = 3

// bursty reports whether the bytes come in bursts that are not larger than
// that, nine tenths of them at least: stalls now and then are not meant.
func (s *speed) bursty(per int) bool {
	short, last := 0, 0
	for k := 0; k <= len(s.bursts); k++ {
		next := len(s.marks)
		if k < len(s.bursts) {
			next = s.bursts[k]
		}
		if n := next - last; n <= burstChunks*per {
			short += n
		}
		last = next
	}
	return len(s.bursts) > 1 && short*10 >= 9*len(s.marks)
}

// smooth is the time at which so many pieces had been moved. Work that comes in
// bursts, as under a limit of so many bytes per slice of time, would give
// chunks with one pause, with two and with none by turns: the bytes of a burst
// count as spread over it and its pause.
func (s *speed) smooth(i, per int) int64 {
	k, found := slices.BinarySearch(s.bursts, i)
	if !found {
		k--
	}
	if k < 0 || k+1 == len(s.bursts) || s.bursts[k+1]-s.bursts[k] > 2*burstChunks*per {
		return s.mark(i).at
	}
	from, to := s.bursts[k], s.bursts[k+1]
	start, end := s.begin(from), s.begin(to)
	return start + (end-start)*int64(i-from)/int64(to-from)
}

// begin is when the time begins that counts for the burst at a piece.
func (s *speed) begin(piece int) int64 {
	if s.after {
		piece++
	}
	return s.mark(piece).at
}

// levels finds the levels of the curve: none if there are too few chunks, one
// if the chunks that can be had say too little.
func (s *speed) levels() []stats.Level {
	s.findBursts()
	noise := s.divide()
	if len(s.ends) < minChunks {
		return nil
	}
	for (s.unfit() || noise.Sigma > tooNoisy) && len(s.ends)/2 >= fewestJoined {
		s.chunk *= 2
		noise = s.divide()
	}
	if s.unfit() {
		return []stats.Level{{To: len(s.ends), Median: stats.Median(s.rates())}}
	}
	levels := stats.ChangePoints(s.rates(), stats.ChangeOptions{}).Levels
	if s.after {
		s.join(false)
		place(levels, s.rates())
	}
	return levels
}

// place finds the beginnings of levels anew, in rates in which a pause counts
// for the burst that waited: where squares about the levels on both sides are
// least, up to one burst later. A limit that changes changes the next pause, not
// the last one.
func place(levels []stats.Level, rates []float64) {
	for i := 1; i < len(levels); i++ {
		before, after := &levels[i-1], &levels[i]
		low, high := math.Log(before.Median), math.Log(after.Median)
		best, sum, at := 0.0, 0.0, after.From
		for k := after.From; k < min(after.From+burstChunks, after.To-1); k++ {
			z := math.Log(rates[k])
			sum += (z-low)*(z-low) - (z-high)*(z-high) // of moving chunk k to the level before
			if sum < best {
				best, at = sum, k+1
			}
		}
		before.To, after.From = at, at
	}
}

// unfit reports whether chunks are too small to have a speed.
func (s *speed) unfit() bool { return s.brief() || s.coarse() > tooLarge }

// brief reports whether the typical chunk takes too little time.
func (s *speed) brief() bool {
	took := make([]int64, len(s.ends))
	for i := range s.ends {
		took[i] = s.ends[i].at - s.from(i).at
	}
	slices.Sort(took)
	return took[len(took)/2] < briefest
}

// coarse is the share of the bytes in operations larger than a chunk.
func (s *speed) coarse() float64 {
	n := int64(0)
	for _, bytes := range s.sizes[bits.Len64(uint64(s.chunk-1))+1:] {
		n += bytes
	}
	return float64(n) / float64(max(s.total, 1))
}

// from is what was known when a chunk began.
func (s *speed) from(i int) mark {
	if i == 0 {
		return s.mark(0)
	}
	return s.ends[i-1]
}

// rates are the bytes per second of each chunk.
func (s *speed) rates() []float64 {
	return s.per(func(from, to mark) int64 { return to.at - from.at })
}

// busyRates leave out the time without an operation in flight.
func (s *speed) busyRates() []float64 {
	return s.per(func(from, to mark) int64 { return to.busy - from.busy })
}

func (s *speed) per(took func(from, to mark) int64) []float64 {
	r := make([]float64, len(s.ends))
	for i := range r {
		r[i] = float64(s.chunk) / float64(max(took(s.from(i), s.ends[i]), 1)) * 1e9
	}
	return r
}

// directShare is the part of a level that went past the page cache.
func (s *speed) directShare(l stats.Level) float64 {
	return float64(s.ends[l.To-1].direct-s.from(l.From).direct) / float64(int64(l.To-l.From)*s.chunk)
}

// idle is the part of the time of a level with no operation in flight.
func (s *speed) idle(l stats.Level) float64 {
	from, to := s.from(l.From), s.ends[l.To-1]
	return 1 - float64(to.busy-from.busy)/float64(max(to.at-from.at, 1))
}

// size is the mean size of the operations of a level.
func (s *speed) size(l stats.Level) int64 {
	return int64(l.To-l.From) * s.chunk / max(s.ends[l.To-1].ops-s.from(l.From).ops, 1)
}

func (s *speed) profile() profile.Rates {
	r := profile.Rates{Series: s.name, Device: s.device, Chunk: s.chunk}
	for i, v := range s.rates() {
		r.AtNS = append(r.AtNS, s.ends[i].at)
		r.Rate = append(r.Rate, measure.Whole(v))
		r.Busy = append(r.Busy, s.ends[i].busy-s.from(i).busy)
	}
	return r
}
