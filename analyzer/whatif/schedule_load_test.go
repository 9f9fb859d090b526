package whatif

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// What says too little is refused, with the reason.
func TestRefused(t *testing.T) {
	command := trace.Header{Scope: "command", PIDs: []uint32{1}}
	limited := func(code trace.LimitCode) trace.Header {
		return trace.Header{Scope: "import", Limits: []trace.Limit{{Code: code}}}
	}
	whole := trace.End{Duration: 2000, CommandEnd: 1000, Durable: -1}
	for reason, file := range map[string][]byte{
		"":                                     written(t, command, &whole, 0),
		"has no block requests":                written(t, limited(trace.LimitNoRequests), &whole, 0),
		"does not say when threads":            written(t, limited(trace.LimitNoWaits), &whole, 0),
		"was imported":                         written(t, trace.Header{Scope: "import"}, &whole, 0),
		"began while the workload ran":         written(t, trace.Header{Scope: "pid"}, &whole, 0),
		"has no end":                           written(t, command, nil, 0),
		"is damaged":                           damaged(written(t, command, &whole, 0)),
		"3 events were lost, and 102 recorded": written(t, command, &whole, 3),
	} {
		path := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := loadSchedule(path)
		switch {
		case reason == "" && err != nil:
			t.Errorf("a whole trace is refused: %v", err)
		case reason != "" && (err == nil || !strings.Contains(err.Error(), reason)):
			t.Errorf("%v, want a refusal that says %q", err, reason)
		}
	}
}

// written is a trace of a hundred calls, with an end if there is one.
func written(t *testing.T, h trace.Header, end *trace.End, lost uint64) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, h)
	check(t, err)
	for i := range int64(100) {
		check(t, w.Syscall(&trace.Syscall{Start: 10 * i, Duration: 5, PID: 1, TID: 1, Op: trace.OpRead, Result: 10}))
	}
	check(t, w.Process(&trace.Process{Time: 1000, Action: trace.ProcessExit, PID: 1, TID: 1}))
	if lost > 0 {
		check(t, w.Lost(&trace.Lost{From: 0, To: 10, Kind: trace.KindSyscall, Count: lost}))
	}
	check(t, w.Flush())
	if end != nil {
		check(t, w.Close(*end))
	}
	return out.Bytes()
}

// damaged is a trace with another byte among its events.
func damaged(file []byte) []byte {
	file[len(file)/2] ^= 1
	return file
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
