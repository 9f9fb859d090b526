package verdict_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// inferred is how likely a cause is that would be measured if the recording told who woke whom.
const inferred = 150.0 / 161

// sure reports whether a rule was so sure of a cause, in a profile without a path: what the recording shows is likely
// then, and what is likely may not be likely enough to be named.
func sure(c *profile.Reason, want string) bool {
	likely := c.Certainty == verdict.Likely
	switch direct := likely && math.Abs(c.Probability-inferred) < 1e-9; want {
	case verdict.Measured:
		return direct
	case verdict.Likely:
		return likely && !direct || c.Certainty == verdict.Open
	}
	return c.Certainty == want
}

// Measured is what the chain of waits shows; without the chain the same is likely, and says how likely.
func TestMeasured(t *testing.T) {
	p := reread(290e6)
	v := verdict.Judge(p)
	if c := &v.Causes[0]; !sure(c, verdict.Measured) {
		t.Errorf("without a path: %+v", c)
	}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second,
		Place: profile.PathPlace{What: "service",
			Label: "device_read", Request: "read", Device: "sda"}}}}
	v = verdict.Judge(p)
	if c := &v.Causes[0]; c.Certainty != verdict.Measured || c.Probability != 0 {
		t.Errorf("with a path: %+v", c)
	}
}

// What was wrong more often than a third of the time is first only as something that may be, with what would tell.
func TestNotLikelyEnough(t *testing.T) {
	p := spent(map[string]int64{"io_wait": second}, map[string]int64{"waiting_io": second})
	p.Path = &profile.Path{TotalNS: second}
	v := verdict.Judge(p)
	if c := &v.Causes[0]; c.Code != verdict.LimitAbove || c.Certainty != verdict.Open || c.Experiment == "" {
		t.Errorf("%+v", c)
	}
}

// A drive that had nothing to do limits nothing.
func TestIdleDriveIsNotBlamed(t *testing.T) {
	for _, label := range []string{"device_read", "device_write", "throttled"} {
		p := spent(map[string]int64{label: second}, map[string]int64{"waiting_io": second})
		p.Path = &profile.Path{TotalNS: second}
		f := &profile.Flow{Count: 9, Bytes: 9e6, Depth: profile.Depth{MeanBusy: 3, BusyNS: second / 60}}
		p.Devices = []profile.Device{{Name: "sda", Level: 1, Read: f, Write: f}}
		p.Trace.Drives = []profile.Drive{{Name: "sda", BusyNS: second / 60}}
		if v := verdict.Judge(p); v.Causes[0].Code != verdict.LimitAbove {
			t.Errorf("%s: %+v", label, v.Causes)
		}
	}
}

// The page lists the causes as the program has them; go test -update writes it.
func TestPageOfCauses(t *testing.T) {
	const file, begins, ends = "../../docs/verdict.md", "<!-- causes: written by go test -update -->\n",
		"<!-- end of causes -->\n"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, begun := strings.Cut(string(page), begins)
	_, tail, ended := strings.Cut(rest, ends)
	if !begun || !ended {
		t.Fatal("no place for the causes in", file)
	}
	want := head + begins + verdict.Table() + ends + tail
	switch {
	case want == string(page):
	case *update:
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error(file, "is not as the program: go test -update writes it")
	}
}

// Each code that the program can say has one entry, and the entry is complete.
func TestCausesAreComplete(t *testing.T) {
	source, err := os.ReadFile("codes.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := map[string]int{}
	for _, c := range verdict.Causes() {
		entries[c.Code]++
		if c.Title == "" || c.Takes == "" || c.When == "" || c.Sure == "" || c.Try == "" || c.Counted.Right > c.Counted.Of {
			t.Errorf("%+v", c)
		}
	}
	codes := regexp.MustCompile(`= "([a-z_]+)" +//`).FindAllStringSubmatch(string(source), -1)
	for _, m := range codes {
		if entries[m[1]] != 1 {
			t.Errorf("%s has %d entries", m[1], entries[m[1]])
		}
	}
	if len(codes) != len(entries) {
		t.Errorf("%d codes, %d entries", len(codes), len(entries))
	}
}
