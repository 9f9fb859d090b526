package answer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// namesIn has calls on names take a time, on so many names in or below a directory.
func namesIn(op trace.Op, dir string, names, ns int64) *profile.Profile {
	p := &profile.Profile{WallNS: 10e9}
	p.TimeStack.TotalNS = p.WallNS
	p.OpFiles = []profile.OpFiles{{Op: op, Calls: names, Files: names, Under: dir, UnderFiles: names, UnderCalls: names,
		UnderNS: ns}}
	p.Calls = []profile.Call{{Name: op.String(), Op: op, Count: names, TimeNS: ns}}
	return p
}

// TestUnindexed: directories of ext2 that are made in one that has no index.
func TestUnindexed(t *testing.T) {
	for name, x := range map[string]struct {
		mount profile.Mount
		names int64
		ns    int64
		want  bool
	}{
		"no index":    {profile.Mount{Point: "/old", Source: "/dev/sdb1", FSType: "ext2", Unindexed: true}, 9000, 7e9, true},
		"an index":    {profile.Mount{Point: "/old", FSType: "ext2"}, 9000, 7e9, false},
		"elsewhere":   {profile.Mount{Point: "/older", FSType: "ext2", Unindexed: true}, 9000, 7e9, false},
		"few names":   {profile.Mount{Point: "/old", FSType: "ext2", Unindexed: true}, 90, 7e9, false},
		"little time": {profile.Mount{Point: "/old", FSType: "ext2", Unindexed: true}, 9000, 1e6, false},
	} {
		o := &observer{p: namesIn(trace.OpMkdir, "/old/users", x.names, x.ns)}
		unindexed(o, &x.mount, "/trace/mounts/0")
		if got := o.said("mount_unindexed"); got != x.want {
			t.Errorf("%s: said %v", name, got)
		}
	}
}

// TestSharingCounted: files of a btrfs with quotas are removed, while its drive does little or much.
func TestSharingCounted(t *testing.T) {
	for name, x := range map[string]struct {
		counted bool
		busy    int64
		want    bool
	}{"counted": {true, 1e8, true}, "a busy drive": {true, 6e9, false}, "without quotas": {false, 1e8, false}} {
		o := &observer{p: namesIn(trace.OpUnlink, "/data/old", 3000, 7e9)}
		o.p.Devices = []profile.Device{{Name: "sda"}}
		o.p.Devices[0].Depth.BusyNS = x.busy
		sharingCounted(o, &profile.Mount{Point: "/data", FSType: "btrfs", Device: "sda", SharingCounted: x.counted},
			"/trace/mounts/0")
		if got := o.said("mount_quotas"); got != x.want {
			t.Errorf("%s: said %v", name, got)
		}
	}
}
