package course

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// A rate fell at 2 s: a limit that was set or lowered about then is named, one that held before is not.
func TestLowered(t *testing.T) {
	const ms = int64(1_000_000)
	limit := func(at, write, reads int64) profile.IOLimit {
		return profile.IOLimit{Group: "/batch", Device: "sda", FromNS: at * ms, WriteBytes: write, Reads: reads}
	}
	for _, test := range []struct {
		name   string
		device string
		limits []profile.IOLimit
		want   string
	}{
		{"none", "", nil, ""},
		{"lowered", "sda", []profile.IOLimit{limit(1, 9e6, 0), limit(2050, 1e6, 0)}, "let it write 1.00 MB/s at sda"},
		{"in what calls did", "", []profile.IOLimit{limit(1, 9e6, 0), limit(2050, 1e6, 0)}, "let it write 1.00 MB/s at sda"},
		{"set", "sda", []profile.IOLimit{limit(2050, 0, 7)}, "let it read 7 requests a second at sda"},
		{"raised", "sda", []profile.IOLimit{limit(1, 1e6, 0), limit(2050, 9e6, 0)}, ""},
		{"lifted", "sda", []profile.IOLimit{limit(1, 1e6, 0), limit(2050, 0, 0)}, ""},
		{"long before", "sda", []profile.IOLimit{limit(1, 9e6, 0), limit(1050, 1e6, 0)}, ""},
		{"of another drive", "sdb", []profile.IOLimit{limit(1, 9e6, 0), limit(2050, 1e6, 0)}, ""},
	} {
		p, s := &profile.Profile{}, &profile.Step{AtNS: 2000 * ms, Device: test.device, Ratio: .1}
		p.Trace.IOLimits = test.limits
		if got := lowered(p, s); !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// A limit that holds from the beginning makes no step there.
func TestLimitFromTheBeginning(t *testing.T) {
	p, s := &profile.Profile{StartNS: 1e6}, &profile.Step{AtNS: 4e8, Ratio: .1}
	p.Trace.IOLimits = []profile.IOLimit{{Group: "/", Device: "sda", FromNS: 5e7, WriteBytes: 1e6}}
	if got := lowered(p, s); got != "" {
		t.Error(got)
	}
}
