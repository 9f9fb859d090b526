package tracefile

import (
	"bytes"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/internal/column"
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
	name := strings.Repeat("x", column.MaxText-20)
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
	if size := lengthFor(n, 1500*column.MaxText); uint64(file.Len()) > size+size/8 {
		t.Errorf("%d bytes, where %d are enough", file.Len(), size)
	}
}
