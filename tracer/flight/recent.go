package flight

// recent holds the values that were used last: at least half of most, and of their texts at least half of mostText
// bytes. What is not used for so long that as many others were is forgotten.
type recent[K comparable, V any] struct {
	young, old     *slab[K, V]
	text           int // bytes of the texts in young
	most, mostText int // of young and old together
	textOf         func(*V) int
}

func newRecent[K comparable, V any](most, mostText int, textOf func(*V) int) *recent[K, V] {
	return &recent[K, V]{young: newSlab[K, V](most / 2), old: newSlab[K, V](most / 2), most: most, mostText: mostText,
		textOf: textOf}
}

// get returns a value, which counts as a use of it.
func (r *recent[K, V]) get(k K) (v V, ok bool) {
	if p := r.young.get(k); p != nil {
		return *p, true
	}
	if p := r.old.get(k); p != nil {
		v = *p
		r.put(k, v)
		return v, true
	}
	return v, false
}

func (r *recent[K, V]) put(k K, v V) {
	if before := r.young.get(k); before != nil {
		r.text -= r.textOf(before)
	} else {
		r.old.remove(k)
	}
	if r.young.len() >= r.most/2 || r.text >= r.mostText/2 {
		// The room of what is forgotten is taken again: tables that grow anew would have the memory go up and down.
		r.old, r.young, r.text = r.young, r.old, 0
		r.young.clear()
		r.old.remove(k)
	}
	r.young.put(k, v)
	r.text += r.textOf(&v)
}

// remove takes out a value.
func (r *recent[K, V]) remove(k K) {
	if before := r.young.get(k); before != nil {
		r.text -= r.textOf(before)
		r.young.remove(k)
	}
	r.old.remove(k)
}

// compact gives back what a busy minute took: all room that is free, if that is more than half.
func (r *recent[K, V]) compact() {
	if 2*r.len() < r.young.room()+r.old.room()-2*pageSize {
		r.young.compact()
		r.old.compact()
	}
}

// len is how many values are kept.
func (r *recent[K, V]) len() int { return r.young.len() + r.old.len() }

// each visits all values, in any order.
func (r *recent[K, V]) each(visit func(K, *V)) {
	r.young.each(visit)
	r.old.each(visit)
}
