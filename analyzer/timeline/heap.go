package timeline

// Heap is a heap of what knows its order. The zero value is an empty one; its first element is the first of all.
type Heap[T interface{ Before(T) bool }] []T

// Push adds a value.
func (h *Heap[T]) Push(v T) {
	list := append(*h, v)
	i := len(list) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !v.Before(list[up]) {
			break
		}
		list[i], i = list[up], up
	}
	list[i] = v
	*h = list
}

// Pop takes the first value out of a heap that is not empty.
func (h *Heap[T]) Pop() T {
	list := *h
	first, n := list[0], len(list)-1
	v := list[n]
	clear(list[n:]) // nothing is kept alive by a place that is free
	list = list[:n]
	for i := 0; n > 0; {
		down := 2*i + 1
		if down+1 < n && list[down+1].Before(list[down]) {
			down++
		}
		if down >= n || !list[down].Before(v) {
			list[i] = v
			break
		}
		list[i], i = list[down], down
	}
	*h = list
	return first
}
