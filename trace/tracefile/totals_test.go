package tracefile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Events that hardly take any room are no forgery when a Writer has written them.
func TestEverySizeIsAfforded(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	const n = 3 * freeRows
	for i := range n {
		if err := w.Wait(&trace.Wait{Start: int64(i / 1000), TID: 1, Cause: trace.WaitIO}); err != nil {
			t.Fatal(err)
		}
	}
	name := strings.Repeat("x", MaxText-20)
	for i := range 1500 {
		if err := w.File(&trace.File{Time: n, ID: trace.FileID(i + 1), Path: name + string(rune('a'+i))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{Duration: n}); err != nil {
		t.Fatal(err)
	}
	r := open(t, file.Bytes())
	waits, files := 0, 0
	var b trace.Batch
	for r.Next(&b) == nil {
		waits, files = waits+len(b.Waits), files+len(b.Files)
	}
	if waits != n || files != 1500 || len(r.Damage()) > 0 {
		t.Errorf("%d waits, %d files, %v", waits, files, r.Damage())
	}
	if size := lengthFor(n, 1500*MaxText); uint64(file.Len()) > size+size/8 {
		t.Errorf("%d bytes, where %d are enough", file.Len(), size)
	}
}

// stripped is a trace without its padding, as they were written before there was any. Its index is out of place.
func stripped(t *testing.T, file []byte) []byte {
	t.Helper()
	out, rest := file[:prefixSize:prefixSize], file[prefixSize:]
	for len(rest) > 0 {
		f, ok := parseFrame(rest)
		if !ok {
			t.Fatal("no frame")
		}
		n := frameHeaderSize + int(f.stored)
		if f.kind != framePadding {
			out = append(out, rest[:n]...)
		}
		rest = rest[n:]
	}
	return out
}

// What an old trace has too much of for its length is left out, as in a forged one, and said: event by event what is
// missing is damage.
func TestATraceThatIsTooShortIsReadInPart(t *testing.T) {
	var file bytes.Buffer
	w := create(t, &file, trace.Header{})
	const n = 2 * freeRows
	for i := range n {
		if err := w.Syscall(&trace.Syscall{Start: int64(i) * 1000, Duration: 300, TID: 1, Op: trace.OpWrite}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(trace.End{Duration: n * 1000}); err != nil {
		t.Fatal(err)
	}
	old := stripped(t, file.Bytes())
	if len(old) > n/4 {
		t.Fatalf("%d bytes are no less than events are worth", len(old))
	}
	r := open(t, old)
	calls := 0
	var b trace.Batch
	for r.Next(&b) == nil {
		calls += len(b.Syscalls)
	}
	missing := 0
	for _, d := range r.Damage() {
		if strings.Contains(d.Error(), "too many for the first") {
			missing += MaxRows
		}
	}
	if calls < freeRows || calls+missing != n {
		t.Errorf("%d of %d calls, and %d told to be missing: %v", calls, n, missing, r.Damage())
	}
}
