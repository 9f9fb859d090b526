package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// Where only some devices or files were recorded, what a program did between the calls that are there is not known:
// neither that it computed, nor what held it back, nor that all of its data is durable.
func TestPartial(t *testing.T) {
	profiles := map[bool]*profile.Profile{}
	for _, partial := range []bool{false, true} {
		s := newScene(t, "cp")
		if partial {
			s.header.Limits = []trace.Limit{trace.LimitPartial.Limit()}
		}
		f := s.create("/mnt/a")
		for i := range int64(8) {
			s.write(f, i*MiB, MiB, 2*ms)
			s.think(20 * ms) // whether it works or does other I/O
		}
		s.request(trace.ReqWrite, f, 0, 8*MiB, s.now, s.now+5*ms)
		s.wait(trace.WaitIO, s.now, s.now+5*ms)
		s.now += 6 * ms
		s.exit(0)
		s.returns()
		s.durable(s.now + ms)
		profiles[partial] = s.profile()
	}
	label := func(p *profile.Profile, name string) int64 {
		for _, x := range p.TimeStack.Slices {
			if x.Label == name {
				return x.NS
			}
		}
		return 0
	}
	whole, part := profiles[false], profiles[true]
	if label(whole, "cpu") < 100*ms || len(whole.Verdict.Causes) == 0 {
		t.Errorf("of all: %d ns of CPU, causes %v", label(whole, "cpu"), whole.Verdict.Causes)
	}
	if label(part, "cpu") != 0 || label(part, "waiting") != 0 || label(part, "outside") < 100*ms {
		t.Errorf("of a part: %+v", part.TimeStack.Slices)
	}
	if len(part.Verdict.Causes) != 0 || part.Path != nil || part.Operations != nil {
		t.Errorf("of a part: causes %v, path %v, operations %v", part.Verdict.Causes, part.Path, part.Operations)
	}
	var text strings.Builder
	for _, l := range part.Verdict.Lines {
		text.WriteString(l.Label + ": " + l.Text + "\n")
	}
	if !strings.Contains(text.String(), "not known: only some devices or files were recorded") ||
		strings.Contains(text.String(), "durable") {
		t.Errorf("of a part: %s", &text)
	}
	if len(part.Warnings) != 1 || part.Warnings[0].Code != "limit:partial" {
		t.Errorf("of a part: warnings %+v", part.Warnings)
	}
}
