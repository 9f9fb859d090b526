package tables

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// arrowRows is how many rows a record batch has.
const arrowRows = 1 << 16

// arrowTable is a table in Arrow's IPC file format, which is Feather version 2:
// batches of columns, compressed with zstd. Texts are not in dictionaries, which
// not every reader takes from a file when they grow from batch to batch.
type arrowTable[R any] struct {
	out     *ipc.FileWriter
	batch   *array.RecordBuilder
	columns []column
	add     []func(reflect.Value) // of each column: a value
	rows    int                   // in the batch
}

func newArrow[R any](w io.Writer) (*arrowTable[R], error) {
	row, list := reflect.TypeFor[R](), columns(reflect.TypeFor[R]())
	fields := make([]arrow.Field, len(list))
	for i, c := range list {
		of := row.Field(c.field).Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		fields[i] = arrow.Field{Name: c.name, Type: arrowType(of), Nullable: c.nullable}
	}
	schema := arrow.NewSchema(fields, nil)
	out, err := ipc.NewFileWriter(w, ipc.WithSchema(schema), ipc.WithZstd())
	if err != nil {
		return nil, fmt.Errorf("beginning a table: %w", err)
	}
	t := &arrowTable[R]{out: out, columns: list, batch: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
	for _, b := range t.batch.Fields() {
		t.add = append(t.add, appender(b))
	}
	return t, nil
}

// arrowType is the type of a column whose values have a type.
func arrowType(of reflect.Type) arrow.DataType {
	switch of.Kind() {
	case reflect.String:
		return arrow.BinaryTypes.String
	case reflect.Bool:
		return arrow.FixedWidthTypes.Boolean
	case reflect.Int32:
		return arrow.PrimitiveTypes.Int32
	case reflect.Int64:
		return arrow.PrimitiveTypes.Int64
	case reflect.Uint32:
		return arrow.PrimitiveTypes.Uint32
	case reflect.Uint64:
		return arrow.PrimitiveTypes.Uint64
	case reflect.Float64:
		return arrow.PrimitiveTypes.Float64
	}
	if of == reflect.TypeFor[time.Time]() {
		return arrow.FixedWidthTypes.Timestamp_us
	}
	panic(fmt.Sprintf("a column of type %s", of))
}

// appender adds values, or what they point to, to a column.
func appender(b array.Builder) func(reflect.Value) {
	var known func(reflect.Value)
	switch b := b.(type) {
	case *array.StringBuilder:
		known = func(v reflect.Value) { b.Append(v.String()) }
	case *array.BooleanBuilder:
		known = func(v reflect.Value) { b.Append(v.Bool()) }
	case *array.Int32Builder:
		known = func(v reflect.Value) { b.Append(int32(v.Int())) }
	case *array.Int64Builder:
		known = func(v reflect.Value) { b.Append(v.Int()) }
	case *array.Uint32Builder:
		known = func(v reflect.Value) { b.Append(uint32(v.Uint())) }
	case *array.Uint64Builder:
		known = func(v reflect.Value) { b.Append(v.Uint()) }
	case *array.Float64Builder:
		known = func(v reflect.Value) { b.Append(v.Float()) }
	case *array.TimestampBuilder:
		known = func(v reflect.Value) { b.Append(arrow.Timestamp(v.Interface().(time.Time).UnixMicro())) }
	}
	return func(v reflect.Value) {
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		known(v)
	}
}

// Write adds rows.
func (t *arrowTable[R]) Write(rows []R) (int, error) {
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for k, add := range t.add {
			c := &t.columns[k]
			if v := row.Field(c.field); c.null(v) {
				t.batch.Field(k).AppendNull()
			} else {
				add(v)
			}
		}
		if t.rows++; t.rows == arrowRows {
			if err := t.Flush(); err != nil {
				return i, err
			}
		}
	}
	return len(rows), nil
}

// Flush ends a batch.
func (t *arrowTable[R]) Flush() error {
	if t.rows == 0 {
		return nil
	}
	t.rows = 0
	b := t.batch.NewRecordBatch()
	defer b.Release()
	return t.out.Write(b)
}

// Close completes the table.
func (t *arrowTable[R]) Close() error {
	defer t.batch.Release()
	return errors.Join(t.Flush(), t.out.Close())
}

// sumInArrow is sumIn of a table in this format.
func sumInArrow(f *os.File) (sum string, err error) {
	r, err := ipc.NewFileReader(f)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if r.NumRecords() == 0 {
		return "", noRow(0)
	}
	b, err := r.RecordBatchAt(0)
	if err != nil {
		return "", err
	}
	defer b.Release()
	for _, i := range r.Schema().FieldIndices("sha256") {
		if texts, ok := b.Column(i).(*array.String); ok && texts.Len() > 0 {
			return texts.Value(0), nil
		}
	}
	return "", nil
}
