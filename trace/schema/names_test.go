package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Names are kept in bounded memory, and the newest are kept.
func TestOldNamesAreForgotten(t *testing.T) {
	n := NewResolver(trace.Header{})
	long := strings.Repeat("x", 1<<20)
	for id := trace.FileID(1); id <= 200; id++ {
		n.add(id, long+fmt.Sprint(id))
		n.add(id, long+fmt.Sprint(id)) // told twice
	}
	if n.held > budget || len(n.files) > 64 || len(n.order) != len(n.files) {
		t.Errorf("%d bytes in %d names, %d in order", n.held, len(n.files), len(n.order))
	}
	if got, ok := n.Path(1); ok {
		t.Errorf("the first is still %.20s", got)
	}
	if got, ok := n.Path(200); !ok || !strings.HasSuffix(got, "x200") {
		t.Errorf("the last is %.20s, %v", got, ok)
	}
}

func TestBits(t *testing.T) {
	if got := string(FileFlags.Append(nil, 1<<31|1<<2|1)); got != "deleted|unlinked|bit31" {
		t.Error(got)
	}
	for _, set := range []uint32{0, 1, 1<<31 | 1<<2 | 1, 1<<32 - 1} {
		if got, ok := FileFlags.Parse(FileFlags.List(set)); !ok || got != set {
			t.Errorf("%b became %b, %v", set, got, ok)
		}
	}
	for _, name := range []string{"", "bit32", "bit", "bit-1", "direct"} {
		if set, ok := FileFlags.Parse([]string{name}); ok {
			t.Errorf("%q is %b", name, set)
		}
	}
}
