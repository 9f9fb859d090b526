package events

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Names are kept in bounded memory, and the newest are kept.
func TestOldNamesAreForgotten(t *testing.T) {
	n := newNames(trace.Header{})
	long := strings.Repeat("x", 1<<20)
	for id := trace.FileID(1); id <= 200; id++ {
		n.add(id, long+fmt.Sprint(id))
		n.add(id, long+fmt.Sprint(id)) // told twice
	}
	if n.held > nameBudget || len(n.files) > 64 || len(n.order) != len(n.files) {
		t.Errorf("%d bytes in %d names, %d in order", n.held, len(n.files), len(n.order))
	}
	if got := string(n.appendFile(nil, 1)); got != "#1" {
		t.Errorf("the first is still %.20s", got)
	}
	if got := string(n.appendFile(nil, 200)); !strings.HasSuffix(got, `x200"`) {
		t.Errorf("the last is %.20s", got)
	}
}
