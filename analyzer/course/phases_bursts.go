package course

import "slices"

// bursts are the stretches of a curve between pauses. Work that comes in
// bursts, as under a limit of so many bytes per slice of time, would give
// chunks with one pause, with two and with none by turns: the bytes of a burst
// count as spread over it and its pause.
type bursts struct {
	curve *speed
	first []int // piece of each
	after bool  // a pause counts for the burst before it: whoever sets a limit may let it pay
}

// pause is how many times longer than the typical piece around it a piece takes
// that had to wait.
const pause = 10

// findBursts finds the pieces that begin a burst: the first of those that had
// to wait.
func findBursts(s *speed) bursts {
	b := bursts{curve: s}
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
			b.first = append(b.first, i)
		}
		waited = waits
	}
	return b
}

// burstChunks is how many chunks the usual burst may take.
const burstChunks = 3

// typical reports whether the bytes come in bursts that are not larger than
// that, nine tenths of them at least: stalls now and then are not meant.
func (b *bursts) typical(per int) bool {
	short, last := 0, 0
	for k := 0; k <= len(b.first); k++ {
		next := len(b.curve.marks)
		if k < len(b.first) {
			next = b.first[k]
		}
		if n := next - last; n <= burstChunks*per {
			short += n
		}
		last = next
	}
	return len(b.first) > 1 && short*10 >= 9*len(b.curve.marks)
}

// smooth is the time at which so many pieces had been moved, the bytes of a burst
// spread over it and its pause.
func (b *bursts) smooth(i, per int) int64 {
	k, found := slices.BinarySearch(b.first, i)
	if !found {
		k--
	}
	if k < 0 || k+1 == len(b.first) || b.first[k+1]-b.first[k] > 2*burstChunks*per {
		return b.curve.mark(i).at
	}
	from, to := b.first[k], b.first[k+1]
	start, end := b.begin(from), b.begin(to)
	return start + (end-start)*int64(i-from)/int64(to-from)
}

// begin is when the time begins that counts for the burst at a piece.
func (b *bursts) begin(piece int) int64 {
	if b.after {
		piece++
	}
	return b.curve.mark(piece).at
}
