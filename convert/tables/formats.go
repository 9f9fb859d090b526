package tables

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/convert/tables/parquet"
	"github.com/iotrace/iotrace/internal/visible"
)

// Format is how tables are written. It is the ending of their files, too.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
)

// rowWriter takes the rows of a table.
type rowWriter[R any] interface {
	Write([]R) (int, error)
	Flush() error // ends a row group
	Close() error
}

func open[R any](f Format, w io.Writer) (rowWriter[R], error) {
	if f == CSV {
		return newText[R](w)
	}
	return parquet.New[R](w)
}

// column is a column of a table: a field of its rows.
type column struct {
	name     string
	field    int
	nullable bool // without a pointer: zero is NULL
}

// columns are those of a row.
func columns(row reflect.Type) (list []column) {
	for i := range row.NumField() {
		tag, ok := row.Field(i).Tag.Lookup("parquet")
		if !ok {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		list = append(list, column{name, i, strings.Contains(options, "optional")})
	}
	return list
}

// null reports whether a value in the column is NULL.
func (c *column) null(v reflect.Value) bool { return c.nullable && v.IsZero() }

// text is a table as CSV, with a line of its columns first. NULL is nothing, and a text is escaped (visible.CSV).
type text[R any] struct {
	*visible.CSVWriter
	columns []column
	fields  []string // of a row, used again
}

func newText[R any](w io.Writer) (*text[R], error) {
	t := &text[R]{CSVWriter: visible.NewCSV(w), columns: columns(reflect.TypeFor[R]())}
	for _, c := range t.columns {
		t.fields = append(t.fields, c.name)
	}
	return t, t.CSVWriter.Write(t.fields)
}

// Write adds rows.
func (t *text[R]) Write(rows []R) (int, error) {
	for i := range rows {
		row := reflect.ValueOf(&rows[i]).Elem()
		for k := range t.columns {
			c := &t.columns[k]
			if v := row.Field(c.field); c.null(v) {
				t.fields[k] = ""
			} else {
				t.fields[k] = field(v)
			}
		}
		if err := t.CSVWriter.Write(t.fields); err != nil {
			return i, err
		}
	}
	return len(rows), nil
}

// field is a value as CSV has it.
func field(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
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
	t.CSVWriter.Flush()
	return t.Error()
}

// Close completes the table.
func (t *text[R]) Close() error { return t.Flush() }
