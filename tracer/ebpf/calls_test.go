//go:build linux

package ebpf

import (
	"runtime"
	"slices"
	"testing"

	"github.com/iotrace/iotrace/tracer/linux"
)

// Every call of the common table that exists here is recorded, but for those
// that only change what later calls refer to.
func TestTheTableHasEveryCall(t *testing.T) {
	follow := []linux.Shape{linux.ShapeDup, linux.ShapeDup2, linux.ShapeChdir, linux.ShapeFchdir}
	n := 0
	for i := range linux.Calls {
		c := &linux.Calls[i]
		nr, there := c.Number(runtime.GOARCH)
		if !there || slices.Contains(follow, c.Shape) {
			continue
		}
		n++
		if !slices.ContainsFunc(calls, func(k call) bool { return k.nr == nr && k.name == c.Name && k.op == c.Op && k.shape != shapeNone }) {
			t.Errorf("%s is not recorded", c.Name)
		}
		if nr >= maxCalls {
			t.Errorf("%s has number %d, and there is room for %d", c.Name, nr, maxCalls)
		}
	}
	if n != len(calls) {
		t.Errorf("%d calls are recorded, %d are in the common table", len(calls), n)
	}
}
