package trace

// list is a column of lists: how many items each row has, then a table of all
// the items.
type list[T, C any] struct {
	at    func(*T) *[]C
	items func(*Batch) *[]C // where the batch keeps them
	table table[C]
}

func (c list[T, C]) append(e *encoder, rows []T) {
	counts := e.scratch(len(rows))
	var all []C
	for i := range rows {
		items := *c.at(&rows[i])
		counts[i] = uint64(len(items))
		all = append(all, items...)
	}
	e.section(func() { e.integers(counts, fromZero) })
	appendTable(e, c.table, all)
}

func (c list[T, C]) read(d *decoder, b []byte, rows []T) error {
	countColumn, b, err := section(b)
	if err != nil {
		return err
	}
	counts := d.scratch(len(rows))
	if err := readIntegers(countColumn, counts, nil); err != nil {
		return err
	}
	total := uint64(0)
	for _, n := range counts {
		if n > MaxItems || total+n > MaxItems {
			return errRange
		}
		total += n
	}
	all := c.items(d.batch)
	start := len(*all)
	*all = append(*all, make([]C, total)...)
	rest := (*all)[start:]
	for i, n := range counts {
		if n > 0 {
			*c.at(&rows[i]) = rest[:n:n]
			rest = rest[n:]
		}
	}
	return readTable(d, c.table, 1, b, (*all)[start:], nil)
}
