package path

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/analyzer/timeline"
	"github.com/iotrace/iotrace/trace"
)

// rpc is one that thread tid took the reply to; it was sent at sent and answered at replied.
func rpc(tid uint32, procedure string, start, sent, replied, end int64) trace.RPC {
	return trace.RPC{TID: tid, Procedure: procedure, Server: "nas", Protocol: trace.ProtocolNFS4, Start: start,
		Duration: end - start, Queued: sent - start, RTT: replied - sent}
}

// answered is a wait that the end of an RPC ended.
func answered(tid uint32, start, ended, at, end int64) trace.Wait {
	w := served(tid, start, ended, at, end)
	w.By, w.Waker = trace.WokenByRPC, 110
	return w
}

// The path leads from a wait to the RPC that ended it: when its reply was taken, when the server had it, and before
// that to those that had to be done first.
func TestServersOnThePath(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    int64
		events []any
		want   string
	}{
		{"one of its own", 30, []any{
			call(1, trace.OpStat, 2, 28), woken(1, 10, 20, 22, 111), rpc(1, "LOOKUP", 5, 8, 18, 25),
		}, "0-2 1 runs; 2-10 1 runs stat; 10-18 1 server stat; 18-20 1 reply stat; 20-22 1 ready stat; " +
			"22-28 1 runs stat; 28-30 1 runs"},
		{"before it was sent", 30, []any{
			call(1, trace.OpStat, 2, 28), woken(1, 6, 20, 20, 111), rpc(1, "LOOKUP", 5, 8, 20, 25),
		}, "0-2 1 runs; 2-6 1 runs stat; 6-8 1 unsent stat; 8-20 1 server stat; 20-28 1 runs stat; 28-30 1 runs"},
		{"of a worker", 30, []any{
			call(1, trace.OpSync, 2, 28), answered(1, 4, 20, 21, 21), rpc(110, "COMMIT", 3, 3, 18, 20),
		}, "0-2 1 runs; 2-4 1 runs sync; 4-18 1 server sync; 18-21 1 reply sync; 21-28 1 runs sync; 28-30 1 runs"},
		{"behind another", 30, []any{
			call(1, trace.OpSync, 2, 28), answered(1, 4, 20, 20, 20), rpc(110, "WRITE", 3, 14, 20, 20),
			rpc(111, "WRITE", 3, 5, 12, 12),
		}, "0-2 1 runs; 2-4 1 runs sync; 4-5 1 unsent sync; 5-12 1 server sync; 12-14 1 unsent sync; " +
			"14-20 1 server sync; 20-28 1 runs sync; 28-30 1 runs"},
		{"of another server", 30, []any{
			call(1, trace.OpSync, 2, 28), answered(1, 4, 20, 20, 20), rpc(110, "WRITE", 3, 14, 20, 20),
			trace.RPC{TID: 111, Server: "other", Start: 5, Duration: 7, RTT: 7},
		}, "0-2 1 runs; 2-4 1 runs sync; 4-14 1 unsent sync; 14-20 1 server sync; 20-28 1 runs sync; 28-30 1 runs"},
		{"not recorded", 30, []any{
			call(1, trace.OpSync, 2, 28), answered(1, 4, 20, 20, 20),
		}, "0-2 1 runs; 2-4 1 runs sync; 4-20 1 unknown sync; 20-28 1 runs sync; 28-30 1 runs"},
	} {
		if got := text(walked(c.end, c.events...)); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// numbered gives an RPC the number that its server has it by, and serves is the same one there, by thread 150.
func numbered(e trace.RPC, xid uint32) trace.RPC {
	e.XID = xid
	return e
}

func serves(xid uint32, start, end int64) trace.RPC {
	return trace.RPC{TID: 150, Start: start, Duration: end - start, Queued: -1, RTT: -1, Served: true, XID: xid}
}

// Where the server was recorded too, the path leads into the thread that served the RPC, and back from there.
func TestPathLeadsIntoTheServer(t *testing.T) {
	own := numbered(rpc(1, "LOOKUP", 5, 8, 24, 25), 9)
	commit := numbered(rpc(110, "COMMIT", 3, 4, 24, 24), 9)
	synced := []any{call(1, trace.OpSync, 2, 28), answered(1, 4, 24, 25, 25), commit}
	for _, c := range []struct {
		name   string
		events []any
		want   string
	}{
		{"of a worker, and the server waits for its drive", append([]any{
			serves(9, 6, 22), served(150, 8, 20, 20, 21), writes(150, 7, 9, 20)}, synced...),
			"4-6 1 server; 6-8 150 runs; 8-9 150 queued; 9-20 150 service; 20-21 150 ready; 21-22 150 runs; 22-24 1 server; " +
				"24-25 1 reply"},
		{"of its own", []any{
			call(1, trace.OpStat, 2, 28), woken(1, 7, 24, 24, 111), own, serves(9, 10, 20),
		}, "7-8 1 unsent; 8-10 1 server; 10-20 150 runs; 20-24 1 server"},
		{"the server waits for a lock", append([]any{
			serves(9, 6, 22), woken(150, 8, 20, 20, 151), other(150, trace.WaitOther, trace.WokenByInterrupt, 1, 5, 6)},
			synced...),
			"4-6 1 server; 6-8 150 runs; 8-20 151 runs; 20-22 150 runs; 22-24 1 server; 24-25 1 reply"},
		{"another number", append([]any{serves(8, 6, 22)}, synced...), "4-24 1 server; 24-25 1 reply"},
		{"a clock that is off, before it was sent", append([]any{serves(9, 1, 3)}, synced...),
			"4-24 1 server; 24-25 1 reply"},
		{"a clock that is off, in part", append([]any{serves(9, 2, 10)}, synced...),
			"4-10 150 runs; 10-24 1 server; 24-25 1 reply"},
	} {
		list := slices.DeleteFunc(walked(30, c.events...), func(s Segment) bool {
			return s.What == Runs && s.Thread == 1 || s.What == Ready && s.Thread == 1
		})
		for i := range list {
			if s := &list[i]; (s.Thread >= 150) != (s.Ask != 0) {
				t.Errorf("%s: of a server, or not: %+v", c.name, *s)
			}
			list[i].Call = Call{}
		}
		if got := text(list); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// What a server does belongs to the call that asked for it, and is no time at a drive of the workload.
func TestLabelsOfServers(t *testing.T) {
	k := Key{What: Service, Call: Call{Op: trace.OpSync, In: true}, Ask: 1, Request: Request{Device: 7}}
	if got := Label(&k, Kernel, true); got != timeline.Sync {
		t.Error(got)
	}
}

// A segment says what was asked of whom.
func TestSegmentsNameTheProcedure(t *testing.T) {
	e := rpc(1, "READ", 5, 8, 18, 25)
	e.Bytes, e.File = 4096, 7
	var of asks
	list := walked(30, call(1, trace.OpRead, 2, 28), woken(1, 10, 18, 18, 111), e)
	i := slices.IndexFunc(list, func(s Segment) bool { return s.What == Server })
	want := Ask{trace.ProtocolNFS4, "READ", "nas", 4096}
	if i < 0 || list[i].Request.Ask != of.of(&e) || *of.at(1) != want || list[i].Request.File != 7 {
		t.Errorf("%+v", list)
	}
}
