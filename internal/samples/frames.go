// Package samples makes for tests what was never recorded or measured: traces changed from recorded ones, traces too
// large to record, and results of benchmarks and of gap. A trace changes in its bytes, frames or events, and its
// checksums are corrected.
package samples

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/klauspost/compress/zstd"
)

// What docs/trace-format.md says of frames.
const (
	prefixSize = 16
	headerSize = 32
	magic      = "\xF5IO\xA5"
	codecZstd  = 1
)

// Frame is one frame of a trace, its payload as it is once decompressed.
type Frame struct {
	Kind    byte
	Batch   uint32
	Rows    uint32
	Payload []byte
	packed  bool
}

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	packer, _  = zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1))
	unpacker   = must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20)))
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var errFormat = errors.New("no whole trace")

// Split takes a trace apart.
func Split(file []byte) (list []Frame, err error) {
	for at := prefixSize; at < len(file); {
		h := file[at:]
		if len(h) < headerSize || string(h[:4]) != magic {
			return nil, errFormat
		}
		stored := int(binary.LittleEndian.Uint32(h[16:]))
		if len(h) < headerSize+stored {
			return nil, errFormat
		}
		f := Frame{Kind: h[4], Batch: binary.LittleEndian.Uint32(h[8:]), Rows: binary.LittleEndian.Uint32(h[12:]),
			Payload: bytes.Clone(h[headerSize:][:stored]), packed: h[5] == codecZstd}
		if f.packed {
			if f.Payload, err = unpacker.DecodeAll(f.Payload, nil); err != nil {
				return nil, err
			}
		}
		list = append(list, f)
		at += headerSize + stored
	}
	return list, nil
}

// Join puts a trace together from frames, with right checksums and lengths.
func Join(list []Frame) []byte {
	file := append([]byte("\x89iotrace"), 1, 0, 0, 0)
	file = binary.LittleEndian.AppendUint32(file, crc32.Checksum(file, castagnoli))
	for _, f := range list {
		file = f.append(file)
	}
	return file
}

func (f *Frame) append(file []byte) []byte {
	payload, codec := f.Payload, byte(0)
	if f.packed {
		payload, codec = packer.EncodeAll(f.Payload, nil), codecZstd
	}
	at := len(file)
	file = append(append(file, magic...), f.Kind, codec, 0, 0)
	for _, v := range []int{int(f.Batch), int(f.Rows), len(payload), len(f.Payload),
		int(crc32.Checksum(payload, castagnoli))} {
		file = binary.LittleEndian.AppendUint32(file, uint32(v))
	}
	file = binary.LittleEndian.AppendUint32(file, crc32.Checksum(file[at:], castagnoli))
	return append(file, payload...)
}
