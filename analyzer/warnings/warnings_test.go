package warnings

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/survey"
)

// A larger buffer is the remedy only where the buffer was short of room.
func TestRemedyOfLosses(t *testing.T) {
	for peak, larger := range map[int64]bool{0: false, 11 << 10: false, 40 << 20: true, 64 << 20: true} {
		a := &survey.Survey{Whole: true}
		a.End.Recorder.BufferSize, a.End.Recorder.BufferPeak = 64<<20, peak
		if got := remedyOfLosses(a); strings.Contains(got, "larger --buffer") != larger {
			t.Errorf("%d of 64 MiB in use: %s", peak, got)
		}
	}
	if got := remedyOfLosses(&survey.Survey{}); !strings.Contains(got, "larger --buffer") {
		t.Errorf("an interrupted recording does not know: %s", got)
	}
}
