package fio_test

import (
	"fmt"
	"path"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert/fio"

	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/trace"
)

// What is imported of a log is what it was written of: the same operations at the same places and microseconds.
func TestLogIsImported(t *testing.T) {
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, recording := range recordings {
		dir := t.TempDir()
		if _, err := fio.ExportLog(recording, "t", output.Destination{Files: output.NewTree(dir, nil, nil)}); err != nil {
			continue // of nothing, which is another test's
		}
		want := fio.Recorded(t, recording)
		for way, name := range []string{"t.iolog", "t-direct.iolog"} {
			if len(want[way]) == 0 {
				continue
			}
			compared += len(want[way])
			if diff := cmp.Diff(want[way], imported(t, filepath.Join(dir, name))); diff != "" {
				t.Errorf("%s of %s:\n%s", name, recording, diff)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d operations", compared)
	}
}

// imported are those of a log.
func imported(t *testing.T, name string) (lines []string) {
	t.Helper()
	log, counts := trial.Import(t, &fio.Iolog, trial.File(t, name))
	if counts.Damaged > 0 {
		t.Errorf("%d lines of %s are damaged, the first is %d", counts.Damaged, name, counts.First)
	}
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		what := map[trace.Op]string{trace.OpRead: "read", trace.OpWrite: "write", trace.OpSync: "sync",
			trace.OpDataSync: "datasync", trace.OpDiscard: "trim", trace.OpPunch: "trim"}[e.Op]
		if what == "" {
			continue // opened or closed
		}
		lines = append(lines, fmt.Sprintf("%d µs: %s %s %d+%d", e.Start/1000, what, path.Base(log.Path(e.File)),
			max(e.Offset, 0), max(e.Requested, 0)))
	}
	return lines
}
