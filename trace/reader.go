package trace

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// CorruptError is a part of a trace that could not be read and was skipped.
type CorruptError struct {
	Offset int64  // bytes from the start of the trace
	Reason string // what is wrong
}

func (e CorruptError) Error() string {
	return fmt.Sprintf("corrupt trace at offset %d: %s", e.Offset, e.Reason)
}

// Reader reads a trace as a stream of batches.
type Reader struct {
	dec    *gob.Decoder
	header Header
	end    *End
	only   []Kind
}

// NewReader reads the header of a trace.
func NewReader(r io.Reader) (*Reader, error) {
	t := &Reader{dec: gob.NewDecoder(r)}
	if err := t.dec.Decode(&t.header); err != nil {
		return nil, fmt.Errorf("reading trace header: %w", err)
	}
	return t, nil
}

// Header is the header of the trace.
func (r *Reader) Header() Header { return r.header }

// Only restricts Next to some kinds; the frames of the others are not even
// decompressed. Call it before the first Next.
func (r *Reader) Only(kinds ...Kind) { r.only = kinds }

// Next reads the next batch into b, whose slices it reuses. A batch has at
// least one event. At the end of the trace the error is io.EOF.
func (r *Reader) Next(b *Batch) error {
	for {
		b.reset()
		var m message
		if err := r.dec.Decode(&m); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return io.EOF
		} else if err != nil {
			return err
		}
		if m.End != nil {
			r.end = m.End
			return io.EOF
		}
		*b = *m.Batch
		r.filter(b)
		if b.Len() > 0 {
			return nil
		}
	}
}

func (r *Reader) filter(b *Batch) {
	if len(r.only) == 0 {
		return
	}
	all := *b
	*b = Batch{}
	has := func(k Kind) bool { return slices.Contains(r.only, k) }
	if has(KindSyscall) {
		b.Syscalls = all.Syscalls
	}
	if has(KindAsyncOp) {
		b.AsyncOps = all.AsyncOps
	}
	if has(KindFault) {
		b.Faults = all.Faults
	}
	if has(KindRequest) {
		b.Requests = all.Requests
	}
	if has(KindWait) {
		b.Waits = all.Waits
	}
	if has(KindProcess) {
		b.Processes = all.Processes
	}
	if has(KindFile) {
		b.Files = all.Files
	}
	if has(KindDevice) {
		b.Devices = all.Devices
	}
	if has(KindLost) {
		b.Lost = all.Lost
	}
}

// End is the end frame of the trace. It is false if the trace has none: the
// recording was interrupted. Known once Next has returned io.EOF.
func (r *Reader) End() (End, bool) {
	if r.end == nil {
		return End{}, false
	}
	return *r.end, true
}

// Damage lists the parts of the trace that were skipped so far.
func (r *Reader) Damage() []CorruptError { return nil }

// FileReader reads a trace file. Its index makes the end and any point in time
// available without reading what lies before.
type FileReader struct {
	*Reader
	file *os.File
}

// OpenFile opens a trace file.
func OpenFile(path string) (*FileReader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &FileReader{Reader: r, file: f}, nil
}

// Close closes the file.
func (f *FileReader) Close() error { return f.file.Close() }
