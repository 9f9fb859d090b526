package strace

import (
	"errors"
	"io"
	"path"
	"strconv"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/bounded"
	"github.com/iotrace/iotrace/trace"
)

// merge reads logs: of strace -ff, which writes one for each process, named after it, side by side in the order of
// their times, and all others one after the other.
func merge(in []convert.Input, sink trace.Sink) (convert.Counts, error) {
	apart := make([]*source, 0, len(in))
	for i := range in {
		if pid := suffix(in[i].Name); pid != 0 {
			apart = append(apart, &source{in: bounded.NewLines(in[i], sourceBuffer, min(max(longest/len(in), sourceBuffer),
				bounded.MaxLine)), pid: pid})
		}
	}
	if len(apart) == len(in) {
		return convert.Checked(func(_ io.Reader, sink trace.Sink) (convert.Counts, error) {
			return readAll(sink, func(s *Reader) error { return s.sideBySide(apart) })
		})(nil, sink)
	}
	parts := make([]io.Reader, len(in))
	for i := range in {
		parts[i] = in[i]
	}
	return convert.Checked(read)(io.MultiReader(parts...), sink)
}

// suffix is the number that the name of a file ends in, 0 if it ends in none.
func suffix(name string) uint32 {
	ext := path.Ext(name)
	if len(ext) < 2 {
		return 0
	}
	n, err := strconv.ParseUint(ext[1:], 10, 22)
	if err != nil {
		return 0
	}
	return uint32(n)
}

const (
	sourceBuffer = 16 << 10
	longest      = 64 << 20 // of the lines of all of them, each is at one
)

// source is the log of one process.
type source struct {
	in   *bounded.Lines
	pid  uint32
	line []byte // the next one
	long bool   // which is too long
	time int64  // of it; that of the line before if it has none
}

// Time implements source.
func (o *source) Time() int64 { return o.time }

// Next reads the next line.
func (o *source) Next() (err error) {
	o.line, err = o.in.Next()
	if o.long = errors.Is(err, bounded.ErrTooLong); o.long {
		return nil
	}
	var p prefix
	if p.take(o.line); p.kind == absolute || p.kind == ofDay {
		o.time = p.time
	}
	return err
}

// sideBySide reads logs line by line, the earliest of all first. Logs without times come one after the other.
func (s *Reader) sideBySide(sources []*source) error {
	return convert.All(sources, func(o *source) error {
		s.alone = o.pid
		if o.long {
			s.Long()
			return nil
		}
		return s.Line(o.line)
	})
}
