package strace

import (
	"bufio"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/tracer"
)

// merge reads logs: of strace -ff, which writes one for each process, named after it, side by side in the order of
// their times, and all others one after the other.
func merge(in []convert.Input, sink tracer.Sink) (convert.Counts, error) {
	apart := make([]*source, 0, len(in))
	for i := range in {
		if pid := suffix(in[i].Name); pid != 0 {
			apart = append(apart, &source{in: bufio.NewReaderSize(in[i], sourceBuffer), pid: pid, place: i})
		}
	}
	if len(apart) == len(in) {
		return convert.Checked(func(_ io.Reader, sink tracer.Sink) (convert.Counts, error) {
			return readAll(sink, func(s *Reader) error { return s.sideBySide(apart) })
		})(nil, sink)
	}
	parts := make([]io.Reader, len(in))
	for i := range in {
		parts[i] = in[i]
	}
	return convert.Checked(read)(io.MultiReader(parts...), sink)
}

// suffix is the number that the name of a file ends in, 0 if it ends in none.
func suffix(name string) uint32 {
	ext := path.Ext(name)
	if len(ext) < 2 {
		return 0
	}
	n, err := strconv.ParseUint(ext[1:], 10, 22)
	if err != nil {
		return 0
	}
	return uint32(n)
}

const (
	sourceBuffer = 16 << 10
	longest      = 1 << 20 // of a line; what is longer is cut
)

// source is the log of one process.
type source struct {
	in    *bufio.Reader
	pid   uint32
	place int    // among the files
	line  []byte // the next one
	time  int64  // of it; that of the line before if it has none
}

// read reads the next line.
func (o *source) read() error {
	o.line = o.line[:0]
	for {
		part, err := o.in.ReadSlice('\n')
		if room := longest - len(o.line); len(part) > room {
			part = part[:room]
		}
		o.line = append(o.line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(o.line) == 0):
			return err
		}
		break
	}
	if n := len(o.line); n > 0 && o.line[n-1] == '\n' {
		o.line = o.line[:n-1]
	}
	var p prefix
	if p.take(o.line); p.kind == absolute || p.kind == ofDay {
		o.time = p.time
	}
	return nil
}

// sideBySide reads logs line by line, the earliest of all first. Logs without times come one after the other.
func (s *Reader) sideBySide(sources []*source) error {
	q := queue{}
	for _, o := range sources {
		switch err := o.read(); {
		case err == nil:
			q = append(q, o)
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("reading the input: %w", err)
		}
	}
	heap.Init(&q)
	for len(q) > 0 {
		o := q[0]
		s.alone = o.pid
		if err := s.Line(o.line); err != nil {
			return err
		}
		switch err := o.read(); {
		case err == nil:
			heap.Fix(&q, 0)
		case errors.Is(err, io.EOF):
			heap.Pop(&q)
		default:
			return fmt.Errorf("reading the input: %w", err)
		}
	}
	return nil
}

// queue has the log with the earliest line first.
type queue []*source

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].time < q[j].time || q[i].time == q[j].time && q[i].place < q[j].place
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(o any)   { *q = append(*q, o.(*source)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
