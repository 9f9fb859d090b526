package parquet

import (
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/iotrace/iotrace/trace"
)

// rowGroup is how many rows a row group has. It is held in memory, compressed,
// until it is full.
const rowGroup = 1 << 20

// compression of all columns: the fastest level of zstd takes a quarter of the space
// that Snappy does, and hardly more time.
var compression = parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest})

func newWriter[R any](w io.Writer) *parquet.GenericWriter[R] {
	return parquet.NewGenericWriter[R](w, compression, parquet.CreatedBy("iotrace", "", ""))
}

// sheet is a table of events while it is written.
type sheet interface {
	add(b *trace.Batch) error
	io.Closer
}

// rows are a table whose rows are made of events E.
type rows[E, R any] struct {
	out    *parquet.GenericWriter[R]
	events func(*trace.Batch) []E
	fill   func(*E, *R)
	made   []R // of a batch, used again
	group  int // rows in the row group
}

func newRows[E, R any](w io.Writer, events func(*trace.Batch) []E, fill func(*E, *R)) sheet {
	return &rows[E, R]{out: newWriter[R](w), events: events, fill: fill}
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
func write[R any](w io.Writer, all []R) error {
	out := newWriter[R](w)
	_, err := out.Write(all)
	return errors.Join(err, out.Close())
}
