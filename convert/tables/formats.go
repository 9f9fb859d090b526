package tables

import (
	"fmt"
	"io"
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"github.com/iotrace/iotrace/internal/visible"
)

// Format is how tables are written. It is the ending of their files, too.
type Format string

// The formats.
const (
	Parquet Format = "parquet"
	CSV     Format = "csv"
)

// rowList is a list of rows, whatever their type: a writer of each type would be 20 kB of the program.
type rowList struct {
	first unsafe.Pointer
	size  uintptr // of a row
	n     int
}

func listOf[R any](rows []R) rowList {
	return rowList{unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(*new(R)), len(rows)}
}

func (l rowList) at(i int) unsafe.Pointer { return unsafe.Add(l.first, uintptr(i)*l.size) }

// rowWriter takes the rows of a table.
type rowWriter interface {
	Write(rowList) error
	Flush() error // ends a row group
	Close() error
}

func (t Format) open(w io.Writer, columns []parquetColumn) (rowWriter, error) {
	if t == CSV {
		return newText(w, columns)
	}
	return newParquetWriter(w, columns)
}

// text is a table as CSV, with a line of its columns first. NULL is nothing, and a text is escaped (visible.CSV).
type text struct {
	*visible.CSVWriter
	columns []parquetColumn
	fields  []string // of a row, used again
}

func newText(w io.Writer, columns []parquetColumn) (*text, error) {
	t := &text{CSVWriter: visible.NewCSV(w), columns: columns}
	for _, c := range t.columns {
		t.fields = append(t.fields, c.Name)
	}
	return t, t.CSVWriter.Write(t.fields)
}

// Write adds rows.
func (t *text) Write(list rowList) error {
	for i := range list.n {
		for k := range t.columns {
			c := &t.columns[k]
			t.fields[k] = field(c.Type, c.At(list.at(i)))
		}
		if err := t.CSVWriter.Write(t.fields); err != nil {
			return err
		}
	}
	return nil
}

// field is a value as CSV has it.
func field(of reflect.Type, at unsafe.Pointer) string {
	if at == nil {
		return ""
	}
	switch of.Kind() {
	case reflect.String:
		return *(*string)(at)
	case reflect.Bool:
		return strconv.FormatBool(*(*bool)(at))
	case reflect.Int32:
		return strconv.FormatInt(int64(*(*int32)(at)), 10)
	case reflect.Int64:
		return strconv.FormatInt(*(*int64)(at), 10)
	case reflect.Uint32:
		return strconv.FormatUint(uint64(*(*uint32)(at)), 10)
	case reflect.Uint64:
		return strconv.FormatUint(*(*uint64)(at), 10)
	case reflect.Float64:
		return strconv.FormatFloat(*(*float64)(at), 'g', -1, 64)
	case reflect.Struct:
		return (*time.Time)(at).UTC().Format("2006-01-02T15:04:05.000000Z")
	}
	panic(fmt.Sprintf("a column of type %s", of))
}

// Flush passes on what is held back.
func (t *text) Flush() error {
	t.CSVWriter.Flush()
	return t.Error()
}

// Close completes the table.
func (t *text) Close() error { return t.Flush() }
