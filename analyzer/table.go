package analyzer

// table holds what a collector knows of each file, process or device, by its
// number.
type table[T any] struct{ list []*T }

// of is the entry of a number, a new one if there is none.
func (t *table[T]) of(number int) *T {
	if number >= len(t.list) {
		t.list = append(t.list, make([]*T, max(number+1, 2*len(t.list))-len(t.list))...)
	}
	if t.list[number] == nil {
		t.list[number] = new(T)
	}
	return t.list[number]
}

// known is the entry of a number, nil if there is none.
func (t *table[T]) known(number int) *T {
	if number >= len(t.list) {
		return nil
	}
	return t.list[number]
}

// set makes e the entry of a number.
func (t *table[T]) set(number int, e *T) {
	t.of(number)
	t.list[number] = e
}
