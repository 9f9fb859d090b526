package analyzer

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// watching is a stream that looks into a directory when it ends.
type watching struct {
	io.Reader
	dir  string
	seen []os.DirEntry
}

func (w *watching) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err == io.EOF {
		w.seen, _ = os.ReadDir(w.dir)
	}
	return n, err
}

// What is kept of a stream has no name: a process that is killed leaves nothing.
func TestWhatIsKeptOfAStreamHasNoName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a file is opened again by its name here")
	}
	var b bytes.Buffer
	w, err := tracefile.NewWriter(&b, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	in := &watching{Reader: &b, dir: t.TempDir()}
	if _, err := analyzeStream(in, Options{TempDir: in.dir}); err != nil {
		t.Fatal(err)
	}
	if len(in.seen) > 0 {
		t.Errorf("while it was read there was %v", in.seen)
	}
}
