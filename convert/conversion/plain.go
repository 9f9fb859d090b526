package conversion

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Bounds of the memory that decompressing takes, of all inputs: what zstd decompresses without being told
// otherwise, but of each at least what every decoder has to have (RFC 8878, 3.1.1.1.2).
const (
	maxWindow   = 128 << 20
	leastWindow = 8 << 20
)

// Marks at the beginning of files: RFC 1952, RFC 8878, and the byte order mark of UTF-8.
var (
	gzipMark  = []byte{0x1f, 0x8b}
	zstdMark  = []byte{0x28, 0xb5, 0x2f, 0xfd}
	bzip2Mark = []byte("BZh")
	utf8Mark  = []byte{0xef, 0xbb, 0xbf}
)

// plain reads what is in a file as UTF-8, without compression, a byte order mark, and what a text was wrapped in.
func plain(in io.Reader, window uint64) (r *bufio.Reader, closed func(), err error) {
	r, closed, err = decompressed(in, window)
	if err != nil {
		return nil, nil, err
	}
	if err := packed(r); err != nil {
		closed()
		return nil, nil, err
	}
	head, _ := r.Peek(len(utf8Mark))
	if bytes.HasPrefix(head, utf8Mark) {
		_, err = r.Discard(len(utf8Mark))
	}
	if order := byteOrder(r); order != nil {
		r = bufio.NewReaderSize(&narrow{in: r, order: order, first: true}, 64<<10)
	}
	return unpasted(r), closed, err
}

// decompressed reads what is in a file without compression, whatever its name.
func decompressed(in io.Reader, window uint64) (r *bufio.Reader, closed func(), err error) {
	r, closed = bufio.NewReaderSize(in, 64<<10), func() {}
	head, _ := r.Peek(len(zstdMark)) // an error comes again when it is read
	switch {
	case bytes.HasPrefix(head, gzipMark):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, fmt.Errorf("decompressing it with gzip: %w", err)
		}
		r = bufio.NewReaderSize(named{z, "gzip"}, 64<<10)
	case bytes.HasPrefix(head, zstdMark):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return nil, nil, fmt.Errorf("decompressing it with zstd: %w", err)
		}
		r, closed = bufio.NewReaderSize(named{z, "zstd"}, 64<<10), z.Close
	case bytes.HasPrefix(head, bzip2Mark):
		r = bufio.NewReaderSize(named{bzip2.NewReader(r), "bzip2"}, 64<<10)
	case bytes.HasPrefix(head, []byte(zipMark)):
		z, err := newUnzipped(r)
		if err != nil {
			return nil, nil, fmt.Errorf("unpacking the zip archive: %w", err)
		}
		r = bufio.NewReaderSize(named{z, "zip"}, 64<<10)
	}
	return r, closed, nil
}

// named says which program's data is broken.
type named struct {
	io.Reader
	program string
}

func (n named) Read(p []byte) (int, error) {
	k, err := n.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("decompressing it with %s: %w", n.program, err)
	}
	return k, err
}
