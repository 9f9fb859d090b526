package tracefile

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/iotrace/iotrace/trace"
)

// framer turns batches into frames. It counts what it wrote for the index and
// the end frame.
type framer struct {
	encoder columnEncoder
	zstd    *zstd.Encoder
	packed  []byte
	out     []byte // the frames of one batch
	offset  int64  // in the trace, of out
	batch   uint32 // number of the last batch
	index   index
	counts  [trace.NumKinds]uint64
	lost    [trace.NumKinds]uint64
	rows    uint64 // events and items of lists
	known   uint64 // processes, files and devices
	header  int64  // where the first batch may begin
	whole   int64  // where the last batch ends
}

func newFramer() (*framer, error) {
	z, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false),              // frames have their own
		zstd.WithAllLitEntropyCompression(true), // noisy planes have no matches, but are not incompressible
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("setting up compression: %w", err)
	}
	return &framer{zstd: z, encoder: newColumnEncoder()}, nil
}

// start begins the trace with prefix and header.
func (f *framer) start(h trace.Header) error {
	payload, err := MarshalHeader(h)
	if err != nil {
		return err
	}
	f.out = append(f.out, Signature...)
	f.out = binary.LittleEndian.AppendUint32(f.out, FormatVersion)
	f.out = binary.LittleEndian.AppendUint32(f.out, checksum(f.out))
	f.store(frameHeader, 0, 1, payload)
	return nil
}

// add appends the frames of a batch whose events ended between two times.
func (f *framer) add(b *trace.Batch, from, to int64) {
	f.batch++
	start := len(f.out)
	s := Span{Offset: f.offset + int64(start), Batch: f.batch, From: from, To: to}
	frames := 0
	for _, k := range trace.KindOrder {
		n := layouts[k].count(b)
		if n == 0 {
			continue
		}
		s.Counts[k] = uint64(n)
		f.counts[k] += uint64(n)
		f.encoder.Raw = f.encoder.Raw[:0]
		layouts[k].append(&f.encoder, b)
		f.compress(k, f.batch, n)
		frames++
	}
	for i := range b.Lost {
		if k := b.Lost[i].Kind; int(k) < len(f.lost) {
			f.lost[k] += b.Lost[i].Count
		} else {
			f.lost[0] += b.Lost[i].Count
		}
	}
	s.Offset += f.pad(b, start)
	f.index.add(s)
	f.encoder.Raw = f.encoder.Raw[:0]
	appendRows(&f.encoder, spanTable, []Span{s})
	f.store(frameBatchEnd, f.batch, frames, f.encoder.Raw)
	f.whole = f.offset + int64(len(f.out))
}

// pad makes room before the frames of a batch, which start in out, if the trace
// is too short for what it holds. It returns how much.
func (f *framer) pad(b *trace.Batch, start int) int64 {
	f.rows += uint64(b.Len() + len(b.Extents) + len(b.Parents))
	f.known += uint64(len(b.Processes) + len(b.Files) + len(b.Devices))
	missing := int64(lengthFor(f.rows, f.encoder.Texts+identities*f.known)) - f.offset - int64(start)
	if missing <= 0 {
		return 0
	}
	payload := make([]byte, min(missing, MaxFrame))
	padding := frame{kind: framePadding, stored: uint32(len(payload)), raw: uint32(len(payload)), sum: checksum(payload)}
	f.out = slices.Insert(f.out, start, append(padding.append(nil), payload...)...)
	return int64(len(payload) + frameHeaderSize)
}

// finish appends what follows the last batch.
func (f *framer) finish(e trace.End) error {
	indexAt := f.offset + int64(len(f.out))
	f.encoder.Raw = f.encoder.Raw[:0]
	appendRows(&f.encoder, spanTable, f.index.spans)
	f.compress(frameIndex, 0, len(f.index.spans))

	e.Counts, e.Lost = names(f.counts[:]), names(f.lost[:])
	payload, err := MarshalEnd(e)
	if err != nil {
		return err
	}
	endAt := f.offset + int64(len(f.out))
	f.store(frameEnd, f.batch+1, 1, payload)

	where := binary.LittleEndian.AppendUint64(nil, uint64(indexAt))
	f.store(frameTrailer, 0, 1, binary.LittleEndian.AppendUint64(where, uint64(endAt)))
	return nil
}

// names is the JSON form of counts by kind.
func names(counts []uint64) map[string]uint64 {
	m := make(map[string]uint64)
	for k, n := range counts {
		if n > 0 {
			m[trace.Kind(k).String()] = n
		}
	}
	return m
}

// compress appends a frame with what is in the encoder.
func (f *framer) compress(k trace.Kind, batch uint32, count int) {
	raw := f.encoder.Raw
	f.packed = f.zstd.EncodeAll(raw, f.packed[:0])
	if len(f.packed) >= len(raw) {
		f.store(k, batch, count, raw)
		return
	}
	f.frame(frame{kind: k, codec: codecZstd, batch: batch, count: uint32(count), raw: uint32(len(raw))}, f.packed)
}

// store appends a frame without compressing it.
func (f *framer) store(k trace.Kind, batch uint32, count int, payload []byte) {
	f.frame(frame{kind: k, batch: batch, count: uint32(count), raw: uint32(len(payload))}, payload)
}

func (f *framer) frame(h frame, payload []byte) {
	h.stored, h.sum = uint32(len(payload)), checksum(payload)
	f.out = append(h.append(f.out), payload...)
}

// flush writes the frames that have gathered.
func (f *framer) flush(w io.Writer) error {
	n, err := w.Write(f.out)
	f.offset += int64(n)
	f.out = f.out[:0]
	return err
}
