//go:build linux

package ebpf

import (
	"iter"
	"maps"
)

// window keeps a value for each of the latest numbers of a growing sequence, and
// for older ones that are still asked for. A recording may last for days: what
// nobody has asked for while many new numbers came is forgotten. Where time goes
// by in turns, so is what nobody has asked for in the last ones.
type window[V any] struct {
	chunks []*[chunkSize]slot[V] // of consecutive numbers
	first  uint32                // index of the first chunk in the sequence of all
	kept   map[uint32]*slot[V]   // of older chunks
	clock  uint32                // goes up with each chunk and each turn; 0: nothing was added
	turns  [remembered]turn      // the last ones
	begun  uint32                // how many turns were
}

// What is announced in a turn is valid for some, and remembered for two more.
const (
	validFor   = 2
	remembered = validFor + 2
)

// turn is where a window was as a turn began.
type turn struct{ clock, chunk uint32 }

const (
	chunkSize = 4096
	// mostChunks is twice as many numbers as the probes remember (places and inodes
	// in bpf/file.h): what falls out they have forgotten before.
	mostChunks = 2 * 2 * 65536 / chunkSize
)

type slot[V any] struct {
	value V
	there bool
	asked uint32 // on the clock
}

// at is the value of a number, nil if there is none. It counts as asking.
func (w *window[V]) at(n uint32) *V {
	s := w.find(n)
	if s == nil {
		return nil
	}
	s.asked = w.clock
	return &s.value
}

func (w *window[V]) find(n uint32) *slot[V] {
	if i := n/chunkSize - w.first; i < uint32(len(w.chunks)) { // below first it is huge
		if s := &w.chunks[i][n%chunkSize]; s.there {
			return s
		}
		return nil
	}
	return w.kept[n]
}

// add makes room for the value of a number.
func (w *window[V]) add(n uint32) *V {
	for w.clock == 0 || n/chunkSize >= w.first+uint32(len(w.chunks)) {
		w.grow()
	}
	if n/chunkSize < w.first { // an announcement that comes very late
		s := &slot[V]{there: true, asked: w.clock}
		w.kept[n] = s
		return &s.value
	}
	s := &w.chunks[n/chunkSize-w.first][n%chunkSize]
	s.there, s.asked = true, w.clock
	return &s.value
}

// grow adds a chunk, and drops the oldest one if there are too many.
func (w *window[V]) grow() {
	w.clock++
	w.chunks = append(w.chunks, new([chunkSize]slot[V]))
	if len(w.chunks) > mostChunks {
		w.keep(w.first+1, w.clock-mostChunks/2)
	}
}

// age begins a turn. It forgets what was neither added nor asked for in the last ones, as far as it is older than all
// of a chunk.
func (w *window[V]) age() {
	if w.clock == 0 {
		return
	}
	w.clock++
	place := &w.turns[w.begun%remembered]
	before := *place
	*place = turn{w.clock, w.first + uint32(len(w.chunks)) - 1}
	w.begun++
	w.keep(before.chunk, before.clock)
}

// keep drops the chunks before one. Of what they have, and of what is older, it keeps what was asked for since.
func (w *window[V]) keep(chunk, since uint32) {
	kept := map[uint32]*slot[V]{} // a map keeps the room that it once took
	for n, s := range w.kept {
		if s.asked >= since {
			kept[n] = s
		}
	}
	for ; w.first < chunk; w.first++ {
		for i := range w.chunks[0] {
			if s := &w.chunks[0][i]; s.there && s.asked >= since {
				kept[w.first*chunkSize+uint32(i)] = s.alone()
			}
		}
		w.chunks[0] = nil
		w.chunks = w.chunks[1:]
	}
	w.kept = kept
}

// alone is a copy that holds no chunk.
func (s *slot[V]) alone() *slot[V] {
	c := *s
	return &c
}

// recent keeps what was put or asked for last: at least limit keys and at most
// twice as many.
type recent[K comparable, V any] struct {
	limit      int
	young, old map[K]V
	removed    int           // values, since the maps were made
	dropped    func(map[K]V) // told of what is forgotten; may be nil
}

func newRecent[K comparable, V any](limit int) recent[K, V] {
	return recent[K, V]{limit: limit, young: map[K]V{}, old: map[K]V{}}
}

func (r *recent[K, V]) put(k K, v V) {
	if len(r.young) >= r.limit {
		if r.dropped != nil {
			for k := range r.young {
				delete(r.old, k)
			}
			r.dropped(r.old)
		}
		// The room of what is forgotten is taken again.
		r.old, r.young = r.young, r.old
		clear(r.young)
	}
	r.young[k] = v
}

func (r *recent[K, V]) get(k K) (V, bool) {
	v, ok := r.young[k]
	if ok {
		return v, true
	}
	if v, ok = r.old[k]; ok {
		r.put(k, v)
	}
	return v, ok
}

// peek does not count as asking.
func (r *recent[K, V]) peek(k K) (v V, ok bool) {
	if v, ok = r.young[k]; !ok {
		v, ok = r.old[k]
	}
	return v, ok
}

// all are the values that are kept, which does not count as asking. Those that are visited may be removed meanwhile.
func (r *recent[K, V]) all() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for k, v := range r.young {
			if !yield(k, v) {
				return
			}
		}
		for k, v := range r.old {
			if _, again := r.young[k]; !again && !yield(k, v) {
				return
			}
		}
	}
}

func (r *recent[K, V]) remove(k K) {
	delete(r.young, k)
	delete(r.old, k)
	r.removed++
}

// compact makes the maps anew if as many values were removed as are left. A map keeps the room that it once took, and
// one that values come to and go from takes more now and then.
func (r *recent[K, V]) compact() {
	if r.removed >= len(r.young)+len(r.old) {
		r.removed, r.young, r.old = 0, anew(r.young), anew(r.old)
	}
}

func anew[K comparable, V any](m map[K]V) map[K]V {
	n := make(map[K]V, len(m))
	maps.Copy(n, m)
	return n
}
