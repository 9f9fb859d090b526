package tables

import (
	"errors"
	"io"

	"github.com/iotrace/iotrace/trace"
)

// rowGroup is how many rows a row group has. It is held in memory, compressed,
// until it is full.
const rowGroup = 1 << 20

// sheet is a table of events while it is written.
type sheet interface {
	add(b *trace.Batch) error
	io.Closer
}

// rows are a table whose rows are made of events E.
type rows[E, R any] struct {
	out    rowWriter[R]
	events func(*trace.Batch) []E
	fill   func(*E, *R)
	made   []R // of a batch, used again
	group  int // rows in the row group
}

func newRows[E, R any](f Format, w io.Writer, events func(*trace.Batch) []E, fill func(*E, *R)) (sheet, error) {
	out, err := open[R](f, w)
	return &rows[E, R]{out: out, events: events, fill: fill}, err
}

func (t *rows[E, R]) add(b *trace.Batch) error {
	events := t.events(b)
	if len(events) == 0 {
		return nil
	}
	if cap(t.made) < len(events) {
		t.made = make([]R, len(events))
	}
	made := t.made[:len(events)]
	for i := range events {
		t.fill(&events[i], &made[i])
	}
	if _, err := t.out.Write(made); err != nil {
		return err
	}
	if t.group += len(made); t.group < rowGroup {
		return nil
	}
	t.group = 0
	return t.out.Flush()
}

// Close completes the file.
func (t *rows[E, R]) Close() error { return t.out.Close() }

// write writes a whole table.
func write[R any](f Format, w io.Writer, all []R) error {
	out, err := open[R](f, w)
	if err != nil {
		return err
	}
	_, err = out.Write(all)
	return errors.Join(err, out.Close())
}
