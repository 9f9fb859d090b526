package usage

import (
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/world"
	"github.com/iotrace/iotrace/trace"
)

// TestConnectionsOfManyProcesses has more processes ask than sockets are kept. None closes its own: that ends with it.
func TestConnectionsOfManyProcesses(t *testing.T) {
	c := NewConnections(nil)
	f := &world.File{Kind: trace.FileSocket, Peer: "10.0.0.5:25"}
	for pid := uint32(1); pid <= 2*maxQuestions; pid++ {
		at := int64(pid) * 10
		c.Call(&world.Call{Syscall: &trace.Syscall{Op: trace.OpWrite, Start: at, Duration: 1, Result: 4, PID: pid, TID: pid,
			FD: 3}, File: f})
		c.Life(&world.Life{Process: &trace.Process{Action: trace.ProcessExit, Time: at + 5, PID: pid, TID: pid}})
	}
	var p profile.Profile
	c.Finish(&p)
	if len(p.Connections) != 1 {
		t.Fatalf("%+v", p.Connections)
	}
	if got := p.Connections[0]; got.Asked != 2*maxQuestions || got.Unanswered != got.Asked || got.VainNS != 4*got.Asked {
		t.Errorf("%+v", got)
	}
	if c.held != 0 || len(c.waiting) != 0 {
		t.Errorf("%d sockets and %d waits are left", c.held, len(c.waiting))
	}
}

// TestConnectionsOfARing has connects of io_uring end as they may. Accepts, and what moves data, ask of nobody.
func TestConnectionsOfARing(t *testing.T) {
	files := world.NewFiles()
	files.Batch(&trace.Batch{Files: []trace.File{trace.AddressFile(1, "10.0.0.5:25", 0)}})
	c := NewConnections(files)
	for _, op := range []trace.Op{trace.OpAccept, trace.OpRead} {
		c.Async(&world.Async{AsyncOp: &trace.AsyncOp{Op: op, File2: 1, Result: 5}})
	}
	if len(c.of) != 0 {
		t.Errorf("asked %v", c.of)
	}
	for i, result := range []int64{0, -int64(trace.ErrRefused), -110} {
		at := int64(i) * 100
		c.Async(&world.Async{AsyncOp: &trace.AsyncOp{Op: trace.OpConnect, Submit: at, Complete: at + 10, File2: 1,
			Result: result}})
	}
	var p profile.Profile
	c.Finish(&p)
	want := profile.Connection{Address: "10.0.0.5:25", Connects: 3, Refused: 1, Unmet: 1, WaitNS: 30, UnmetNS: 10,
		LongestNS: 10}
	if len(p.Connections) != 1 || p.Connections[0] != want {
		t.Errorf("%+v, want %+v", p.Connections, want)
	}
}
