package replay

import "slices"

// edit makes a new list of operations of a program's, which wait for those that
// took the places of what they waited for.
type edit struct {
	p       *Program
	ops     []Op
	place   []int         // of each old operation in the new list, −1 if it is gone
	inPlace map[int]int   // for what is gone: the old operation of the same thread that was before it
	last    map[int]int   // the last old operation of each thread that was passed
	owed    map[int]int64 // pauses of what is gone, by thread: the next operation has them
	changed bool
}

func newEdit(p *Program) *edit {
	return &edit{p: p, place: slices.Repeat([]int{-1}, len(p.Ops)), inPlace: map[int]int{}, last: map[int]int{},
		owed: map[int]int64{}}
}

// keep takes an operation over.
func (e *edit) keep(i int) { e.put(e.p.Ops[i], i) }

// put has an operation stand for old ones.
func (e *edit) put(o Op, old ...int) {
	o.Pause += e.owed[o.Thread]
	delete(e.owed, o.Thread)
	for _, i := range old {
		e.place[i] = len(e.ops)
		e.last[o.Thread] = i
	}
	e.ops = append(e.ops, o)
}

// insert adds an operation that was not there.
func (e *edit) insert(o Op) {
	e.put(o)
	e.changed = true
}

// drop leaves an operation out: whatever waited for it waits for the one before it.
func (e *edit) drop(i int) {
	o := &e.p.Ops[i]
	e.owe(i)
	if before, ok := e.last[o.Thread]; ok {
		e.inPlace[i] = before
	}
	e.changed = true
}

// owe keeps the pause of an operation that has no place of its own.
func (e *edit) owe(i int) { e.owed[e.p.Ops[i].Thread] += e.p.Ops[i].Pause }

// finish gives the program the new list, and reports whether it is another one.
func (e *edit) finish() bool {
	for i := range e.ops {
		var after []int
		for _, old := range e.ops[i].After {
			if e.place[old] < 0 {
				before, ok := e.inPlace[old]
				if !ok {
					continue
				}
				old = before
			}
			if at := e.place[old]; at != i && !slices.Contains(after, at) {
				after = append(after, at)
			}
		}
		e.ops[i].After = after
	}
	for i := len(e.ops) - 1; i >= 0 && len(e.owed) > 0; i-- { // what nothing followed
		e.ops[i].Pause += e.owed[e.ops[i].Thread]
		delete(e.owed, e.ops[i].Thread)
	}
	e.p.Ops = e.ops
	return e.changed
}
