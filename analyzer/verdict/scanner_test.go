package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// TestScanned says that time on the path through a program is its own where the kernel asks that program about files,
// and that nobody else is charged with it, though he is a helper or is asked as well.
func TestScanned(t *testing.T) {
	for _, test := range []struct {
		helper string
		holder profile.Holder
		want   string
	}{
		{"avd", profile.Holder{What: trace.HeldAccess, PID: 9, Command: "avd"}, cause.OtherEnd},
		{"other", profile.Holder{What: trace.HeldAccess, PID: 9, Command: "avd"}, cause.BlockedInCall},
		{"avd", profile.Holder{What: trace.HeldLock, PID: 9, Command: "avd"}, cause.BlockedInCall},
		{"", profile.Holder{What: trace.HeldAccess, PID: 9}, cause.BlockedInCall}, // names were left out
	} {
		p := blockedInOpen()
		p.Devices, p.Trace.Holders = nil, []profile.Holder{test.holder}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Share: 1, Waits: 40,
			Place: profile.PathPlace{What: "runs", Label: "lock", Process: test.helper, Helper: true, Call: "open"}}}}
		causes := verdict.Judge(p).Causes
		if len(causes) != 1 || causes[0].Code != test.want {
			t.Errorf("%+v: %+v", test, causes)
			continue
		}
		const says = "40 calls (open) waited for avd (9)"
		if told := strings.HasPrefix(causes[0].Text, says); told != (test.want == cause.OtherEnd) {
			t.Errorf("%q", causes[0].Text)
		}
	}
}
