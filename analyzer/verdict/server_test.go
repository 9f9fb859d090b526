package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// The verdict says what a server was asked for, and what makes that less.
func TestServerRequests(t *testing.T) {
	for _, c := range []struct {
		queued, answered int64
		depth            float64
		size             int64
		remedy           string
	}{
		{second, second / 2, 60, 1 << 18, "several connections (nconnect)"},
		{0, second, 1, 1 << 20, "more requests in flight"},
		{0, second, 8, 1 << 16, "larger requests (rsize, wsize)"},
		{0, second, 8, 1 << 20, "a faster network or server"},
	} {
		p := spent(map[string]int64{"sync": second}, map[string]int64{"blocked_in_call": second})
		flow := profile.Flow{Count: 4, Bytes: 4 * c.size, Depth: profile.Depth{MeanBusy: c.depth}}
		flow.Size.P50 = c.size
		p.Files = []profile.File{{Path: "/n/a", Type: trace.FileRegular, FSType: "nfs4", Mount: "/n",
			Ops: []profile.OpCount{{Op: trace.OpSync, Count: 1, TimeNS: second}}}}
		p.ServerRequests = []profile.ServerRequests{{Server: "nas", Procedure: "WRITE", Flow: flow,
			Queued: profile.Dist{Sum: c.queued}, Answered: profile.Dist{Sum: c.answered}}}
		part := func(procedure string, bytes, ns int64) profile.PathPart {
			return profile.PathPart{NS: ns, Place: profile.PathPlace{What: "server", Label: "sync", Call: "sync",
				RPC: procedure, Server: "nas", RPCBytes: bytes}}
		}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{part("COMMIT", 0, second/4),
			part("WRITE", 1<<20, second*3/4)}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.NetworkFS || r.Text != "waiting for WRITE of 1.05 MB by nas, which serves /n (nfs4), for 750 ms" ||
			!strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}
