// Package tracefile stores events in .iotrace files and reads them again: frames of
// columns, as docs/trace-format.md describes them. Whatever a file holds, reading
// it takes bounded memory, and what cannot be true is left out.
package tracefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/iotrace/iotrace/trace"
)

// FormatVersion is the version of the file format that this package writes,
// and the newest it reads. New kinds of frames, columns at the end of a kind
// and fields of the JSON frames do not change it: older readers skip them.
const FormatVersion = 1

// The limits of the format. The writer keeps them; for the reader they bound
// what a damaged or hostile file can make it allocate. See docs/trace-format.md.
const (
	MaxFrame = 8 << 20 // bytes of a frame's payload, compressed or not
	MaxJSON  = 1 << 20 // bytes of the header and of the end
)

// What reading a trace can fail with, besides errors of the input itself.
var (
	// ErrFormat says that the input is no trace.
	ErrFormat = errors.New("not an iotrace file")
	// ErrVersion says that the trace was written by a newer iotrace.
	ErrVersion = errors.New("trace format is too new")
	// ErrTruncated says that the trace ends before its first event.
	ErrTruncated = errors.New("trace ends within its header")
)

// CorruptError is a part of a trace that could not be read and was skipped.
type CorruptError struct {
	Offset int64  // bytes from the start of the trace
	Reason string // what is wrong
}

func (e CorruptError) Error() string {
	return fmt.Sprintf("corrupt trace at offset %d: %s", e.Offset, e.Reason)
}

// Signature begins a trace. It is no valid text in any encoding.
const Signature = "\x89iotrace"

// prefixSize is that of the signature, the version and the CRC of both.
const prefixSize = 16

// Frames other than events. Their numbers continue those of Kind, far above.
const (
	frameHeader   trace.Kind = 64 + iota // JSON of Header
	frameBatchEnd                        // closes a batch and says what it held
	frameIndex                           // columns of indexEntry
	frameEnd                             // JSON of End
	frameTrailer                         // where index and end frame start; last in the file
	framePadding                         // holds nothing: a trace has to be as long as its events are worth (see totals)
)

// frameName is the name of a frame in messages.
func frameName(k trace.Kind) string {
	switch k {
	case frameHeader:
		return "header"
	case frameBatchEnd:
		return "batch end"
	case frameIndex:
		return "index"
	case frameEnd:
		return "end"
	case frameTrailer:
		return "trailer"
	case framePadding:
		return "padding"
	}
	return k.String()
}

// codec says how a payload is stored.
type codec uint8

const (
	codecStored codec = iota
	codecZstd         // one zstd frame
)

const (
	frameMagic      = "\xF5IO\xA5"
	frameHeaderSize = 32
)

// castagnoli is CRC-32C, which amd64 and arm64 compute in hardware.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// frame is the fixed-size part at the start of each frame.
type frame struct {
	kind   trace.Kind
	codec  codec
	batch  uint32 // the batch it belongs to, 0 for a frame outside of batches
	count  uint32 // events; in a batch end, frames
	stored uint32 // length of the payload
	raw    uint32 // its length once decompressed
	sum    uint32 // CRC-32C of the payload as it is stored
}

func (f *frame) append(b []byte) []byte {
	start := len(b)
	b = append(b, frameMagic...)
	b = append(b, byte(f.kind), byte(f.codec), 0, 0)
	for _, v := range [...]uint32{f.batch, f.count, f.stored, f.raw, f.sum} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return binary.LittleEndian.AppendUint32(b, checksum(b[start:]))
}

// parseFrame reads the header of a frame from the first frameHeaderSize bytes
// of b. It accepts it only if it is intact and keeps the limits.
func parseFrame(b []byte) (frame, bool) {
	if string(b[:4]) != frameMagic || binary.LittleEndian.Uint32(b[28:]) != checksum(b[:28]) {
		return frame{}, false
	}
	f := frame{
		kind:   trace.Kind(b[4]),
		codec:  codec(b[5]),
		batch:  binary.LittleEndian.Uint32(b[8:]),
		count:  binary.LittleEndian.Uint32(b[12:]),
		stored: binary.LittleEndian.Uint32(b[16:]),
		raw:    binary.LittleEndian.Uint32(b[20:]),
		sum:    binary.LittleEndian.Uint32(b[24:]),
	}
	return f, f.stored <= MaxFrame && f.raw <= MaxFrame
}
