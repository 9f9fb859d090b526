package blktrace

import (
	"bufio"
	"cmp"
	"container/heap"
	"errors"
	"io"

	"github.com/iotrace/iotrace/convert"
)

// window is how many records of all files together are looked at ahead. A CPU writes its own nearly in order; where
// the files of several were written into one (blktrace -o -), their order is restored as far as this reaches.
const window = 1 << 16

// merged puts the records of several files into the order of their times.
type merged struct {
	files []*stream
	count convert.Counts
	heap  ahead
	each  int // records of a file in the heap
}

func merge(inputs []convert.Input) *merged {
	m := &merged{each: max(window/len(inputs), 64)}
	for k := range inputs {
		m.files = append(m.files, &stream{in: bufio.NewReaderSize(inputs[k], 128<<10)})
	}
	return m
}

// next is the earliest record that was not yet taken.
func (m *merged) next() (r record, err error) {
	if m.heap == nil {
		m.heap = ahead{}
		for k := range m.files {
			for range m.each {
				if err := m.fill(k); err != nil {
					return r, err
				}
			}
		}
	}
	if len(m.heap) == 0 {
		return r, io.EOF
	}
	first := heap.Pop(&m.heap).(entry)
	return first.record, m.fill(first.file)
}

// fill takes the next record of a file into the heap, if there is one.
func (m *merged) fill(k int) error {
	for m.files[k] != nil {
		r, err := m.files[k].next()
		switch {
		case errors.Is(err, io.EOF):
			m.files[k] = nil
			return nil
		case errors.Is(err, errDamaged):
			m.count.Lines++
			m.count.AddDamaged()
		case err != nil:
			return err
		default:
			m.count.Lines++
			heap.Push(&m.heap, entry{r, k})
			return nil
		}
	}
	return nil
}

// entry is a record and the file it is from.
type entry struct {
	record
	file int
}

// ahead is a heap by time, and as blkparse does by device and sequence where times are equal.
type ahead []entry

func (h ahead) Len() int      { return len(h) }
func (h ahead) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h ahead) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Device, b.Device), cmp.Compare(a.Sequence, b.Sequence),
		cmp.Compare(a.file, b.file)) < 0
}
func (h *ahead) Push(x any) { *h = append(*h, x.(entry)) }
func (h *ahead) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
