package tracefile

import "github.com/klauspost/compress/zstd"

// ahead decompresses the frame that comes next while the one before it is decoded.
type ahead struct {
	zstd   *zstd.Decoder
	offset int64 // of the frame
	stored []byte
	raw    []byte
	err    error
	done   chan struct{} // closed when it is decompressed; nil if there is none
}

// Ahead has frames decompressed by a goroutine of its own, one ahead of Next, which then reads a frame further than it
// has to. It takes the memory of one more frame, and pays where Next is waited for.
func (r *Reader) Ahead() error {
	z, err := newDecompressor()
	if err == nil {
		r.ahead = &ahead{zstd: z}
	}
	return err
}

// start decompresses the frame at the place that a scanner has come to, if that is an intact one.
func (a *ahead) start(s *scanner) {
	if a.done != nil { // of a frame that was left out
		<-a.done
		a.done = nil
	}
	b := s.peek(frameHeaderSize)
	if len(b) < frameHeaderSize {
		return
	}
	f, ok := parseFrame(b)
	whole := frameHeaderSize + int(f.stored)
	if !ok || f.codec != codecZstd {
		return
	}
	if b = s.peek(whole); len(b) < whole {
		return
	}
	a.offset, a.stored, a.done = s.offset, append(a.stored[:0], b[frameHeaderSize:]...), make(chan struct{})
	go func() {
		defer close(a.done)
		a.raw, a.err = decompress(a.zstd, a.stored, a.raw, f)
	}()
}

// take puts the payload of the frame at an offset, or why it could not be decompressed, in the place of an earlier one;
// it is false if another frame was expected.
func (a *ahead) take(offset int64, raw *[]byte, err *error) bool {
	if a == nil || a.done == nil || a.offset != offset {
		return false
	}
	<-a.done
	a.done = nil
	a.raw, *raw = *raw, a.raw
	*err = a.err
	return true
}
