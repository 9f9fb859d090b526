package benchmarks

import (
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
)

// A progress line says how long it still takes, and never a time that is none.
func TestTimeLeft(t *testing.T) {
	for left, want := range map[time.Duration]string{0: "almost done", 99 * time.Millisecond: "almost done",
		90 * time.Second: "about 1m30s left"} {
		now := baseline.Activity{Pattern: "cdm", Step: "SEQ1M", Place: "/mnt", Run: 2, Runs: 5, Left: left}
		if line := Progress(now); line != want+", run 2 of 5, cdm, SEQ1M, /mnt" {
			t.Errorf("%v: %q", left, line)
		}
		if line := SustainedProgress(baseline.SustainedProgress{Pass: "full", Total: 1, Left: left}); !strings.HasSuffix(line,
			want+" in this pass") {
			t.Errorf("%v: %q", left, line)
		}
	}
}
