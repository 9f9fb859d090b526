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
type sheet struct {
	rowWriter
	of    func(*trace.Batch) rowList
	group int // rows in the row group
}

func (t *sheet) add(b *trace.Batch) error {
	made := t.of(b)
	if err := t.Write(made); err != nil {
		return err
	}
	if t.group += made.n; t.group < rowGroup {
		return nil
	}
	t.group = 0
	return t.Flush()
}

// write writes a whole table.
func write[R any](t Format, w io.Writer, all []R) error {
	out, err := t.open(w, parquetColumns(reflect.TypeFor[R]()))
	if err != nil {
		return err
	}
	return errors.Join(out.Write(listOf(all)), out.Close())
}
