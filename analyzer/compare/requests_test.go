package compare

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// TestRequestsBeneath looks at a disk that another device lies on: its requests are
// the workload's if they were for files of its own.
func TestRequestsBeneath(t *testing.T) {
	flow := &profile.Flow{Count: 10, Bytes: 10 * mib}
	for _, test := range []struct {
		name string
		l    profile.Layer
		want int
	}{
		{"calls", profile.Layer{Read: flow}, 0},
		{"topmost", profile.Layer{Level: 1, Read: flow, Write: flow}, 2},
		{"passed on", profile.Layer{Level: 2, Read: flow, Write: flow}, 0},
		{"a source that lies on it", profile.Layer{Level: 2, Read: flow, Write: flow, DirectRead: 10 * mib}, 1},
	} {
		if got := direct(&test.l); len(got) != test.want {
			t.Errorf("%s: %d flows, want %d", test.name, len(got), test.want)
		}
	}
}
