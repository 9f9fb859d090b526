//go:build linux

package ebpf

import "iter"

// window keeps a value for each of the latest numbers of a growing sequence, and
// for older ones that are still asked for. A recording may last for days: what
// nobody has asked for while many new numbers came is forgotten.
type window[V any] struct {
	chunks []*[chunkSize]slot[V] // of consecutive numbers
	first  uint32                // index of the first chunk in the sequence of all
	kept   map[uint32]*slot[V]   // of older chunks
	clock  uint32                // goes up with each chunk; 0: nothing was added
}

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
	if len(w.chunks) <= mostChunks {
		return
	}
	if w.kept == nil {
		w.kept = map[uint32]*slot[V]{}
	}
	for n, s := range w.kept {
		if w.stale(s) {
			delete(w.kept, n)
		}
	}
	for i := range w.chunks[0] {
		if s := w.chunks[0][i]; s.there && !w.stale(&s) {
			w.kept[w.first*chunkSize+uint32(i)] = &s
		}
	}
	w.chunks[0] = nil
	w.chunks = w.chunks[1:]
	w.first++
}

func (w *window[V]) stale(s *slot[V]) bool { return w.clock-s.asked > mostChunks/2 }

// recent keeps what was put or asked for last: at least limit keys and at most
// twice as many.
type recent[K comparable, V any] struct {
	limit      int
	young, old map[K]V
	dropped    func(map[K]V) // told of what is forgotten; may be nil
}

func newRecent[K comparable, V any](limit int) recent[K, V] {
	return recent[K, V]{limit: limit, young: map[K]V{}}
}

func (r *recent[K, V]) put(k K, v V) {
	if len(r.young) >= r.limit {
		if r.dropped != nil {
			for k := range r.young {
				delete(r.old, k)
			}
			r.dropped(r.old)
		}
		r.old, r.young = r.young, make(map[K]V, r.limit)
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
}
