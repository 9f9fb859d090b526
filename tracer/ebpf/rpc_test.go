//go:build linux

package ebpf

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// An RPC is others' if no recorded process asked, nor used its file. What was never sent or answered says so, and what
// was asked before the recording is left out.
func TestRPCs(t *testing.T) {
	const program, stranger = 40, 50
	d := newDecoder(newCallTable(), 1000, nil, false)
	rec := &recording{files: map[trace.FileID]*trace.File{}}
	if err := d.begin(rec); err != nil {
		t.Fatal(err)
	}
	decode(t, d, &iotraceFork{Rec: uint8(iotraceRecordREC_FORK), Pid: program, Tid: program, Time: 1000})
	one := iotraceRpc{Rec: uint8(iotraceRecordREC_RPC), Program: programNFS, Version: 3, Start: 1100, Sent: 1150,
		Replied: 1300, Ended: 1320, Out: 120, In: 4200, Off: 8192, Bytes: 4096, Pid: program, Tid: 7, Sends: 2}
	copy(one.Name[:], "READ")
	copy(one.Server[:], "nas")
	unsent, early, others, command := one, one, one, one
	unsent.Sent, unsent.Replied, unsent.Status = 0, 0, -5
	early.Start, early.Sent = 900, 950
	others.Pid, others.Program = stranger, 400122
	command.Program, command.Version, command.Name = uint32(iotraceBoundPROGRAM_SMB), 16, [24]uint8{}
	for _, r := range []*iotraceRpc{&one, &unsent, &early, &others, &command} {
		decode(t, d, r)
	}
	want := []trace.RPC{
		{Start: 100, Duration: 220, PID: program, TID: 7, Protocol: trace.ProtocolNFS3, Procedure: "READ", Server: "nas",
			Queued: 50, RTT: 150, Offset: -1, Bytes: 4096, Out: 120, In: 4200, Sends: 2},
		{Start: 100, Duration: 220, PID: program, TID: 7, Protocol: trace.ProtocolNFS3, Procedure: "READ", Server: "nas",
			Queued: -1, RTT: -1, Offset: -1, Bytes: 4096, Out: 120, In: 4200, Sends: 2, Status: 5},
		{Start: 100, Duration: 220, PID: stranger, TID: 7, Protocol: trace.ProtocolOther, Procedure: "READ", Server: "nas",
			Queued: 50, RTT: 150, Offset: -1, Bytes: 4096, Out: 120, In: 4200, Sends: 2, Foreign: true},
		{Start: 100, Duration: 220, PID: program, TID: 7, Protocol: trace.ProtocolSMB, Procedure: "QUERY_INFO",
			Server: "nas", Queued: 50, RTT: 150, Offset: -1, Bytes: 4096, Out: 120, In: 4200, Sends: 2},
	}
	if len(rec.RPCs) != len(want) {
		t.Fatalf("%d RPCs, want %d", len(rec.RPCs), len(want))
	}
	for i := range want {
		if rec.RPCs[i] != want[i] {
			t.Errorf("%+v, want\n%+v", rec.RPCs[i], want[i])
		}
	}
}
