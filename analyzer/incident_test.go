package analyzer

import (
	"math"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// commits are those of a database, one each 100 ms, whose journal thread writes for it; the last waits for a write that
// takes longer, while a backup writes. It returns when that write was issued and when it had completed.
func commits(s *scene, stalled int64) (issued, completed int64) {
	const journal, client = 90, 700
	wal, dump := s.file("/pg/wal", MiB), s.file("/backup/dump", 0)
	for _, p := range []trace.Process{
		{Action: trace.ProcessPresent, PID: 100, TID: 100, Command: "postgres"},
		{Action: trace.ProcessPresent, PID: 200, TID: 200, Command: "backup"},
		{Action: trace.ProcessPresent, PID: client, TID: client, Command: "client"},
		{Action: trace.ProcessHelper, PID: journal, TID: journal, Parent: 2, Command: "jbd2/sda-8"},
	} {
		s.put(0, &p)
	}
	for i := range int64(50) {
		took := ms
		if i == 49 {
			took = stalled
			for j := range int64(40) { // a backup keeps forty requests in flight
				s.act(200)
				s.request(trace.ReqWrite, dump, j*MiB, MiB, s.now-stalled, s.now+took)
			}
			s.act(100)
		}
		start := s.now
		issued, completed = start+50*us, start+50*us+took
		s.request(trace.ReqWrite, wal, 0, 8*KiB, issued, completed).TID = journal
		s.put(completed+10*us, &trace.Wait{Start: issued, Duration: took + 10*us, Ready: 5 * us, PID: journal, TID: journal,
			Cause: trace.WaitIO, By: trace.WokenByRequest, Completed: completed, Flags: trace.WaitHelper})
		s.put(completed+30*us, &trace.Wait{Start: start + 10*us, Duration: took + 70*us, Ready: 10 * us, PID: 100, TID: 100,
			Cause: trace.WaitCall, By: trace.WokenByThread, Waker: journal})
		s.put(completed+60*us, &trace.Wait{Start: start, Duration: took + 110*us, Ready: 10 * us, PID: client, TID: client,
			Cause: trace.WaitOther, By: trace.WokenByThread, Waker: 100})
		s.call(trace.Syscall{Op: trace.OpSync, Call: 2, File: wal}, took+100*us)
		s.think(100*ms - took)
	}
	return issued, completed
}

// incidentOf is that of the trace which such a trigger was the reason for.
func incidentOf(t *testing.T, trigger func(issued, completed int64) trace.Trigger) *profile.Incident {
	s := newScene(t)
	s.header.Scope = "all"
	issued, completed := commits(s, 90*ms)
	x := trigger(issued, completed)
	s.header.Trigger, s.end.Reason = &x, "trigger"
	p := s.profile()
	if p.Incident == nil {
		t.Fatal("no incident")
	}
	return p.Incident
}

func slowRequest(issued, completed int64) trace.Trigger {
	return trace.Trigger{Condition: "request.latency > 80ms", Kind: "request", Time: completed, Start: issued,
		Latency: completed - issued, Op: "write", PID: 100}
}

// The operation is that of who waited for the journal to write, whose time it adds up to. Who waited for it in turn is
// counted.
func TestIncidentOperation(t *testing.T) {
	for name, trigger := range map[string]func(issued, completed int64) trace.Trigger{
		"request": slowRequest,
		"device": func(issued, completed int64) trace.Trigger { // is met later than its request ends
			x := slowRequest(issued, completed)
			x.Condition, x.Time = "device.p99 > 50ms", completed+5*ms
			return x
		},
		"call": func(issued, completed int64) trace.Trigger {
			return trace.Trigger{Condition: "call.latency > 80ms", Kind: "syscall", Time: issued + 90*ms + 50*us,
				Start: issued - 50*us, Latency: 90*ms + 100*us, Op: "pread64", PID: 100}
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := incidentOf(t, trigger)
			o := x.Operation
			want := profile.OperationName{Process: "postgres", Call: "sync", File: "/pg/wal"}
			if o == nil || o.Kind != want || o.ToNS-o.FromNS != 90*ms+100*us || x.Waiters != 1 {
				t.Fatalf("%+v, %d waiters", o, x.Waiters)
			}
			if m := o.Parts[0]; m.Place.What != "service" || m.Place.Process != "jbd2/sda-8" || m.Place.Device != "nvme0n1" ||
				m.NS != 90*ms+5*us {
				t.Errorf("%+v", m)
			}
			at := o.FromNS
			for _, c := range o.Chain {
				if c.FromNS != at {
					t.Errorf("%+v begins at %d, want %d", c, c.FromNS, at)
				}
				at = c.ToNS
			}
			if at != o.ToNS {
				t.Errorf("it ends at %d, want %d", at, o.ToNS)
			}
		})
	}
}

// Nobody waits for what is written back meanwhile.
func TestIncidentWithoutWaiters(t *testing.T) {
	x := incidentOf(t, func(issued, completed int64) trace.Trigger {
		return trace.Trigger{Condition: "request.latency > 80ms", Kind: "request", Time: completed - 3*ms,
			Start: issued - 90*ms, Latency: completed - 3*ms - issued + 90*ms, Op: "write", PID: 200}
	})
	if x.Operation != nil || x.Waiters != 0 {
		t.Errorf("%+v, %d waiters", x.Operation, x.Waiters)
	}
}

// What was different is the backup; all of a dimension adds up to the increase.
func TestIncidentDifferences(t *testing.T) {
	x := incidentOf(t, slowRequest)
	sum, most := map[string]float64{}, map[string]string{}
	for i, d := range x.Differences {
		sum[d.Dimension] += d.Share
		if most[d.Dimension] == "" {
			most[d.Dimension] = d.Value
		}
		if i > 0 && d.Share > x.Differences[i-1].Share+1e-9 {
			t.Errorf("%s %s explains more than those before it", d.Dimension, d.Value)
		}
	}
	want := map[string]string{"device": "nvme0n1", "process": "backup", "file": "/backup/dump",
		"size": "write up to 1 MiB"}
	for d, value := range want {
		if most[d] != value || math.Abs(sum[d]-1) > 0.05 {
			t.Errorf("%s: %s, in all %.3f", d, most[d], sum[d])
		}
	}
	if x.ToNS-x.FromNS != 1000*ms || x.During.Depth < 5*x.Before.Depth || x.During.BytesPerS != 40*MiB+10*8*KiB {
		t.Errorf("%d to %d: %+v, before %+v", x.FromNS, x.ToNS, x.During, x.Before)
	}
}
