package text

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/iotrace/iotrace/convert/jsonl"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/schema"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// printed is what Print makes of a trace of an open, a read, a request of two
// pieces and an exit.
func printed(t *testing.T, o EventOptions) string {
	t.Helper()
	var file, out bytes.Buffer
	w, err := tracefile.NewWriter(&file, trace.Header{OS: "none", Calls: []string{"openat", "pread64"}, CPUs: 1})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		w.Device(&trace.Device{ID: 8 << 20, Name: "sda", LogicalBlock: 512, PhysicalBlock: 4096}),
		w.File(&trace.File{ID: 1, Path: "/a\n", Type: trace.FileRegular, Size: 9}),
		w.Syscall(&trace.Syscall{PID: 5, TID: 6, Op: trace.OpOpen, Start: 10, Duration: 2, FD: -1, FD2: -1, File: 1,
			Offset: trace.NoOffset, Offset2: trace.NoOffset, Result: 3}),
		w.Request(&trace.Request{Device: 8 << 20, Queued: -1, Issued: 20, Completed: 30, Sector: 7, Bytes: 1024,
			Op: trace.ReqRead, Flags: trace.ReqMeta | trace.ReqSync, PID: 5, TID: 5, File: 1, Bios: 1,
			More: []trace.Extent{{File: 2, Offset: 512, Bytes: 512}}}),
		w.Syscall(&trace.Syscall{PID: 5, TID: 5, Op: trace.OpRead, Call: 1, Start: 15, Duration: 20, FD: 3, FD2: -1,
			File: 1, Offset: 4, Offset2: trace.NoOffset, Requested: 5, Result: -5, Flags: trace.FlagDirect}),
		w.Process(&trace.Process{Time: 40, Action: trace.ProcessExit, PID: 5, TID: 5, Status: 1 << 8, Command: "x"}),
		w.Close(trace.End{Duration: 50}),
	)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tracefile.NewReader(&file)
	if err == nil {
		err = PrintEvents(&out, r, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Both forms tell the same, in the order in which the events ended.
func TestEventsPrint(t *testing.T) {
	text := `   0.000000000       - device   sda 8:0 size 0 rotational false block 512/4096 request 0 readahead 0 depth 0
   0.000000000       - file     #1 "/a\n" file size 9
   0.000000012     5/6 syscall  openat("/a\n") = 3 <0.000000002>
   0.000000030       5 request  sda read 1024 @sector 7 served 0.000000010 sync|meta "/a\n" @0 none + 512 #2 @512
   0.000000035       5 syscall  pread64(3 "/a\n", 5 @4, direct) = -5 <0.000000020>
   0.000000040       5 process  exit status 1 cpu 0.000000000 "x"
`
	if got := printed(t, EventOptions{}); got != text {
		t.Errorf("got\n%swant\n%s", got, text)
	}
	// What does not apply is left out, a 0 that means something is not.
	objects := `{"kind":"request","issued":20,"completed":30,"device":8388608,"name":"sda","sector":7,"bytes":1024,` +
		`"op":"read","flags":["sync","meta"],"pid":5,"tid":5,"file":1,"path":"/a\n","offset":0,"evidence":"none",` +
		`"bios":1,"more":[{"file":2,"offset":512,"bytes":512}]}
{"kind":"process","time":40,"action":"exit","pid":5,"tid":5,"parent":0,"status":256,"command":"x","uid":0}
`
	o := EventOptions{JSON: true, Kinds: []trace.Kind{trace.KindProcess, trace.KindRequest}}
	if got := printed(t, o); got != objects {
		t.Errorf("got\n%swant\n%s", got, objects)
	}
}

func TestParseKinds(t *testing.T) {
	for _, k := range kinds {
		if got, err := ParseKinds([]string{k.String()}); err != nil || len(got) != 1 || got[0] != k {
			t.Errorf("%v: %v, %v", k, got, err)
		}
	}
	_, err := ParseKinds([]string{"file", "files"})
	if err == nil || !strings.Contains(err.Error(), `"files" (want syscall, asyncop,`) {
		t.Error(err)
	}
}

// A line is one line of plain characters, whatever the events hold.
func FuzzLines(f *testing.F) {
	f.Add("/a\nb", "cp\x00\x1b[2J\u202e", uint32(1<<31), int64(-2), uint8(200))
	f.Add("", "", uint32(0), int64(math.MinInt64), uint8(0))
	f.Fuzz(func(t *testing.T, path, args string, bits uint32, n int64, small uint8) {
		b := &trace.Batch{
			Syscalls: []trace.Syscall{{Start: n, Duration: n, Op: trace.Op(small), Call: uint16(small),
				Flags: trace.IOFlags(bits), FD: int32(n), FD2: int32(small), File: 1, File2: trace.FileID(bits),
				Offset: n, Requested: n, Result: n, Filled: n}},
			AsyncOps: []trace.AsyncOp{{Submit: n, Op: trace.Op(small), API: trace.AsyncAPI(small),
				Flags: trace.IOFlags(bits), File: 1, Result: n}},
			Faults: []trace.Fault{{Start: n, File: 1}},
			Requests: []trace.Request{{Issued: n, Op: trace.ReqOp(small), Flags: trace.ReqFlags(bits), File: 1,
				Evidence: trace.Evidence(small), Error: int32(n), More: []trace.Extent{{File: 1}}}},
			Waits: []trace.Wait{{Cause: trace.WaitCause(small)}},
			Processes: []trace.Process{{Action: trace.ProcessAction(small), Status: int32(n), Command: args, Args: args,
				Exe: path}},
			Files: []trace.File{{ID: 1, Path: path, FSType: args, Mount: path, Type: trace.FileType(small),
				Flags: trace.FileFlags(small)}},
			Devices: []trace.Device{{ID: 1, Name: args, Model: path, Scheduler: args, Backing: path, WriteCache: args}},
			Lost:    []trace.Lost{{Kind: trace.Kind(small), CPU: int32(n)}},
		}
		h := trace.Header{Calls: slices.Repeat([]string{path}, 256)}
		known := schema.NewResolver(h)
		known.Learn(b)
		text, objects := textLines{newLineNames(known, h)}, jsonl.NewEncoder(h, known)
		for e := range b.InOrder() {
			for _, line := range [][]byte{text.append(nil, b, e), objects.Append(nil, b, e)} {
				for _, r := range string(line) {
					if !unicode.IsPrint(r) || r == 0xfffd && line[0] != '{' {
						t.Fatalf("%q holds %q", line, r)
					}
				}
			}
		}
	})
}
