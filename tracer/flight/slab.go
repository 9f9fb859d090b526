package flight

// slab holds values side by side, in pages. A map of values of some hundred bytes has room for about twice as many as
// it holds, and takes it in steps.
type slab[K comparable, V any] struct {
	at    map[K]uint32
	pages []*[pageSize]V
	used  uint32
}

const pageSize = 256

func newSlab[K comparable, V any]() *slab[K, V] { return &slab[K, V]{at: map[K]uint32{}} }

func (s *slab[K, V]) len() int { return len(s.at) }

// get returns the place of a value, nil if there is none. It is good until the next change.
func (s *slab[K, V]) get(k K) *V {
	i, ok := s.at[k]
	if !ok {
		return nil
	}
	return &s.pages[i/pageSize][i%pageSize]
}

func (s *slab[K, V]) put(k K, v V) {
	i, ok := s.at[k]
	if !ok {
		i = s.used
		s.used++
		if int(i/pageSize) == len(s.pages) {
			s.pages = append(s.pages, new([pageSize]V))
		}
		s.at[k] = i
	}
	s.pages[i/pageSize][i%pageSize] = v
}

// remove takes out a value. Its place is free again after clear.
func (s *slab[K, V]) remove(k K) {
	if p := s.get(k); p != nil {
		var none V
		*p = none
		delete(s.at, k)
	}
}

// clear takes out all values, and keeps the room.
func (s *slab[K, V]) clear() {
	for _, p := range s.pages[:(s.used+pageSize-1)/pageSize] {
		clear(p[:])
	}
	clear(s.at)
	s.used = 0
}

func (s *slab[K, V]) each(visit func(K, *V)) {
	for k, i := range s.at {
		visit(k, &s.pages[i/pageSize][i%pageSize])
	}
}
