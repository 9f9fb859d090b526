package verdict_test

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Where both ends of a connection are read from at once, neither keeps the other waiting. It takes both ends, and a
// packet that ends the wait: two that wait for each other over a Unix socket are stuck by themselves.
func TestUnderWay(t *testing.T) {
	for name, c := range map[string]struct {
		served int64 // time that the other end read from its socket
		holder uint32
		what   string
		want   string
	}{
		"both wait":                    {second * 9 / 10, 2, "outside", cause.UnderWay},
		"the other end computes":       {second / 10, 2, "outside", cause.OtherEnd},
		"the other end is unknown":     {second * 9 / 10, 3, "outside", cause.OtherEnd},
		"a program woke it, no packet": {second * 9 / 10, 2, "unseen", cause.OtherEnd},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		end := func(path string, inode uint64, pid uint32, ns int64) profile.File {
			return profile.File{Type: trace.FileSocket, Path: path, Inode: inode, Processes: []uint32{pid},
				Read: &profile.Flow{LastNS: second}, Ops: []profile.OpCount{{Op: trace.OpRead, Count: 60, TimeNS: ns}}}
		}
		p.Files = []profile.File{end("socket:[1]", 1, 1, second*95/100), end("socket:[2]", 2, 2, c.served)}
		p.Processes = []profile.Process{{PID: 1, Command: "client"}, {PID: 2, Command: "server"}}
		p.Trace.Holders = []profile.Holder{{What: "socket", Inode: 1, PID: c.holder}, {What: "socket", Inode: 2, PID: 1}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 60,
			Place: profile.PathPlace{What: c.what, Label: "lock", Call: "read", File: "socket:[1]"}}}}
		if r := verdict.Judge(p).Causes[0]; r.Code != c.want {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
