package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// TestPolling tells who waits in poll for a server from who sleeps, and from who sleeps while others of it poll.
func TestPolling(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits profile.Waits
		code  string
		text  string
	}{
		{"polls", profile.Waits{Poll: second}, verdict.OtherEnd,
			"epoll for the other end of a socket, of which curl (1) has one end and 192.0.2.7:443 the other"},
		{"sleeps", profile.Waits{Sleep: second}, verdict.ThinkTime, "nothing of it ran"},
		{"both", profile.Waits{Poll: 2 * second, Sleep: second}, verdict.ThinkTime, "nothing of it ran"},
		{"polls for a moment", profile.Waits{Poll: second / 10, Sleep: second / 3}, verdict.ThinkTime, "nothing of it ran"},
		{"not told", profile.Waits{Other: second}, verdict.ThinkTime, "nothing of it ran"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
			p.Processes = []profile.Process{{PID: 1, Command: "curl", WaitNS: test.waits}}
			p.Files = []profile.File{
				{Inode: 6, Type: "socket", Processes: []uint32{1}, Read: &profile.Flow{Bytes: 9}},
				{Inode: 7, Type: "socket", Processes: []uint32{1}, Read: &profile.Flow{Bytes: 5}},
			}
			p.Trace.Holders = []profile.Holder{{What: "socket", Inode: 7, Address: "192.0.2.7:443"}}
			v := verdict.Judge(p)
			if len(v.Causes) == 0 || v.Causes[0].Code != test.code || !strings.Contains(v.Causes[0].Text, test.text) {
				t.Errorf("%+v, want %s: %q", v.Causes, test.code, test.text)
			}
		})
	}
}
