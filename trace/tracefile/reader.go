package tracefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Reader reads a trace as a stream of batches. Whatever the trace holds, a
// Reader and its Batch take at most 128 MiB; of traces of an ordinary recording
// about 20 MiB.
type Reader struct {
	scanner
	decoder columnDecoder
	rejects rejects
	totals  *totals // nil: events are taken as they are
	header  trace.Header
	end     *trace.End
	done    bool
	indexed bool               // the index was seen
	skipped [len(layouts)]bool // kinds that Only left out

	// What is being read.
	batch  uint32 // number of the batch
	at     int64  // its offset
	open   bool   // its end was not seen yet
	frames uint32 // event frames of it that were seen
	again  uint32 // the batch that is left out because its number is behind

	ended func(Span) // called at the end of each batch, if set
}

// NewReader reads the header of a trace. It fails if r is no trace (ErrFormat),
// one of a later version (ErrVersion) or has no complete header (ErrTruncated).
// If the header is damaged, Header is empty and Damage tells.
func NewReader(r io.Reader) (*Reader, error) {
	s, err := newScanner(r)
	if err != nil {
		return nil, err
	}
	t := &Reader{scanner: s, totals: newTotals()}
	version, err := t.prefix()
	if err != nil {
		return nil, err
	}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	t.header.Version = version
	return t, nil
}

// prefix reads what comes before the first frame and returns the version.
func (r *Reader) prefix() (int, error) {
	b := r.peek(prefixSize)
	if err := r.failure(); err != nil && len(b) < prefixSize {
		return 0, fmt.Errorf("reading trace header: %w", err)
	}
	switch n := min(len(b), len(Signature)); {
	case len(b) == 0:
		return 0, fmt.Errorf("%w: it is empty", ErrTruncated)
	case string(b[:n]) != Signature[:n]:
		return 0, fmt.Errorf("%w: it does not begin as one does (iotrace import makes traces of what other tools recorded)",
			ErrFormat) // and nothing of what stands there: it may be a file that its reader may not see
	case len(b) < prefixSize:
		return 0, ErrTruncated
	}
	version := binary.LittleEndian.Uint32(b[8:])
	if checksum(b[:12]) != binary.LittleEndian.Uint32(b[12:]) {
		version = FormatVersion
		r.report(0, "the version of the format is damaged; taken as %d", version)
	} else if version > FormatVersion {
		return 0, fmt.Errorf("%w: version %d, but this iotrace reads up to %d: use a newer iotrace",
			ErrVersion, version, FormatVersion)
	}
	r.skip(prefixSize)
	return int(version), nil
}

func (r *Reader) readHeader() error {
	at := r.offset
	f, err := r.next()
	if err != nil {
		return truncated(err)
	}
	if f.kind != frameHeader {
		if !r.hurt {
			r.report(at, "the header is missing")
		}
		return nil
	}
	payload, err := r.payload(f)
	if errors.Is(err, errDamaged) {
		return nil
	}
	if err != nil {
		return truncated(err)
	}
	if r.header, err = UnmarshalHeader(payload); err != nil {
		r.header = trace.Header{}
		r.report(at, "%v", err)
	}
	return nil
}

// truncated is the error for a trace without a first frame.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// Header is the header of the trace.
func (r *Reader) Header() trace.Header { return r.header }

// Only restricts Next to some kinds. The frames of the others are not
// decompressed and not checked; in files, large ones are not even read.
func (r *Reader) Only(kinds ...trace.Kind) {
	for k := range r.skipped {
		r.skipped[k] = len(kinds) > 0
	}
	for _, k := range kinds {
		if decodable(k) {
			r.skipped[k] = false
		}
	}
	if r.totals != nil {
		r.totals.whole = r.totals.whole && len(kinds) == 0
	}
}

// Next reads the next batch into b, whose slices it reuses. A batch has at
// least one event. The error is io.EOF at the end of the trace, whether that is
// complete (End) or was interrupted; damaged parts are skipped (Damage). Other
// errors are those of the input.
func (r *Reader) Next(b *trace.Batch) error {
	b.Reset()
	r.decoder.Batch = b
	for size := 0; !r.done; {
		f, err := r.next()
		if err == nil {
			if b.Len() > 0 && (f.batch != r.batch || f.kind > frameBatchEnd) {
				return nil // the end of the batch is missing
			}
			err = r.frame(f)
			size += int(f.raw)
		}
		switch {
		case err == nil && !(b.Len() > 0 && (!r.open || full(b, size))):
		case err == nil || b.Len() > 0:
			return nil // an error comes again
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			r.done = true
			r.conclude()
		default:
			return err
		}
	}
	return io.EOF
}

// full reports whether a batch whose payloads have the given size is handed out
// before its end, to bound its memory.
func full(b *trace.Batch, size int) bool {
	return size >= MaxFrame || b.Len() >= MaxRows || len(b.Extents) >= MaxItems || len(b.Parents) >= MaxItems
}

// frame reads the frame whose header is next.
func (r *Reader) frame(f frame) error {
	at, whole := r.offset, frameHeaderSize+int(f.stored)
	if (f.kind < frameHeader || f.kind == frameBatchEnd) && !r.follow(f.batch, at) {
		r.skip(whole)
		return nil
	}
	if f.kind < frameHeader {
		r.frames++
	}
	if decodable(f.kind) && r.skipped[f.kind] {
		if err := r.totals.admit(f, at); err != nil {
			r.damaged(f, at, err.Error())
		}
	}
	if !decodable(f.kind) && f.kind < frameHeader || f.kind > frameTrailer || decodable(f.kind) && r.skipped[f.kind] {
		r.skip(whole)
		return nil
	}
	payload, err := r.payload(f)
	if errors.Is(err, errDamaged) {
		return nil
	}
	if err != nil {
		return err
	}
	switch f.kind {
	case frameBatchEnd:
		err = r.endBatch(f, at, payload)
	case frameEnd:
		err = r.endTrace(f, at, payload)
	case frameHeader:
		err = errors.New("a second header")
	case frameIndex:
		if r.indexed {
			err = errors.New("a second index")
		}
		r.indexed = true
	case frameTrailer:
		err = errors.New("before the end of the trace")
	default:
		err = r.events(f, at, payload)
	}
	if err != nil {
		r.damaged(f, at, err.Error())
	}
	return nil
}

// follow makes n the current batch and checks that none is missing before it.
// It is false if the batch was read already: what comes again is left out.
func (r *Reader) follow(n uint32, at int64) bool {
	if r.open && n == r.batch {
		return true
	}
	if n <= r.batch && r.batch > 0 {
		if n != r.again {
			r.report(at, "batch %d comes again, or too late", n)
		}
		r.again = n
		return false
	}
	switch {
	case r.hurt: // that is why
	case r.open:
		r.report(at, "the end of batch %d is missing", r.batch)
	case n != r.batch+1:
		r.report(at, "batch %d follows batch %d", n, r.batch)
	}
	r.batch, r.at, r.open, r.frames, r.again = n, at, true, 0, 0
	r.totals.begin()
	return true
}

// events reads a frame of events and leaves out those that cannot be true.
func (r *Reader) events(f frame, at int64, payload []byte) error {
	if f.count > MaxRows {
		return fmt.Errorf("at most %d rows are possible", MaxRows)
	}
	if err := r.totals.admit(f, r.offset); err != nil {
		return err
	}
	b, layout := r.decoder.Batch, layouts[f.kind]
	from, items, texts := layout.count(b), len(b.Extents)+len(b.Parents), r.decoder.Texts
	undescribed := uint64(0)
	if r.totals != nil {
		undescribed = r.totals.undescribed
	}
	r.rejects.reset(r.totals)
	if err := layout.read(&r.decoder, &r.rejects, payload, int(f.count)); err != nil || r.totals == nil {
		return err
	}
	kept := r.decoder.Texts - texts
	if f.kind == trace.KindProcess || f.kind == trace.KindFile || f.kind == trace.KindDevice {
		kept += identities * uint64(f.count)
	}
	if err := r.totals.afford(uint64(len(b.Extents)+len(b.Parents)-items), kept, r.offset); err != nil {
		layout.cut(b, from)
		return err
	}
	err := layout.sift(&r.rejects, b, from)
	if undescribed == 0 && r.totals.undescribed > 0 {
		r.totals.firstUndescribed = at
	}
	return err
}

func (r *Reader) endBatch(f frame, at int64, payload []byte) error {
	r.open = false
	hurt := r.hurt
	if r.frames != f.count && !hurt {
		r.report(at, "batch %d has %d frames of %d", f.batch, r.frames, f.count)
		hurt = true
	}
	r.hurt = false
	spans, err := readSpans(&r.decoder, payload, 1)
	if err != nil {
		return err
	}
	if !hurt {
		err = r.totals.balance(&spans[0])
	}
	if r.ended != nil {
		spans[0].Offset, spans[0].Batch = r.at, f.batch
		r.ended(spans[0])
	}
	return err
}

// endTrace reads the end frame and what may come after it.
func (r *Reader) endTrace(f frame, at int64, payload []byte) error {
	if !r.hurt && (r.open || f.batch != r.batch+1) {
		r.report(at, "the trace has %d batches, the last one read is %d", f.batch-1, r.batch)
	}
	end, err := UnmarshalEnd(payload)
	if err != nil {
		return err
	}
	r.end = &end
	r.done = true
	r.conclude()
	f, err = r.next()
	if err == nil && f.kind == frameTrailer {
		_, err = r.payload(f)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // only the trailer is incomplete
	}
	if at := r.offset; len(r.peek(1)) > 0 {
		r.report(at, "there is data after the end of the trace")
	}
	return nil
}

// conclude compares what was read with what the trace says of itself. Damage that
// was found before explains any difference.
func (r *Reader) conclude() {
	if r.totals == nil || len(r.damage) > 0 {
		return
	}
	for _, p := range r.totals.contradicted(r.end, r.offset) {
		r.report(p.at, "%s", p.text)
	}
}

// End is the end frame of the trace. It is false if the trace has none: the
// recording was interrupted. Known once Next has returned io.EOF.
func (r *Reader) End() (trace.End, bool) {
	if r.end == nil {
		return trace.End{}, false
	}
	return *r.end, true
}

// Damage lists the parts of the trace that were skipped so far, at most 1000.
func (r *Reader) Damage() []CorruptError { return slices.Clone(r.damage) }

// Offset is the number of bytes of the trace that were read so far.
func (r *Reader) Offset() int64 { return r.offset }
