package world

// Table holds what a collector knows of each file, process or device, by its
// number.
type Table[T any] struct{ list []*T }

// Of is the entry of a number, a new one if there is none.
func (t *Table[T]) Of(number int) *T {
	if number >= len(t.list) {
		t.list = append(t.list, make([]*T, max(number+1, 2*len(t.list))-len(t.list))...)
	}
	if t.list[number] == nil {
		t.list[number] = new(T)
	}
	return t.list[number]
}

// Known is the entry of a number, nil if there is none.
func (t *Table[T]) Known(number int) *T {
	if number >= len(t.list) {
		return nil
	}
	return t.list[number]
}

// Set makes e the entry of a number.
func (t *Table[T]) Set(number int, e *T) {
	t.Of(number)
	t.list[number] = e
}
