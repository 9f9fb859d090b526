package gap

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// A workload that copies is compared with a pattern that does, in the terms of both.
func TestACopyPattern(t *testing.T) {
	copies := Sought{Copies: true, Files: 1}
	b, err := FindReference("copy/loop-256k", copies, Given{Copy: 2e9})
	if err != nil {
		t.Fatal(err)
	}
	if s := b.Setting; !s.Read || !s.Write || s.Depth != 1 || s.Block != 256<<10 || !s.Buffered || !s.Fresh || s.InKernel {
		t.Errorf("%+v", s)
	}
	if b.Speed.Copy.Value != 2e9 || b.Speed.Read.Known() || b.Speed.Write.Known() {
		t.Errorf("%+v", b.Speed)
	}
	b, err = FindReference("copy/copy_file_range", copies, Given{})
	if err != nil || !b.Setting.InKernel || b.Setting.Block <= 0 {
		t.Errorf("%+v, %v", b, err)
	}
	for name, why := range map[string]string{"copy/clone": "moves no data", "copy/loop-1m": "the workload only reads"} {
		if _, err := FindReference(name, Sought{Reads: true, Copies: name == "copy/clone"}, Given{}); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", name, err, why)
		}
	}
}

// A rate that was not measured at the device counts nowhere; without any other, what the benchmark does is known and
// its speed is not.
func TestAnInvalidResultIsNoRate(t *testing.T) {
	invalid := step("memory/read", baseline.Read, 9e9, "")
	invalid.Places[0].Steps[0].Invalid = "this is the speed of memory"
	b, err := FindReference(results(t, invalid, step("disk/write", baseline.Write, 1e8, "")), Sought{Reads: true}, Given{})
	if err != nil || b.Name != "memory/read" || b.Speed.Read.Known() || b.Speed.Write.Value != 1e8 {
		t.Errorf("%+v, %v", b, err)
	}
	if len(b.Warnings) != 1 || !strings.Contains(b.Warnings[0], "not used: this is the speed of memory") {
		t.Errorf("warned of %q", b.Warnings)
	}
	shallow := step("shallow/read", baseline.Read, 9e9, "it kept 2 of 8")
	if b, err = FindReference(results(t, shallow), Sought{Reads: true}, Given{}); err != nil || b.Speed.Read.Known() {
		t.Errorf("%+v, %v", b, err)
	}
}

// The results of bench --with are benchmarks of copies: the one that is most like the workload, on its volume.
func TestCopiesOfAReview(t *testing.T) {
	here := t.TempDir()
	task := func(work string, cold bool, bytes int64, files int, rates ...int64) baseline.Task {
		x := baseline.Task{Name: work, Work: work, Cold: cold, Bytes: bytes, Files: files, Measure: baseline.ByRate}
		for _, r := range rates {
			x.Results = append(x.Results, baseline.TaskResult{Value: baseline.Summary{N: 5, Median: r}})
		}
		return x
	}
	text, err := json.Marshal(baseline.Review{Type: "review", Version: 1, OS: "linux",
		Volumes: []baseline.Volume{{Label: "A"}, {Label: "B", Place: baseline.Place{Mount: here}}},
		Tasks: []baseline.Task{task("cp", true, 1<<30, 0, 1e8, 11e7), task("cp", false, 1<<30, 0, 2e8, 21e7),
			task("cp", true, 1<<33, 0, 3e8, 31e7), task("tree", true, 1<<28, 400, 4e8, 41e7),
			task("scrub", true, 1<<30, 0, 5e8, 51e7)}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "review.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		sought Sought
		rate   float64
		warm   bool
		size   int64
	}{
		{Sought{Copies: true, Files: 1, Bytes: 2 << 30}, 1e8, false, 0},
		{Sought{Copies: true, Files: 1, Bytes: 2 << 30, Warm: true}, 2e8, true, 0},
		{Sought{Copies: true, Files: 1, Bytes: 1 << 33, Dir: here}, 31e7, false, 0},
		{Sought{Copies: true, Files: 9, Bytes: 1 << 33, Dir: here}, 41e7, false, 1 << 28 / 400},
	} {
		b, err := FindReference(file, c.sought, Given{})
		if err != nil {
			t.Fatal(err)
		}
		s := b.Setting
		if b.Speed.Copy.Value != c.rate || s.Warm != c.warm || s.FileSize != c.size || !s.Read || !s.Write || !s.InKernel {
			t.Errorf("%+v: %+v", c, b)
		}
	}
	_, err = FindReference(file, Sought{Reads: true}, Given{})
	if err == nil || !strings.Contains(err.Error(), "copies nothing") {
		t.Error(err)
	}
}
