package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestPackedHere is for zstd and zstd -d around a pipe, and for what else goes through one.
func TestPackedHere(t *testing.T) {
	const all = 200 << 20
	for name, x := range map[string]struct {
		through, wrote int64
		scope          string
		want           bool
	}{
		"packed":              {80 << 20, all, "command", true},
		"passed on":           {all, all, "command", false},
		"packed and kept":     {80 << 20, 80 << 20, "command", false},
		"made less of":        {80 << 20, 60 << 20, "command", false},
		"between two hosts":   {80 << 20, all, trace.ScopeMerge, false},
		"hardly any was left": {1000, all, "command", false},
	} {
		p := &profile.Profile{
			Processes: []profile.Process{
				{PID: 7, Command: "zstd", Read: &profile.Flow{Bytes: all}},
				{PID: 8, Command: "zstd", Write: &profile.Flow{Bytes: x.wrote}},
			},
			Files: []profile.File{{Path: "pipe:[12]", Type: trace.FilePipe, Processes: []uint32{7, 8},
				Read: &profile.Flow{Bytes: x.through}, Write: &profile.Flow{Bytes: x.through}}},
			Layers: []profile.Layer{{Name: "calls", Read: &profile.Flow{Bytes: all}, Write: &profile.Flow{Bytes: x.wrote}}},
		}
		p.Trace.Scope = x.scope
		o := &observer{p: p}
		packedHere(o)
		if got := o.said("packed_here"); got != x.want {
			t.Errorf("%s: said %v", name, got)
		}
	}
}
