package tracefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// scanner finds the frames of a trace and skips what is damaged.
type scanner struct {
	window
	zstd   *zstd.Decoder
	raw    []byte
	ahead  *ahead // nil: a frame is decompressed when it is asked for
	damage []CorruptError
	hurt   bool // there was damage since it was last cleared
}

// maxDamage is the number of damaged places that are told apart.
const maxDamage = 1000

func newScanner(in io.Reader) (scanner, error) {
	z, err := newDecompressor()
	if err != nil {
		return scanner{}, err
	}
	return scanner{window: window{in: in}, zstd: z}, nil
}

func newDecompressor() (*zstd.Decoder, error) {
	z, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(MaxFrame),
		zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("setting up decompression: %w", err)
	}
	return z, nil
}

// report notes damage at an offset.
func (s *scanner) report(offset int64, format string, args ...any) {
	s.hurt = true
	switch len(s.damage) {
	case maxDamage:
	case maxDamage - 1:
		s.damage = append(s.damage, CorruptError{offset, "further damage is not listed"})
	default:
		s.damage = append(s.damage, CorruptError{offset, fmt.Sprintf(format, args...)})
	}
}

// next returns the header of the next intact frame and leaves it in the
// window. The error is io.EOF at the end of the input and io.ErrUnexpectedEOF
// if that is within a frame.
func (s *scanner) next() (frame, error) {
	b := s.peek(frameHeaderSize)
	if err := s.failure(); err != nil && len(b) < frameHeaderSize {
		return frame{}, fmt.Errorf("reading trace at offset %d: %w", s.offset, err)
	}
	switch {
	case len(b) == 0:
		return frame{}, io.EOF
	case len(b) < frameHeaderSize:
		if n := min(len(b), len(frameMagic)); string(b[:n]) != frameMagic[:n] {
			s.report(s.offset, "no frame starts here")
		}
		s.skip(len(b))
		return frame{}, io.ErrUnexpectedEOF
	}
	if f, ok := parseFrame(b); ok {
		return f, nil
	}
	s.report(s.offset, "no intact frame header")
	return s.resync()
}

// resync looks for the next intact frame header after the current position.
func (s *scanner) resync() (frame, error) {
	s.skip(1)
	for {
		b := s.peek(minWindow)
		i := bytes.Index(b, []byte(frameMagic))
		switch {
		case i < 0 && len(b) < minWindow:
			s.skip(len(b))
			return s.next() // the end
		case i < 0:
			s.skip(len(b) - len(frameMagic) + 1)
		default:
			s.skip(i)
			b = s.peek(frameHeaderSize)
			if len(b) < frameHeaderSize {
				return s.next()
			}
			if f, ok := parseFrame(b); ok {
				return f, nil
			}
			s.skip(1)
		}
	}
}

// errDamaged says that a frame was skipped and its damage reported.
var errDamaged = errors.New("damaged frame")

// payload consumes the frame whose header was just returned and returns its
// decompressed payload, which is valid until the next call. The error is
// io.ErrUnexpectedEOF if the input ends within the frame.
func (s *scanner) payload(f frame) ([]byte, error) {
	whole := frameHeaderSize + int(f.stored)
	b := s.peek(whole)
	if len(b) < whole {
		if err := s.failure(); err != nil {
			return nil, fmt.Errorf("reading trace at offset %d: %w", s.offset, err)
		}
		return nil, io.ErrUnexpectedEOF
	}
	if checksum(b[frameHeaderSize:]) != f.sum {
		s.damaged(f, s.offset, "wrong checksum")
		if s.followed(whole) {
			s.skip(whole)
		} else if _, err := s.resync(); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, errDamaged
	}
	raw := b[frameHeaderSize:]
	var err error
	switch f.codec {
	case codecStored:
	case codecZstd:
		if !s.ahead.take(s.offset, &s.raw, &err) {
			s.raw, err = decompress(s.zstd, raw, s.raw, f)
		}
		raw = s.raw
	default:
		err = fmt.Errorf("unknown codec %d", f.codec)
	}
	if err == nil && len(raw) != int(f.raw) {
		err = fmt.Errorf("%d bytes instead of %d", len(raw), f.raw)
	}
	if err != nil {
		s.damaged(f, s.offset, err.Error())
		err = errDamaged
	}
	s.skip(whole)
	if s.ahead != nil {
		if f.codec == codecStored { // in the window, which moves on
			s.raw = append(s.raw[:0], raw...)
			raw = s.raw
		}
		s.ahead.start(s)
	}
	return raw, err
}

// decompress returns the payload of a frame in the memory of an earlier one.
func decompress(z *zstd.Decoder, stored, into []byte, f frame) ([]byte, error) {
	return z.DecodeAll(stored, slices.Grow(into[:0], int(f.raw)+decodeSlack))
}

// decodeSlack is room that lets the decompressor copy in whole words.
const decodeSlack = 64

// damaged reports damage of the frame at an offset.
func (s *scanner) damaged(f frame, at int64, reason string) {
	s.report(at, "%s frame with %d rows, batch %d: %s", frameName(f.kind), f.count, f.batch, reason)
}

// followed reports whether the frame of n bytes at the current position is
// followed by another or by the end. If not, its length cannot be trusted.
func (s *scanner) followed(n int) bool {
	b := s.peek(n + frameHeaderSize)[n:]
	if len(b) < frameHeaderSize {
		return true
	}
	_, ok := parseFrame(b)
	return ok
}
