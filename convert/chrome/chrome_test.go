package chrome

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// exported is an event as others read it. Times are in microseconds, with three decimals.
type exported struct {
	Phase string         `json:"ph"`
	Name  string         `json:"name"`
	Cat   string         `json:"cat"`
	TS    json.Number    `json:"ts"`
	Dur   json.Number    `json:"dur"`
	TID   uint32         `json:"tid"`
	ID    string         `json:"id"`
	Args  map[string]any `json:"args"`
}

// Every event of a trace is in its export, at its time, whatever names it has.
func TestChrome(t *testing.T) {
	var in bytes.Buffer
	w, err := tracefile.NewWriter(&in, trace.Header{OS: "linux", Calls: []string{"read", "write"}})
	if err != nil {
		t.Fatal(err)
	}
	vda := trace.MakeDeviceID(259, 0)
	const hostile = "/a\"\n</script>\xff"
	for _, err := range []error{
		w.Device(&trace.Device{ID: vda, Name: "vda"}),
		w.File(&trace.File{ID: 1, Path: hostile}),
		w.Process(&trace.Process{Action: trace.ProcessExec, PID: 7, TID: 7, Command: "cp"}),
		w.Syscall(&trace.Syscall{Start: 1_234_567, Duration: 1001, PID: 7, TID: 8, Op: trace.OpRead, File: 1, Offset: 4096,
			Requested: 10, Result: 10}),
		w.Wait(&trace.Wait{Start: 1_234_600, Duration: 5, PID: 7, TID: 8, Cause: trace.WaitIO}),
		w.Fault(&trace.Fault{Start: 2_000_000, Duration: 7, PID: 7, TID: 8, File: 1, Offset: 0}),
		w.AsyncOp(&trace.AsyncOp{Submit: 3_000_000, Complete: 4_000_000, PID: 7, TID: 8, API: trace.APIUring,
			Op: trace.OpWrite, Offset: 5}),
		w.Request(&trace.Request{Queued: 90, Issued: 100, Completed: 2100, Device: vda, Sector: 8, Bytes: 4096,
			Op: trace.ReqWrite, Error: 5, Offset: trace.NoOffset}),
		w.Request(&trace.Request{Queued: -1, Issued: 200, Completed: 2200, Device: trace.MakeDeviceID(8, 1), Bytes: 512,
			Op: trace.ReqRead, Offset: trace.NoOffset}),
		w.Lost(&trace.Lost{From: 5_000_000, To: 6_000_000, Count: 3, Kind: trace.KindSyscall}),
		w.Close(trace.End{Duration: 9_000_000}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	find := events(t, &in)
	call := find("X", "read")
	if len(call) != 1 || call[0].TS != "1234.567" || call[0].Dur != "1.001" || call[0].TID != 8 ||
		call[0].Name != "read" ||
		call[0].Args["file"] != "/a\"\n</script>\ufffd" || call[0].Args["offset"] != 4096.0 {
		t.Errorf("call %+v", call)
	}
	begun, ended := find("b", "request"), find("e", "request")
	if len(begun) != 2 || len(ended) != 2 || begun[0].ID != ended[0].ID || begun[0].ID == begun[1].ID ||
		begun[0].TS != "0.100" || ended[0].TS != "2.100" ||
		begun[0].Args["error"] != 5.0 || begun[0].Args["queued_ns"] != 10.0 {
		t.Errorf("requests %+v … %+v", begun, ended)
	}
	for cat, phase := range map[string]string{"wait": "X", "fault": "X", "asyncop": "b", "lost": "i", "cp": "M",
		"device vda": "M", "device 8:1": "M"} {
		if len(find(phase, cat)) != 1 {
			t.Errorf("%d events %s %s", len(find(phase, cat)), phase, cat)
		}
	}
}

// events is the export of a trace: its events by phase and category.
func events(t *testing.T, in io.Reader) (find func(phase, cat string) []exported) {
	t.Helper()
	var out bytes.Buffer
	r, err := tracefile.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewWriter(&out)
	if err := Export(r, b); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	var got struct {
		TraceEvents []exported `json:"traceEvents"`
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, out.String())
	}
	return func(phase, cat string) (list []exported) {
		for _, e := range got.TraceEvents {
			if e.Phase == phase && (e.Cat == cat || phase == "M" && e.Args["name"] == cat) {
				list = append(list, e)
			}
		}
		return list
	}
}
