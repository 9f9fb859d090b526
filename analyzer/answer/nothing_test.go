package answer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// A link of an empty file tells as little as none: the time has causes.
func TestNothingLinked(t *testing.T) {
	for bytes, none := range map[int64]bool{0: false, 1: true} {
		for _, method := range []profile.Method{"rename", "hardlink", "reflink"} {
			p := &profile.Profile{TimeStack: profile.TimeStack{TotalNS: 1e6}, WallNS: 1e6,
				Copies: []profile.Copy{{Method: method, Bytes: bytes}}}
			p.Verdict.Causes = []profile.Reason{{Code: "metadata", TimeNS: 1e6, Share: 1, Certainty: "measured"}}
			if text := bottleneck(p); strings.HasPrefix(text, "none") != none {
				t.Errorf("%d bytes by %s: %s", bytes, method, text)
			}
		}
	}
	p := &profile.Profile{Copies: []profile.Copy{{Method: "clonefile", SizeUnknown: true}}}
	if cloned(p) == "" {
		t.Error("a clone of unknown size is taken for an empty one")
	}
}

// Write-back after the end is what limited a command only if there is much of it, or it takes long: what a command that
// failed says of it to a file is neither.
func TestUnwaited(t *testing.T) {
	const ms = 1_000_000
	for _, test := range []struct {
		wrote, after int64
		status       int
		want, try    string
	}{
		{58, 29 * ms, 0, "none: it returned after 2.00 ms; nothing waited for the write-back", "nothing to fix"},
		{53, 36 * ms, 1, "none: it exited after 2.00 ms; nothing waited for the write-back", ""},
		{53, 36 * ms, 128 + 9, "none: it was ended after 2.00 ms; nothing waited for the write-back", ""},
		{53, 900 * ms, 0, "write-back after it returned, 99 % of 902 ms (likely, 67 %)", "nothing to fix"},
		{64 << 20, 29 * ms, 0, "write-back after it returned, 99 % of 31.0 ms (likely, 67 %)", "nothing to fix"},
	} {
		p := &profile.Profile{Command: []string{"label"}, ExitStatus: test.status, WallNS: 2 * ms,
			DurableNS: 2*ms + test.after, TimeStack: profile.TimeStack{TotalNS: 2*ms + test.after, WallNS: 2 * ms},
			Layers: []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: test.wrote}}}}
		p.Verdict.Causes = []profile.Reason{{Code: cause.Settling, TimeNS: test.after, Share: 0.99, Certainty: cause.Likely,
			Probability: 0.67, Text: "journal commit and cache flush", Remedy: "nothing to fix"}}
		if got := bottleneck(p); got != test.want {
			t.Errorf("%d bytes, %d ns later: %q, want %q", test.wrote, test.after, got, test.want)
		}
		if none := strings.HasPrefix(test.want, "none"); none != (detail(p) == "") {
			t.Errorf("%d bytes, %d ns later: %q is said of the cause", test.wrote, test.after, detail(p))
		}
		if _, got := help(p); got != test.try {
			t.Errorf("exit status %d: %q would help, want %q", test.status, got, test.try)
		}
	}
}

// A program that looks for files that are alike, and links them, reads more than it links: its time has causes, unless
// it is too short to be noticed.
func TestLinkedAfterReading(t *testing.T) {
	for _, test := range []struct {
		read, took int64
		none       bool
	}{{10 << 10, 900e6, true}, {9 << 20, 900e6, false}, {9 << 20, 9e6, true}} {
		p := &profile.Profile{TimeStack: profile.TimeStack{TotalNS: test.took}, WallNS: test.took,
			Copies: []profile.Copy{{Method: "hardlink", Bytes: 1 << 20}, {Method: "rename", Bytes: 1 << 20}},
			Layers: []profile.Layer{{Name: "calls", Read: &profile.Flow{Bytes: test.read}}}}
		p.Verdict.Causes = []profile.Reason{{Code: cause.DeviceLatency, TimeNS: test.took, Share: 1, Certainty: "measured"}}
		if text := bottleneck(p); strings.HasPrefix(text, "none") != test.none {
			t.Errorf("%d bytes read in %d ns: %s", test.read, test.took, text)
		}
	}
}

// Files that were empty when they were renamed are not what a program did that wrote others.
func TestEmptyRenamed(t *testing.T) {
	for wrote, told := range map[int64]bool{0: true, 5 << 20: false} {
		p := &profile.Profile{Copies: []profile.Copy{{Method: "rename"}, {Method: "rename"}},
			Layers: []profile.Layer{{Name: "calls", Write: &profile.Flow{Bytes: wrote, Count: 9}}}}
		if label, text := did(p); label != Program || strings.Contains(text, "2 renames") != told {
			t.Errorf("%d bytes written: %s %s", wrote, label, text)
		}
	}
}

// A command of a millisecond needs no faster processor.
func TestShortCommand(t *testing.T) {
	for ns, want := range map[int64]string{1e6: "nothing to fix: it is short", 5e9: "a faster CPU"} {
		p := &profile.Profile{WallNS: ns, TimeStack: profile.TimeStack{TotalNS: ns}}
		p.Verdict.Causes = []profile.Reason{{Code: cause.OwnCPU, TimeNS: ns, Share: 1, Certainty: cause.Measured,
			Remedy: "a faster CPU"}}
		if _, got := help(p); got != want {
			t.Errorf("%d ns of CPU time: %q, want %q", ns, got, want)
		}
	}
}
