package whatif

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// loaded is the recording of process 1, whose events are written.
func loaded(t *testing.T, end trace.End, events func(*tracefile.Writer)) *Recording {
	t.Helper()
	var out bytes.Buffer
	w, err := tracefile.NewWriter(&out, trace.Header{Scope: "command", PIDs: []uint32{1}})
	must(t, err)
	events(w)
	must(t, w.Close(end))
	path := filepath.Join(t.TempDir(), "trace")
	must(t, os.WriteFile(path, out.Bytes(), 0o600))
	r, err := Load(path)
	must(t, err)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
