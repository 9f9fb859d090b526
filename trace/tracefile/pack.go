package tracefile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/iotrace/iotrace/trace"
)

// Packer keeps events in memory as a trace keeps them in a file, without a trace around them. It is a trace.Sink. What
// Pack returns depends on nothing that was packed before.
type Packer struct {
	filling
	framer *framer
}

// NewPacker makes an empty one.
func NewPacker() (*Packer, error) {
	f, err := newFramer()
	if err != nil {
		return nil, err
	}
	p := &Packer{framer: f}
	p.batch, p.full = new(trace.Batch), p.frame
	return p, nil
}

// frame adds the batch to what is packed.
func (p *Packer) frame() error {
	if p.events > 0 {
		p.framer.add(p.batch, p.from, p.to)
		p.empty()
	}
	return nil
}

// Pack returns what was added since the last time; nil if that is nothing.
func (p *Packer) Pack() []byte {
	_ = p.frame() // fails never
	f := p.framer
	packed := slices.Clone(f.out)
	f.out, f.batch, f.offset, f.rows, f.known = f.out[:0], 0, 0, 0, 0
	f.encoder.Texts, f.index = 0, index{}
	return packed
}

// Unpacker reads what a Packer has packed.
type Unpacker struct{ reader *Reader }

// NewUnpacker makes one.
func NewUnpacker() (*Unpacker, error) {
	s, err := newScanner(bytes.NewReader(nil))
	if err != nil {
		return nil, err
	}
	return &Unpacker{&Reader{scanner: s}}, nil
}

// Each gives the batches to use. They are that function's until it returns.
func (u *Unpacker) Each(packed []byte, b *trace.Batch, use func(*trace.Batch) error) error {
	r := u.reader
	r.window = window{in: bytes.NewReader(packed), buf: r.buf[:0]}
	r.batch, r.open, r.hurt, r.done = 0, false, false, false
	for {
		err := r.Next(b)
		switch {
		case errors.Is(err, io.EOF) && len(r.damage) > 0:
			return fmt.Errorf("unpacking events: %w", r.damage[0])
		case errors.Is(err, io.EOF):
			return nil
		case err == nil:
			err = use(b)
		}
		if err != nil {
			return err
		}
	}
}
