package flight

// slab holds values side by side, in pages. A map of values of some hundred bytes has room for about twice as many as
// it holds, and takes it in steps.
type slab[K comparable, V any] struct {
	at    map[K]uint32
	pages []*[pageSize]V
	used  uint32
	free  []uint32 // places before that
}

const pageSize = 256

// newSlab makes one for so many values. Its map has room for all from the start: one that values come to and go from
// takes more of it now and then, and gives none back.
func newSlab[K comparable, V any](most int) *slab[K, V] {
	return &slab[K, V]{at: make(map[K]uint32, most)}
}

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
		i = s.place()
		s.at[k] = i
	}
	s.pages[i/pageSize][i%pageSize] = v
}

// place is a free one.
func (s *slab[K, V]) place() (i uint32) {
	if last := len(s.free) - 1; last >= 0 {
		i, s.free = s.free[last], s.free[:last]
		return i
	}
	i = s.used
	s.used++
	if int(i/pageSize) == len(s.pages) {
		s.pages = append(s.pages, new([pageSize]V))
	}
	return i
}

// remove takes out a value.
func (s *slab[K, V]) remove(k K) {
	if i, ok := s.at[k]; ok {
		var none V
		s.pages[i/pageSize][i%pageSize] = none
		delete(s.at, k)
		s.free = append(s.free, i)
	}
}

// room is how many values it has room for.
func (s *slab[K, V]) room() int { return len(s.pages) * pageSize }

// compact gives back the room that is not taken.
func (s *slab[K, V]) compact() {
	pages := make([]*[pageSize]V, (s.len()+pageSize-1)/pageSize)
	for i := range pages {
		pages[i] = new([pageSize]V)
	}
	s.used, s.free = 0, nil
	for k, i := range s.at {
		pages[s.used/pageSize][s.used%pageSize] = s.pages[i/pageSize][i%pageSize]
		s.at[k] = s.used
		s.used++
	}
	s.pages = pages
}

// clear takes out all values, and keeps the room.
func (s *slab[K, V]) clear() {
	for _, p := range s.pages[:(s.used+pageSize-1)/pageSize] {
		clear(p[:])
	}
	clear(s.at)
	s.used, s.free = 0, s.free[:0]
}

func (s *slab[K, V]) each(visit func(K, *V)) {
	for k, i := range s.at {
		visit(k, &s.pages[i/pageSize][i%pageSize])
	}
}
