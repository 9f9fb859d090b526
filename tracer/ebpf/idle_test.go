//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// Requests have the I/O priority class of whoever asked for them.
func TestIdleClass(t *testing.T) {
	needBPF(t)
	needTools(t, "ionice", "dd")
	d := newDisk(t, 1<<20)
	for _, c := range []struct {
		class string
		idle  bool
	}{{"3", true}, {"2", false}} {
		rec := recordCommand(t, Options{}, nil, "ionice", "-c", c.class, "dd", "if=/dev/"+d.name, "of=/dev/null",
			"bs=64k", "iflag=direct")
		seen := 0
		for i := range rec.Requests {
			if r := &rec.Requests[i]; r.Device == d.id && r.Op == trace.ReqRead && r.Flags&trace.ReqForeign == 0 {
				seen++
				if r.Flags&trace.ReqIdle != 0 != c.idle {
					t.Errorf("class %s: a request has the flags %#x", c.class, r.Flags)
				}
			}
		}
		if seen == 0 {
			t.Errorf("class %s: no request was recorded", c.class)
		}
	}
}
