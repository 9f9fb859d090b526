package tracefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/iotrace/iotrace/trace"
)

// File is a trace file that is read. Unlike a plain Reader it knows the end before
// it has read what comes first, and can start at any point in time.
type File struct {
	*Reader
	file  *os.File
	size  int64
	spans []Span
	last  *trace.End
}

// Open opens a trace file and reads its index and end. In a file that has
// none, because recording was interrupted, it finds the batches by walking over
// the headers of all frames.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file}
	if err := f.load(); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

func (f *File) load() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: no regular file", ErrFormat)
	}
	f.size = info.Size()
	if f.Reader, err = NewReader(f.file); err != nil {
		return err
	}
	if !f.readIndex() {
		return f.walk()
	}
	latest := f.last.Duration
	for _, s := range f.spans {
		latest = max(latest, s.To)
	}
	f.totals.latest = min(latest, trace.MaxTime-windowSlack) + windowSlack
	return nil
}

// readIndex reads index and end frame by means of the trailer. It is false if
// any of them is missing or damaged.
func (f *File) readIndex() bool {
	const trailerSize = frameHeaderSize + 16
	_, where, ok := f.frameAt(f.size-trailerSize, frameTrailer)
	if !ok || len(where) != 16 {
		return false
	}
	x, payload, ok := f.frameAt(int64(binary.LittleEndian.Uint64(where)), frameIndex)
	if !ok || x.count > MaxRows {
		return false
	}
	spans, err := readSpans(new(columnDecoder), payload, int(x.count))
	if err != nil {
		return false
	}
	for i, s := range spans {
		if s.Offset < prefixSize || s.Offset >= f.size || i > 0 && s.Offset <= spans[i-1].Offset {
			return false
		}
	}
	_, payload, ok = f.frameAt(int64(binary.LittleEndian.Uint64(where[8:])), frameEnd)
	if !ok {
		return false
	}
	end, err := UnmarshalEnd(payload)
	if err != nil {
		return false
	}
	f.spans, f.last = spans, &end
	return true
}

// frameAt reads the frame of a kind at an offset.
func (f *File) frameAt(offset int64, k trace.Kind) (frame, []byte, bool) {
	if offset < 0 || offset >= f.size {
		return frame{}, nil, false
	}
	s, err := newScanner(io.NewSectionReader(f.file, offset, f.size-offset))
	if err != nil {
		return frame{}, nil, false
	}
	h, err := s.next()
	if err != nil || s.hurt || h.kind != k {
		return frame{}, nil, false
	}
	payload, err := s.payload(h)
	return h, payload, err == nil
}

// walk finds batches and end without an index.
func (f *File) walk() error {
	r, err := NewReader(io.NewSectionReader(f.file, 0, f.size))
	if err != nil {
		return err
	}
	var x index
	r.ended = x.add
	for k := range r.skipped {
		r.skipped[k] = true
	}
	if err := r.Next(new(trace.Batch)); !errors.Is(err, io.EOF) {
		return err
	}
	f.spans, f.last = x.spans, r.end
	return nil
}

// Spans are the stretches that the trace can be entered at, in their order in
// the file; at most about 4096. They do not cover a batch that was cut off by
// an interruption.
func (f *File) Spans() []Span { return f.spans }

// End is the end frame of the trace, false if recording was interrupted.
// Unlike that of a plain Reader it is known at once.
func (f *File) End() (trace.End, bool) {
	if f.last == nil {
		return f.Reader.End()
	}
	return *f.last, true
}

// Size is the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Room is how many events a program may hold that holds all of a trace: enough of
// a small one for its memory to be 600 MiB. Larger traces may have more.
func (f *File) Room() int64 {
	const held, small = 1 << 20, 10_000_000 // events, bytes
	return held + max(f.size-small, 0)/4
}

// SeekTime goes to the first span that has events which ended at or after t
// (ns), or to the last one. Next continues there; it still returns the earlier
// events of that span.
func (f *File) SeekTime(t int64) error {
	for i, s := range f.spans {
		if s.To >= t || i == len(f.spans)-1 {
			return f.seek(s)
		}
	}
	return nil
}

// Span reads one of Spans into batches that it asks for, and which belong to use then. What follows the last span, in a
// trace that was interrupted, is read with it.
func (f *File) Span(i int, empty func() *trace.Batch, use func(*trace.Batch)) error {
	if err := f.seek(f.spans[i]); err != nil {
		return err
	}
	if i+1 < len(f.spans) {
		return f.until(f.spans[i+1].Batch, empty, use)
	}
	return f.Rest(empty, use)
}

// Rest reads the trace to its end in the same way.
func (f *File) Rest(empty func() *trace.Batch, use func(*trace.Batch)) error {
	return f.until(math.MaxUint32, empty, use)
}

// until reads the batches before one.
func (f *File) until(next uint32, empty func() *trace.Batch, use func(*trace.Batch)) error {
	for f.open || f.batch+1 < next {
		b := empty()
		if err := f.Next(b); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if f.batch >= next { // what comes before it is damaged
			return nil
		}
		use(b)
	}
	return nil
}

func (f *File) seek(s Span) error {
	if _, err := f.file.Seek(s.Offset, io.SeekStart); err != nil {
		return fmt.Errorf("seeking in trace: %w", err)
	}
	r := f.Reader
	r.window = window{in: f.file, buf: r.buf[:0], offset: s.Offset}
	r.batch, r.open, r.hurt, r.done, r.indexed = s.Batch-1, false, false, false, false
	if r.totals != nil {
		r.totals = r.totals.sought()
	}
	return nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

// Each gives all batches from here on to use. None may be kept.
func (f *File) Each(use func(*trace.Batch) error) error {
	var b trace.Batch
	for {
		err := f.Next(&b)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = use(&b)
		}
		if err != nil {
			return err
		}
	}
}

// Each reads a trace to its end and gives each batch, which may be kept. What the reader knows then is returned also
// with an error.
func Each(path string, take func(*trace.Batch)) (*Reader, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for {
		b := new(trace.Batch)
		if err := f.Next(b); errors.Is(err, io.EOF) {
			return f.Reader, nil
		} else if err != nil {
			return f.Reader, err
		}
		take(b)
	}
}
