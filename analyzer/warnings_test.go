package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/survey"
	"github.com/iotrace/iotrace/trace"
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

// A loss marks numbers from one event in a hundred of its kind on: fewer change sums by no
// more than that.
func TestSmallLossesMarkNothing(t *testing.T) {
	for lost, marks := range map[uint64]bool{1: false, 10: false, 11: true, 500: true} {
		s := &survey.Survey{Whole: true}
		s.Lost.Kinds = map[string]uint64{"request": lost}
		s.Counts[trace.KindRequest] = 1000
		w := &warnings{p: &profile.Profile{}, lost: &s.Lost}
		warnOfLosses(s, w)
		if len(w.p.Warnings) != 1 || w.p.Warnings[0].Count != lost || (len(w.p.Warnings[0].Affects) > 0) != marks {
			t.Errorf("%d of %d: %+v, marks wanted: %v", lost, lost+1000, w.p.Warnings, marks)
		}
	}
}
