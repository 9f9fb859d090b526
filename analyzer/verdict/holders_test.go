package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// TestHolders says that who held a lock, or has the other end of a pipe or a socket, is named though it was not
// recorded.
func TestHolders(t *testing.T) {
	const end = "the other end of a socket"
	for _, test := range []struct {
		what   string
		holder profile.Holder
		want   string
	}{
		{"lock", profile.Holder{PID: 42, Command: "postgres"},
			"postgres (42, not recorded) held a lock on a file"},
		{"pipe", profile.Holder{PID: 42, Command: "postgres"},
			"between dd (1) and postgres (42, not recorded)"},
		{"socket", profile.Holder{PID: 42, Command: "postgres"},
			end + " between dd (1) and postgres (42, not recorded)"},
		{"socket", profile.Holder{PID: 2, Command: "sort"}, end + " between dd (1) and sort (2)"},
		{"socket", profile.Holder{Address: "192.0.2.7:443"},
			end + " between dd (1) and 192.0.2.7:443"},
		{"socket", profile.Holder{PID: 1, Command: "dd"}, end + " of dd (1)"},
		{"socket", profile.Holder{Inode: 8, PID: 2, Command: "sort"}, end + " of dd (1)"},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		holder := test.holder
		holder.What = test.what
		if holder.Inode == 0 {
			holder.Inode = 7
		}
		p.Trace.Holders = []profile.Holder{holder, {What: test.what, Inode: 8, PID: 43, Command: "other"}}
		p.Processes = []profile.Process{{PID: 1, Command: "dd"}, {PID: 2, Command: "sort"}}
		p.Files = []profile.File{{Path: "/data", Inode: 7, Type: trace.FileRegular, Processes: []uint32{1},
			Ops: []profile.OpCount{{Op: trace.OpLock, TimeNS: second}}}}
		p.Calls = []profile.Call{{Name: "flock", Op: trace.OpLock, Count: 1, TimeNS: second}}
		if test.what != trace.HeldLock {
			p.Files[0].Ops[0].Op = trace.OpRead
			if err := p.Files[0].Type.UnmarshalText([]byte(test.what)); err != nil {
				t.Fatal(err)
			}
		}
		v := verdict.Judge(p)
		if len(v.Causes) == 0 || !strings.Contains(v.Causes[0].Text, test.want) {
			t.Errorf("%+v, want %q", v.Causes, test.want)
			continue
		}
		if said := v.Causes[0].Text; strings.Contains(said, end) && !strings.HasSuffix(said, test.want) {
			t.Errorf("%q, want %q at its end", said, test.want)
		}
	}
}
