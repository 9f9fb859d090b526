package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Large calls that reach the process of a file system in small pieces are told from those that go there as they are.
func TestCutForTheProcess(t *testing.T) {
	const calls, each = 64, 1 << 20
	for piece, want := range map[int64]string{
		4096: "64 calls of 1 MiB waited 16,384 times, for 4.10 kB at a time: waiting for bagfs", 128 << 10: "", each: "",
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		f := &profile.Flow{Count: calls, Bytes: calls * each,
			Size: profile.Dist{P10: each, P50: each, P90: each}}
		p.Files = []profile.File{{Path: "/m/a", Type: trace.FileRegular, FSType: "fuse.bagfs", Mount: "/m", Read: f,
			Ops: []profile.OpCount{{Op: trace.OpRead, Count: calls, TimeNS: second}}}}
		p.Path = &profile.Path{Parts: []profile.PathPart{{Place: profile.PathPlace{What: "runs", Label: "lock",
			Process: "bagfs", Helper: true, Call: "read", File: "/m/a"}, NS: second, Count: calls * each / piece}}}
		r := verdict.Judge(p).Causes[0]
		if strings.HasPrefix(r.Remedy, "larger requests for that process") != (want != "") ||
			!strings.HasPrefix(r.Text, want) {
			t.Errorf("%d bytes: %+v", piece, r)
		}
	}
}
