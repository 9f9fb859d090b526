package gap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// step is the result of a step of a pattern.
func step(name string, op baseline.Op, median int64, reason string) baseline.PatternResult {
	var p baseline.PatternResult
	p.Pattern = baseline.Pattern{Name: name, Steps: []baseline.Step{{Name: "only", Op: op, Block: 1 << 20, Depth: 8}}}
	var s baseline.StepResult
	s.Step, s.Rate.Median = "only", median
	s.Depth.Valid, s.Depth.Reason = reason == "", reason
	p.Places = []baseline.PlaceResult{{Steps: []baseline.StepResult{s}}}
	return p
}

// results writes a file as bench --json does.
func results(t *testing.T, patterns ...baseline.PatternResult) string {
	t.Helper()
	text, err := json.Marshal(baseline.Report{Type: "bench", Version: 1, Patterns: patterns})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bench.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// The pattern is the first that moves data as the workload does and was measured: one that did not keep its depth is
// named, but its rate does not count. Its own rate counts in that direction, even if another
// was faster; of the other direction the greatest; what is given counts more.
func TestTheRateIsThatOfTheChosenPattern(t *testing.T) {
	file := results(t,
		step("slow/write", baseline.Write, 100e6, ""), step("fast/write", baseline.Write, 300e6, ""),
		step("slow/read", baseline.Read, 200e6, "it kept 2 of 8"), step("fast/read", baseline.Read, 500e6, ""))
	for _, c := range []struct {
		reading     bool
		given       Given
		name        string
		read, write Speed
		warnings    int
	}{
		{true, Given{}, "fast/read", speed("fast/read", 500e6), speed("fast/write", 300e6), 1},
		{false, Given{}, "slow/write", speed("fast/read", 500e6), speed("slow/write", 100e6), 0},
		{false, Given{Read: 1e9, Link: 2e9}, "slow/write", speed("given", 1e9), speed("slow/write", 100e6), 0},
	} {
		b, err := FindReference(file, Sought{Reads: c.reading}, c.given)
		if err != nil {
			t.Fatal(err)
		}
		if b.Name != c.name || b.Speed.Read != c.read || b.Speed.Write != c.write || b.Speed.Link != c.given.Link {
			t.Errorf("%+v: %s, %+v", c, b.Name, b.Speed)
		}
		if len(b.Warnings) != c.warnings {
			t.Errorf("%+v: warned of %q", c, b.Warnings)
		}
		if s := b.Setting; s.Read != c.reading || s.Write == c.reading || s.Depth != 8 || s.Block != 1<<20 {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}

func speed(source string, rate float64) Speed {
	s := Speed{Source: source}
	s.Value = rate
	return s
}

// A pattern of the catalogue has no rates until they are given.
func TestAPatternOfTheCatalogue(t *testing.T) {
	b, err := FindReference("dd/zero-buffered", Sought{}, Given{})
	if err != nil || b.Speed.Write.Known() || !b.Setting.Buffered || b.Setting.Compressible != 1 {
		t.Errorf("%+v, %v", b, err)
	}
	b, err = FindReference("dd/zero-buffered", Sought{}, Given{Write: 1e9})
	if err != nil || b.Speed.Write.Source != "given" {
		t.Errorf("%+v, %v", b, err)
	}
}

func TestWhatIsNoBenchmark(t *testing.T) {
	stray := filepath.Join(t.TempDir(), "stray.json")
	if err := os.WriteFile(stray, []byte(`{"type": "something else"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, why := range map[string]string{
		"nothing/like/this": "looking up pattern",
		"dd/zero-buffered":  "no step that reads blocks of one file",
		stray:               "not a bench result",
		results(t):          "no step that reads",
		t.TempDir():         "is a directory",
	} {
		if _, err := FindReference(name, Sought{Reads: true}, Given{}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", name, err, why)
		}
	}
}
