package cli

import (
	"bytes"
	"strings"
	"sync"
)

// Fake is a Stream in memory, for tests of anything that writes to people.
type Fake struct {
	Terminal bool
	Colored  bool
	Columns  int // 0 means 80

	mu  sync.Mutex
	buf bytes.Buffer
}

// FakeStreams are streams with empty input and both outputs in memory.
func FakeStreams() (s Streams, out, err *Fake) {
	out, err = &Fake{}, &Fake{}
	return Streams{In: strings.NewReader(""), Out: out, Err: err}, out, err
}

func (f *Fake) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.buf.Write(p)
}

// IsTerminal is f.Terminal.
func (f *Fake) IsTerminal() bool { return f.Terminal }

// Color is f.Colored.
func (f *Fake) Color() bool { return f.Colored }

// Width is f.Columns, or 80.
func (f *Fake) Width() int {
	if f.Columns > 0 {
		return f.Columns
	}
	return defaultWidth
}

// String is everything that was written.
func (f *Fake) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.buf.String()
}
