package cli

import (
	"errors"
	"io"

	"github.com/iotrace/iotrace/internal/visible"
)

// Guard returns streams of which both outputs pass on what can be seen, and no escape sequence but those of our own
// colours, where they are welcome. Everything that a command prints goes through them: what is printed may come from
// anybody. end passes on what is held back.
func Guard(s Streams) (guarded Streams, end func() error) {
	out, err := newGuard(s.Out), newGuard(s.Err)
	end = func() error { return errors.Join(out.text.Flush(), err.text.Flush()) }
	return Streams{In: s.In, Out: out, Err: err}, end
}

// guard is a Stream that shows nothing hidden.
type guard struct {
	Stream
	text *visible.Writer
}

func newGuard(s Stream) *guard {
	if s.Color() {
		return &guard{s, visible.NewWriter(s, visible.Ink...)}
	}
	return &guard{s, visible.NewWriter(s)}
}

func (g *guard) Write(p []byte) (int, error) { return g.text.Write(p) }

// Contents is where the contents of a file go that was asked for on a stream: they pass as they are, unless a person
// would read them.
func Contents(s Stream) io.Writer {
	if s.IsTerminal() {
		return s
	}
	return bare(s)
}

// bare is a stream without its guard.
func bare(s Stream) Stream {
	if g, ok := s.(*guard); ok {
		return g.Stream
	}
	return s
}
