// Package trial is what the tests of importers share: it imports a text and prints the result in lines.
package trial

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/trace"
)

// Import reads a text.
func Import(t testing.TB, i *convert.Importer, text string) (*trace.Log, convert.Counts) {
	t.Helper()
	log := &trace.Log{}
	c, err := i.Import(strings.NewReader(text), log)
	if err != nil {
		t.Fatal(err)
	}
	return log, c
}

// File is what is in a file.
func File(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Fuzz imports any text, of which nothing impossible may come.
func Fuzz(t *testing.T, i *convert.Importer, text string) {
	t.Helper()
	log := &trace.Log{}
	_, _ = i.Import(strings.NewReader(text), log)
	CheckPossible(t, i, log)
}

// Life is what a request's event says, in one line.
func Life(log *trace.Log, e *trace.Request) string {
	name := ""
	for _, d := range log.Devices {
		if d.ID == e.Device {
			name = d.Name
		}
	}
	s := fmt.Sprintf("%s %s %d+%d pid %d: %d %d %d, %d bios", name, e.Op, e.Sector, e.Bytes, e.PID, e.Queued, e.Issued,
		e.Completed, e.Bios)
	if e.Flags != 0 {
		s += fmt.Sprintf(", flags %b", e.Flags)
	}
	if e.Requeues+uint32(e.Error) > 0 {
		s += fmt.Sprintf(", %d requeues, error %d", e.Requeues, e.Error)
	}
	return s
}

// Requests fails unless the lives of the requests are those.
func Requests(t *testing.T, log *trace.Log, want []string) {
	t.Helper()
	var got []string
	for i := range log.Requests {
		got = append(got, Life(log, &log.Requests[i]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("requests\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Told is what a call's event says, in one line.
func Told(i *convert.Importer, log *trace.Log, e *trace.Syscall) string {
	return fmt.Sprintf("%d %s fd=%d %s at %d req %d = %d, %d+%d", e.PID, i.Header.Calls[e.Call], e.FD, log.Path(e.File),
		e.Offset, e.Requested, e.Result, e.Start, e.Duration)
}

// Calls fails unless the calls are those.
func Calls(t *testing.T, i *convert.Importer, log *trace.Log, want []string) {
	t.Helper()
	var got []string
	for k := range log.Syscalls {
		got = append(got, Told(i, log, &log.Syscalls[k]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// CheckPossible fails for what no recording can contain, whatever the text was.
func CheckPossible(t *testing.T, i *convert.Importer, log *trace.Log) {
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
