package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// Threads that are not the command's: of its kernel, and of the server's.
const (
	rpciod = 300
	nfsd   = 400
)

// commitsThere has the command write a file on a server and wait for its COMMIT, of which the server's drive takes
// 60 ms.
// The server is another host, recorded as a whole.
func commitsThere(t *testing.T) *scene {
	s := newScene(t, "client")
	s.merged()
	s.put(2*ms, &trace.Process{Time: 2 * ms, Action: trace.ProcessHelper, PID: rpciod, TID: rpciod, Parent: 2,
		Command: "kworker@client"})
	s.put(2*ms, &trace.Process{Time: 2 * ms, Action: trace.ProcessHelper, PID: nfsd, TID: nfsd, Parent: 2,
		Command: "nfsd@server"})
	f := s.identify(trace.File{Path: "//client/mnt/f", Device: trace.MakeDeviceID(0, 40), Inode: 7, FSType: "nfs4",
		Mount: "//client/mnt"})
	s.now = 9 * ms
	s.write(f, 0, MiB, ms)
	s.put(90*ms, &trace.RPC{Start: 11 * ms, Duration: 79 * ms, Queued: ms, RTT: 77 * ms, PID: 100, TID: rpciod,
		Protocol: trace.ProtocolNFS4, Procedure: "COMMIT", Server: "nas", File: f, Offset: trace.NoOffset, Sends: 1, XID: 5})
	s.put(91*ms, &trace.Wait{Start: 11 * ms, Duration: 80 * ms, Ready: ms, PID: 100, TID: 100, Cause: trace.WaitCall,
		By: trace.WokenByRPC, Waker: rpciod, Completed: 90 * ms})
	s.now = 10 * ms
	s.call(trace.Syscall{Op: trace.OpSync, Call: 1, File: f, Offset: trace.NoOffset}, 82*ms)
	s.returns()
	return s
}

// atServer adds what the server did for it.
func atServer(s *scene) {
	s.put(85*ms, &trace.RPC{Start: 15 * ms, Duration: 70 * ms, Queued: -1, RTT: -1, PID: nfsd, TID: nfsd,
		Protocol: trace.ProtocolNFS4, Procedure: "COMPOUND", Offset: trace.NoOffset, Served: true, XID: 5})
	s.put(80*ms, &trace.Request{Queued: 20 * ms, Issued: 20 * ms, Completed: 80 * ms, Device: nvme, Bytes: MiB,
		Op: trace.ReqWrite, Offset: trace.NoOffset, PID: nfsd, TID: nfsd, Owner: nfsd, Bios: 1})
	s.put(81*ms, &trace.Wait{Start: 20 * ms, Duration: 61 * ms, Ready: ms, PID: nfsd, TID: nfsd, Cause: trace.WaitIO,
		Flags: trace.WaitHelper, By: trace.WokenByRequest, Completed: 80 * ms})
}

// Where client and server were recorded and merged, the path leads over the call to the server's drive, and the verdict
// says how much of the wait that was.
func TestPathOfAMergedTrace(t *testing.T) {
	for _, server := range []bool{false, true} {
		s := commitsThere(t)
		if server {
			atServer(s)
		}
		p := s.profile()
		if p.Path == nil {
			t.Fatal("no path")
		}
		at := map[string]int64{}
		for _, x := range p.Path.Parts {
			if x.Place.RPC == "COMMIT" {
				at[x.Place.What+" "+x.Place.Process+" "+x.Place.Device] += x.NS
			}
		}
		want := map[string]int64{"server client ": 77 * ms, "unsent client ": ms, "reply client ": ms}
		text := "waiting for COMMIT by nas, which serves //client/mnt (nfs4), for 79.0 ms"
		if server {
			want = map[string]int64{"unsent client ": ms, "server client ": 7 * ms, "service nfsd@server nvme0n1": 60 * ms,
				"runs nfsd@server ": 9 * ms, "ready nfsd@server ": ms, "reply client ": ms}
			text += ", of which its drive nvme0n1 took 60.0 ms"
		}
		for place, ns := range want {
			if at[place] != ns {
				t.Errorf("server %v: %s for %d ns of %v", server, place, at[place], at)
			}
		}
		c := p.Verdict.Causes[0]
		if c.Code != cause.NetworkFS || c.Text != text || p.ServerRequests[0].Flow.Count != 1 || len(p.ServerRequests) != 1 {
			t.Errorf("server %v: %+v, %+v", server, c, p.ServerRequests)
		}
	}
}
