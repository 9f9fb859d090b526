package conversion_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/convert/conversion"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// recorded writes a trace of a host with remote calls, whose clock says that it began at a time.
func recorded(t *testing.T, name string, began time.Duration, calls ...trace.RPC) string {
	t.Helper()
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, trace.Header{OS: "linux", Host: name, WallStart: time.Unix(1e9, 0).Add(began)})
	for i := range calls {
		err = errors.Join(err, w.RPC(&calls[i]))
	}
	err = errors.Join(err, w.Close(trace.End{Duration: int64(time.Minute)}))
	path := filepath.Join(t.TempDir(), name)
	if err = errors.Join(err, os.WriteFile(path, out.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	return path
}

const us = int64(time.Microsecond)

// asked is a call that was sent at a time of the client, and whose reply came after another.
func asked(xid uint32, sent, rtt int64) trace.RPC {
	return trace.RPC{XID: xid, Start: sent - 10*us, Duration: rtt + 20*us, Queued: 10 * us, RTT: rtt, Sends: 1, PID: 5,
		TID: 5, Offset: trace.NoOffset}
}

// served is the same at the server.
func served(xid uint32, from, took int64) trace.RPC {
	return trace.RPC{XID: xid, Start: from, Duration: took, Queued: -1, RTT: -1, Served: true, PID: 9, TID: 9,
		Offset: trace.NoOffset}
}

// The calls between two hosts say how their clocks compare, and how well, whatever their clocks say.
func TestCallsPutClocksRight(t *testing.T) {
	const later = 2_000_000 * 1000 // ns that the recording of the server began after the client's
	at := func(ns int64) int64 { return ns - later }
	slow := func(n uint32) (client, server trace.RPC) { // each way takes 400 us
		sent := later + int64(n)*int64(time.Second)
		return asked(n, sent, 1000*us), served(n, at(sent+400*us), 200*us)
	}
	var client, server []trace.RPC
	for n := range uint32(20) {
		c, s := slow(n + 1)
		client, server = append(client, c), append(server, s)
	}
	fast := later + int64(30*time.Second) // 50 us there, 30 back
	client = append(client, asked(30, fast, 100*us), asked(31, fast+1000*us, 10*us))
	server = append(server, served(30, at(fast+50*us), 20*us), served(31, at(fast+5_000_000*us), us)) // another's number
	for _, test := range []struct {
		name   string
		parts  func() []conversion.Part
		from   time.Duration // of the second host
		within time.Duration
		says   string
	}{
		{"clocks 300 ms apart", func() []conversion.Part {
			return []conversion.Part{{Path: recorded(t, "client", 0, client...)},
				{Path: recorded(t, "server", 2300*time.Millisecond, server...)}}
		}, 2 * time.Second, 50 * time.Microsecond,
			"as 21 calls between them and the replies say; their clocks were 300 ms apart"},
		{"the server named first", func() []conversion.Part {
			return []conversion.Part{{Path: recorded(t, "server", 2300*time.Millisecond, server...)},
				{Path: recorded(t, "client", 0, client...)}}
		}, 0, 50 * time.Microsecond, "as 21 calls between them"},
		{"what the user says is kept", func() []conversion.Part {
			return []conversion.Part{{Path: recorded(t, "client", 0, client...)},
				{Path: recorded(t, "server", 2300*time.Millisecond, server...), Late: time.Millisecond}}
		}, 2301 * time.Millisecond, 0, "as well as the --offset that was given"},
		{"no call of both", func() []conversion.Part {
			return []conversion.Part{{Path: recorded(t, "client", 0, client[:3]...)},
				{Path: recorded(t, "server", 2300*time.Millisecond, server[5:9]...)}}
		}, 2300 * time.Millisecond, 0, "is not known"},
	} {
		var out bytes.Buffer
		m, err := conversion.Merge(&out, test.parts(), "test")
		if err != nil {
			t.Fatal(err)
		}
		if off := (m.Hosts[1].From - test.from).Abs(); off > test.within || !strings.Contains(m.Clocks, test.says) {
			t.Errorf("%s: %v off; %s", test.name, off, m.Clocks)
		}
	}
}

// A third host has its place by what it asked one of the others.
func TestClocksOfAThirdHost(t *testing.T) {
	second := int64(time.Second)
	front := recorded(t, "front", 0, asked(1, second, 100*us), asked(2, 3*second, 100*us))
	middle := recorded(t, "middle", time.Hour, served(1, second+50*us, 10*us), served(2, 3*second+50*us, 10*us),
		asked(7, 2*second, 100*us))
	back := recorded(t, "back", -time.Hour, served(7, second+40*us, 10*us))
	var out bytes.Buffer
	m, err := conversion.Merge(&out, []conversion.Part{{Path: front}, {Path: middle}, {Path: back}}, "test")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []time.Duration{0, 0, time.Second} {
		if (m.Hosts[i].From - want).Abs() > 100*time.Microsecond {
			t.Errorf("%+v", m)
		}
	}
}
