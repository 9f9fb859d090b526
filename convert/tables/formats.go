package tables

import (
	"encoding/csv"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// Format is how tables are written. It is the ending of their files, too.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
	Arrow   Format = "arrow"
)

// rowWriter takes the rows of a table.
type rowWriter[R any] interface {
	Write([]R) (int, error)
	Flush() error // ends a row group
	Close() error
}

// compression of all columns: the fastest level of zstd takes half of the space that
// Snappy does, and hardly more time.
var compression = parquet.Compression(&zstd.Codec{Level: zstd.SpeedFastest})

// pageBounds are the least and the greatest value of each page: they stand in the index of the columns, where readers
// look for them, and not at the pages themselves as well.
var pageBounds = parquet.DataPageStatistics(false)

func open[R any](f Format, w io.Writer) (rowWriter[R], error) {
	switch f {
	case CSV:
		return newText[R](w)
	case Arrow:
		return newArrow[R](w)
	}
	return parquet.NewGenericWriter[R](w, compression, pageBounds, parquet.CreatedBy("iotrace", "", "")), nil
}

// columns are the names of the columns of a row.
func columns(row reflect.Type) []string {
	names := make([]string, row.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(row.Field(i).Tag.Get("parquet"), ",")
	}
	return names
}

// text is a table as CSV, with a line of its columns first. NULL is nothing.
type text[R any] struct {
	*csv.Writer
	fields []string // of a row, used again
}

func newText[R any](w io.Writer) (*text[R], error) {
	head := columns(reflect.TypeFor[R]())
	t := &text[R]{csv.NewWriter(w), make([]string, len(head))}
	return t, t.Writer.Write(head)
}

// Write adds rows.
func (t *text[R]) Write(rows []R) (int, error) {
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for k := range t.fields {
			t.fields[k] = field(row.Field(k))
		}
		if err := t.Writer.Write(t.fields); err != nil {
			return i, err
		}
	}
	return len(rows), nil
}

// field is a value as CSV has it.
func field(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return field(v.Elem())
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10)
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	}
	if at, ok := v.Interface().(time.Time); ok {
		return at.UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	panic(fmt.Sprintf("a column of type %s", v.Type()))
}

// Flush passes on what is held back.
func (t *text[R]) Flush() error {
	t.Writer.Flush()
	return t.Error()
}

// Close completes the table.
func (t *text[R]) Close() error { return t.Flush() }
