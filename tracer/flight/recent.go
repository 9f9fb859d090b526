package flight

// recent holds the values that were used last: at least half of most, and of their texts at least half of mostText
// bytes. What is not used for so long that as many others were is forgotten.
type recent[K comparable, V any] struct {
	young, old     map[K]V
	text           int // bytes of the texts in young
	most, mostText int // of young and old together
	textOf         func(*V) int
}

func newRecent[K comparable, V any](most, mostText int, textOf func(*V) int) *recent[K, V] {
	return &recent[K, V]{young: map[K]V{}, old: map[K]V{}, most: most, mostText: mostText, textOf: textOf}
}

// get returns a value, which counts as a use of it.
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

func (r *recent[K, V]) put(k K, v V) {
	if before, ok := r.young[k]; ok {
		r.text -= r.textOf(&before)
	} else {
		delete(r.old, k)
	}
	if len(r.young) >= r.most/2 || r.text >= r.mostText/2 {
		// The room of what is forgotten is taken again: tables that grow anew would have the memory go up and down.
		r.old, r.young, r.text = r.young, r.old, 0
		clear(r.young)
		delete(r.old, k)
	}
	r.young[k] = v
	r.text += r.textOf(&v)
}
