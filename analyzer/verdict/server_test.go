package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// The verdict says what a server was asked for, and what makes that less, by the protocol.
func TestServerRequests(t *testing.T) {
	for _, c := range []struct {
		protocol, fs, procedure string
		queued, answered        int64
		depth                   float64
		size                    int64
		remedy                  string
	}{
		{"nfs4", "nfs4", "WRITE", second, second / 2, 60, 1 << 18, "several connections (nconnect)"},
		{"nfs4", "nfs4", "WRITE", 0, second, 1, 1 << 20, "more requests in flight"},
		{"nfs4", "nfs4", "WRITE", 0, second, 8, 1 << 16, "larger requests (rsize, wsize)"},
		{"nfs4", "nfs4", "WRITE", 0, second, 8, 1 << 20, "a faster network or server"},
		{"smb", "cifs", "WRITE", 0, second, 1, 1 << 20, "more requests in flight"},
		{"smb", "cifs", "WRITE", 0, second, 8, 1 << 16, "larger requests (rsize, wsize; cache=strict"},
		{"smb", "cifs", "WRITE", 0, second, 8, 1 << 20, "several connections (multichannel, max_channels)"},
		{"smb", "cifs", "QUERY_INFO", 0, second, 1, 0, "attributes that are kept for longer (actimeo)"},
		{"smb", "cifs", "FLUSH", 0, second, 1, 0, "a faster network or server; a larger block size"},
	} {
		p := spent(map[string]int64{"sync": second}, map[string]int64{"blocked_in_call": second})
		flow := profile.Flow{Count: 4, Bytes: 4 * c.size, Depth: profile.Depth{MeanBusy: c.depth}}
		flow.Size.P50 = c.size
		p.Files = []profile.File{{Path: "/n/a", Type: trace.FileRegular, FSType: c.fs, Mount: "/n",
			Ops: []profile.OpCount{{Op: trace.OpSync, Count: 1, TimeNS: second}}}}
		p.ServerRequests = []profile.ServerRequests{{Server: "nas", Protocol: c.protocol, Procedure: c.procedure, Flow: flow,
			Queued: profile.Dist{Sum: c.queued}, Answered: profile.Dist{Sum: c.answered}}}
		part := func(procedure string, bytes, ns int64) profile.PathPart {
			return profile.PathPart{NS: ns, Place: profile.PathPlace{What: "server", Label: "sync", Call: "sync",
				RPC: procedure, Server: "nas", RPCBytes: bytes}}
		}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{part("COMMIT", 0, second/4),
			part(c.procedure, 1<<20, second*3/4)}}
		r := verdict.Judge(p).Causes[0]
		text := "waiting for " + c.procedure + " of 1.05 MB by nas, which serves /n (" + c.fs + "), for 750 ms"
		if r.Code != cause.NetworkFS || r.Text != text || !strings.HasPrefix(r.Remedy, c.remedy) {
			t.Errorf("%+v: %+v", c, r)
		}
	}
}
