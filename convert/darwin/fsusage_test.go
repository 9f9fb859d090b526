package darwin_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/darwin"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/trace"
)

func TestFSUsageText(t *testing.T) {
	log, c := trial.Import(t, &darwin.FSUsage, trial.File(t, "testdata/fs_usage.txt"))
	if c.Damaged != 1 || len(c.Notes) == 0 {
		t.Errorf("%+v", c)
	}
	if len(log.Syscalls) != 6 || len(log.Requests) != 2 {
		t.Errorf("%d calls and %d requests", len(log.Syscalls), len(log.Requests))
	}
	if got := trial.Told(&darwin.FSUsage, log, &log.Syscalls[3]); got != "7001 read fd=3 /Users/u/a [b].mov at 1048576 req 500 = "+
		"500, 500000+90000" {
		t.Error(got)
	}
	for _, text := range []string{"not\nfs_usage\n", "13:02:55  read   0.000012   cp\n"} {
		if _, err := darwin.FSUsage.Import(strings.NewReader(text), &trace.Log{}); !errors.Is(err, convert.ErrFormat) ||
			!strings.Contains(err.Error(), "-w") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := darwin.FSUsage.Import(strings.NewReader(""), &trace.Log{}); err != nil {
		t.Errorf("an empty text: %v", err)
	}
}
