package content

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

func TestIOLimits(t *testing.T) {
	p := &profile.Profile{StartNS: 1e6}
	p.Trace.IOLimits = []profile.IOLimit{
		{Group: "/a", Device: "sda", FromNS: 5e5, ReadBytes: 2e6, Writes: 1},
		{Group: "/a\n", Device: "sda", FromNS: 201e6},
	}
	want := []string{
		"Control group /a let it read 2.00 MB/s, write 1 request a second at sda.",
		"Control group /a\\n let it read and write without limit at sda from 200 ms on.",
	}
	if got := IOLimits(p); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
