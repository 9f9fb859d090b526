package convert

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/eventlog"
)

// checkPossible fails for what no recording can contain, whatever the text was.
func checkPossible(t *testing.T, i *Importer, log *eventlog.Log) {
	t.Helper()
	for _, e := range log.Syscalls {
		if e.Start < 0 || e.Duration < 0 || e.Requested < 0 || e.Offset < trace.NoOffset ||
			int(e.Call) >= len(i.Header.Calls) {
			t.Fatalf("impossible call %+v", e)
		}
	}
	for _, e := range log.Requests {
		if e.Queued < -1 || e.Queued > e.Issued || e.Issued < 0 || e.Completed < e.Issued || e.Bytes < 0 || e.Op == 0 {
			t.Fatalf("impossible request %+v", e)
		}
	}
	for _, e := range log.Processes {
		if e.Time < 0 {
			t.Fatalf("impossible process %+v", e)
		}
	}
}
