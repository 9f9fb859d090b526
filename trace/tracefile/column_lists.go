package tracefile

import "github.com/iotrace/iotrace/trace"

// list is a column of lists: how many items each row has, then a table of all
// the items.
type list[T, C any] struct {
	At    func(*T) *[]C
	Items func(*trace.Batch) *[]C // where the batch keeps them
	Table table[C]
}

func (c list[T, C]) append(e *columnEncoder, rows []T, _ []uint64) {
	counts := e.scratch(len(rows))
	var all []C
	for i := range rows {
		items := *c.At(&rows[i])
		counts[i] = uint64(len(items))
		all = append(all, items...)
	}
	e.Section(func() { e.integers(counts, FromZero) })
	appendRows(e, c.Table, all)
}

func (c list[T, C]) read(d *columnDecoder, b []byte, rows []T) error {
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
	all := c.Items(d.Batch)
	start := len(*all)
	*all = append(*all, make([]C, total)...)
	rest := (*all)[start:]
	for i, n := range counts {
		if n > 0 {
			*c.At(&rows[i]) = rest[:n:n]
			rest = rest[n:]
		}
	}
	return readRows(d, c.Table, 1, b, (*all)[start:], nil)
}
