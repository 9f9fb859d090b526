package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestStamped is for reading that made a file system write when files were read last, and for what else may have.
func TestStamped(t *testing.T) {
	for name, x := range map[string]struct {
		options string
		bytes   int64
		op      trace.Op
		want    bool
	}{
		"strictatime, little": {"rw", 8192, trace.OpStat, true},
		"relatime, much":      {"rw,relatime", 15 << 20, trace.OpStat, true},
		"relatime, little":    {"rw,relatime", 8192, trace.OpStat, false},
		"relatime, and chmod": {"rw,relatime", 15 << 20, trace.OpAttr, false},
		"noatime":             {"rw,noatime", 15 << 20, trace.OpStat, false},
	} {
		p := &profile.Profile{Files: []profile.File{{Mount: "/m", Ops: []profile.OpCount{{Op: x.op, Count: 1}}}}}
		p.Amounts.Filesystems = []profile.Amount{{Name: "/m", Device: "sda", Read: profile.Moved{Moved: 60 << 20},
			Write: profile.Moved{Reasons: []profile.Part{{Code: profile.Metadata, Bytes: x.bytes}}}}}
		o := &observer{p: p}
		stamped(o, &profile.Mount{Point: "/m", Options: x.options}, "/trace/mounts/0")
		if got := o.said("mount_atime"); got != x.want {
			t.Errorf("%s: said %v", name, got)
		}
	}
}
