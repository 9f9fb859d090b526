package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// said is what is observed of one kind.
func said(p *profile.Profile, code string) string {
	for _, o := range p.Observations {
		if o.Code == code {
			return o.Text
		}
	}
	return ""
}

// TestLinksHaveNoSpeed: no data moves when a file gets a further name, so many of them
// are so many files a second, and no bytes.
func TestLinksHaveNoSpeed(t *testing.T) {
	s := newScene(t, "ln")
	for _, name := range []string{"a", "b", "c"} {
		s.call(trace.Syscall{
			Op: trace.OpLink, File: s.file("/d/"+name, 5*MiB), File2: s.name("/e/" + name), Offset: trace.NoOffset,
		}, us)
	}
	p := s.finish()
	if len(p.CopyGroups) != 1 || p.CopyGroups[0].Method != "hardlink" ||
		p.CopyGroups[0].BytesPerS != 0 || p.CopyGroups[0].FilesPerS <= 0 {
		t.Errorf("groups: %+v", p.CopyGroups)
	}
	for _, c := range p.Copies {
		if c.BytesPerS != 0 || c.DurableBytesPerS > 0 {
			t.Errorf("%s has a speed: %d, %d until durable", c.Destination, c.BytesPerS, c.DurableBytesPerS)
		}
	}
	if strings.Contains(p.Verdict.Text(), "B/s") {
		t.Errorf("%q", p.Verdict.Lines)
	}
}

// TestReaderAndWriter: one thread reads while another one writes. There is one call of
// each kind at a time, but two in all.
func TestReaderAndWriter(t *testing.T) {
	for _, together := range []bool{true, false} {
		s, a, b := copying(t, 4*MiB)
		for at := int64(0); at < 4*MiB; at += 128 * KiB {
			s.tid = 100
			s.read(a, at, 128*KiB, 20*us)
			if at > 0 && together {
				s.now -= 10 * us
			}
			s.tid = 101
			s.write(b, at, 128*KiB, 30*us)
		}
		s.tid = 100
		p := s.finish(a, b)
		text := said(p, "copy_loop")
		both, never := strings.Contains(text, "both at once"), strings.Contains(text, "never both")
		if both != together || never == together {
			t.Errorf("together %v, %+v: %q", together, one(t, p).OverlapShare, text)
		}
	}
}
