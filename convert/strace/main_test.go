package strace

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer/eventlog"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

func importText(t *testing.T, text string) (*eventlog.Log, convert.Counts) {
	t.Helper()
	log := &eventlog.Log{}
	c, err := Importer.Import(strings.NewReader(text), log)
	if err != nil {
		t.Fatal(err)
	}
	return log, c
}

func file(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// told is what a call's event says, in one line.
func told(log *eventlog.Log, e *trace.Syscall) string {
	return fmt.Sprintf("%d %s fd=%d %s at %d req %d = %d, %d+%d", e.PID, Importer.Header.Calls[e.Call], e.FD,
		log.Path(e.File), e.Offset, e.Requested, e.Result, e.Start, e.Duration)
}

func compare(t *testing.T, log *eventlog.Log, want []string) {
	t.Helper()
	var got []string
	for k := range log.Syscalls {
		got = append(got, told(log, &log.Syscalls[k]))
	}
	if !slices.Equal(got, want) {
		t.Errorf("calls\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
