package tables

import (
	"errors"
	"io"
	"reflect"

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

// rows are a table whose rows R come from batches of events.
type rows[R any] struct {
	out   rowWriter[R]
	of    func(*trace.Batch) []R
	group int // rows in the row group
}

func newRows[R any](f Format, w io.Writer, columns []parquetColumn, of func(*trace.Batch) []R) (sheet, error) {
	out, err := open[R](f, w, columns)
	return &rows[R]{out: out, of: of}, err
}

func (t *rows[R]) add(b *trace.Batch) error {
	made := t.of(b)
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
func (t *rows[R]) Close() error { return t.out.Close() }

// write writes a whole table.
func write[R any](f Format, w io.Writer, all []R) error {
	out, err := open[R](f, w, parquetColumns(reflect.TypeFor[R]()))
	if err != nil {
		return err
	}
	_, err = out.Write(all)
	return errors.Join(err, out.Close())
}
