package block

import (
	"bufio"
	"errors"
	"io"

	"github.com/iotrace/iotrace/convert"
)

// window is how many records of all files together are looked at ahead. A CPU writes its own nearly in order; where
// the files of several were written into one (blktrace -o -), their order is restored as far as this reaches.
const window = 1 << 16

// merged puts the records of several files into the order of their times.
type merged struct {
	files   []*stream
	count   convert.Counts
	begun   bool
	each    int // records of a file that are looked at ahead
	heap    entries
	records []record // of those in the heap, by slot
	free    []int32  // slots without a record
}

func merge(inputs []convert.Input) *merged {
	m := &merged{each: max(window/len(inputs), 64)}
	for k := range inputs {
		m.files = append(m.files, &stream{in: bufio.NewReaderSize(inputs[k], 128<<10)})
	}
	return m
}

// next is the earliest record that was not yet taken, until next is called again.
func (m *merged) next() (*record, error) {
	if !m.begun {
		m.begun = true
		for k := range m.files {
			for range m.each {
				if err := m.fill(k); err != nil {
					return nil, err
				}
			}
		}
	}
	if len(m.heap) == 0 {
		return nil, io.EOF
	}
	first := m.heap.pop()
	err := m.fill(int(first.file)) // into another slot
	m.free = append(m.free, first.slot)
	return &m.records[first.slot], err
}

// fill takes the next record of a file into the heap, if there is one.
func (m *merged) fill(k int) error {
	for m.files[k] != nil {
		slot := m.slot()
		r := &m.records[slot]
		err := m.files[k].next(r)
		if err == nil {
			m.count.Lines++
			m.heap.push(entry{r.Time, uint64(r.Device)<<32 | uint64(r.Sequence), int32(k), slot})
			return nil
		}
		m.free = append(m.free, slot)
		switch {
		case errors.Is(err, io.EOF):
			m.files[k] = nil
			return nil
		case errors.Is(err, errDamaged):
			m.count.Lines++
			m.count.AddDamaged()
		default:
			return err
		}
	}
	return nil
}

// slot is one without a record.
func (m *merged) slot() (slot int32) {
	if last := len(m.free) - 1; last >= 0 {
		slot, m.free = m.free[last], m.free[:last]
		return slot
	}
	m.records = append(m.records, record{})
	return int32(len(m.records) - 1)
}

// entry says when a record was, which it is, and where it lies.
type entry struct {
	time       uint64
	order      uint64 // its device, and below it its number
	file, slot int32
}

// before is by time, and as blkparse does by device and sequence where times are equal.
func (a *entry) before(b *entry) bool {
	if a.time != b.time {
		return a.time < b.time
	}
	return a.order < b.order || a.order == b.order && a.file < b.file
}

// entries is a heap: the earliest is the first. It is container/heap's, of one type: that knows no interface, and makes
// none of each record.
type entries []entry

func (h *entries) push(e entry) {
	*h = append(*h, e)
	a := *h
	for i := len(a) - 1; i > 0; {
		above := (i - 1) / 2
		if !a[i].before(&a[above]) {
			break
		}
		a[i], a[above] = a[above], a[i]
		i = above
	}
}

func (h *entries) pop() entry {
	a := *h
	first, last := a[0], len(a)-1
	a[0] = a[last]
	a = a[:last]
	for i := 0; ; {
		below := 2*i + 1
		if below >= last {
			break
		}
		if below+1 < last && a[below+1].before(&a[below]) {
			below++
		}
		if !a[below].before(&a[i]) {
			break
		}
		a[i], a[below] = a[below], a[i]
		i = below
	}
	*h = a
	return first
}
