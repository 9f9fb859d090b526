package tables

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const magic = "PAR1"

// parquetWriter writes rows. A time.Time is stored in microseconds.
type parquetWriter struct {
	out     io.Writer
	at      int64 // bytes written
	columns []*column
	rows    int64 // of the row group
	total   int64
	groups  []parquetGroup
	key     [2]string // name and value
	zstd    *zstd.Encoder
}

// parquetGroup is what the footer says of a row group.
type parquetGroup struct {
	chunks []chunk
	rows   int64
	start  int64
}

// newParquetWriter begins a table.
func newParquetWriter(w io.Writer, of []parquetColumn) (*parquetWriter, error) {
	columns, err := begin(of)
	if err != nil {
		return nil, err
	}
	// The fastest level takes half of the space that Snappy does, and hardly more time.
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	t := &parquetWriter{out: w, columns: columns, zstd: encoder}
	return t, t.write([]byte(magic))
}

func (t *parquetWriter) write(b []byte) error {
	n, err := t.out.Write(b)
	t.at += int64(n)
	return err
}

// Write adds rows.
func (t *parquetWriter) Write(list rowList) error {
	for i := range list.n {
		row := list.at(i)
		for _, c := range t.columns {
			if c.Key && t.total == 0 {
				t.key = [2]string{c.Name, *(*string)(c.At(row))}
			}
			c.add(row, t.zstd)
		}
		t.rows++
		t.total++
	}
	return nil
}

// Flush ends a row group.
func (t *parquetWriter) Flush() error {
	if t.rows == 0 {
		return nil
	}
	g := parquetGroup{rows: t.rows, start: t.at}
	for _, c := range t.columns {
		ended, pages := c.end(t.at, t.zstd)
		for _, p := range pages {
			if err := t.write(p); err != nil {
				return err
			}
		}
		g.chunks = append(g.chunks, ended)
	}
	t.groups, t.rows = append(t.groups, g), 0
	return nil
}

// Close completes the table.
func (t *parquetWriter) Close() error {
	defer t.zstd.Close()
	if err := t.Flush(); err != nil {
		return err
	}
	footer := t.footer()
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	return t.write(append(footer, magic...))
}

// mostFooter bounds what is read of a file to find its key.
const mostFooter = 16 << 20

// parquetKey is the text that a table of this package has in its metadata under a name; "" if it has none.
func parquetKey(f io.ReaderAt, size int64, name string) (string, error) {
	var ends [2][8]byte
	if size < int64(len(magic)+len(ends[1])) {
		return "", errors.New("no table in Parquet's format")
	}
	_, err := f.ReadAt(ends[0][:len(magic)], 0)
	_, err2 := f.ReadAt(ends[1][:], size-int64(len(ends[1])))
	if err := errors.Join(err, err2); err != nil {
		return "", err
	}
	length := int64(binary.LittleEndian.Uint32(ends[1][:]))
	if string(ends[0][:len(magic)]) != magic || string(ends[1][4:]) != magic || length > size-12 || length > mostFooter {
		return "", errors.New("no table in Parquet's format, or a damaged one")
	}
	footer := make([]byte, length)
	if _, err := f.ReadAt(footer, size-8-length); err != nil {
		return "", fmt.Errorf("reading the footer: %w", err)
	}
	// Nothing but this package writes a pair with the mark, and what is found is compared with what is known.
	_, rest, found := bytes.Cut(footer, appendBinary(nil, keyMark+name))
	if !found || len(rest) < 2 || rest[0] != 1<<4|typeBinary {
		return "", nil
	}
	n, used := binary.Uvarint(rest[1:])
	if rest = rest[1+max(used, 0):]; used <= 0 || n > uint64(len(rest)) {
		return "", nil
	}
	return string(rest[:n]), nil
}
