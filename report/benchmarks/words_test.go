package benchmarks

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

func summaryOf(n int, median int64) baseline.Summary {
	return baseline.Summary{N: n, Median: median, Max: median}
}

// How often something was done is said as it was, whatever was asked for.
func TestRunsAreCountedAsTheyWere(t *testing.T) {
	cp := baseline.Task{Name: "cp 1 GiB cold", Work: "cp", Measure: baseline.ByRate, Bytes: 1 << 30}
	sustained := baseline.Task{Name: "sustained 20 GiB", Work: "sustained", Op: baseline.Write, Runs: 1,
		Measure: baseline.ByRate, Bytes: 20 << 30}
	for _, c := range []struct {
		about           string
		runs            int
		tasks           []baseline.Task
		measured        []int
		announced, said string
	}{
		{"one run", 1, []baseline.Task{cp}, []int{1}, "1 task, each once, on", "One run; an interval needs 5."},
		{"five", 5, []baseline.Task{cp}, []int{5}, "1 task, each 5 times, on", "Median of 5 runs;"},
		{"sustained beside others", 5, []baseline.Task{cp, sustained}, []int{5, 1}, "2 tasks, 5 times, sustained once, on",
			"Median of 5 runs; one run of sustained 20 GiB;"},
		{"cut short", 5, []baseline.Task{cp}, []int{2}, "1 task, each 5 times, on", "Median of 2 runs;"},
		{"sustained alone", 5, []baseline.Task{sustained}, []int{1}, "1 task, each once, on", "One run;"},
		{"nothing yet", 5, []baseline.Task{cp}, []int{0}, "1 task, each 5 times, on", "Nothing was measured."},
	} {
		r := &baseline.Review{Runs: c.runs, Volumes: []baseline.Volume{{Label: "a"}}}
		for i, task := range c.tasks {
			task.Results = []baseline.TaskResult{{Value: summaryOf(c.measured[i], 1e8)}}
			r.Tasks = append(r.Tasks, task)
		}
		if text := ReviewAnnouncement(r); !strings.HasPrefix(text, c.announced) {
			t.Errorf("%s: announced %q, want %q", c.about, text, c.announced)
		}
		if text := Legend(r); !strings.HasPrefix(text, c.said) {
			t.Errorf("%s: %q, want %q", c.about, text, c.said)
		}
	}
}

// The speed until cp returned, the time until the copy was safe and the speed until then are those of one run: each
// follows from the two others.
func TestSafetyIsOfOneRun(t *testing.T) {
	task := baseline.Task{Name: "cp", Work: "cp", Measure: baseline.ByRate, Bytes: 107.4e6}
	to := baseline.TaskResult{}
	for _, run := range [][2]int64{{2000e6, 2007e6}, {1000e6, 3000e6}, {3000e6, 3100e6},
		{1990e6, 2480e6}, {2100e6, 2500e6}} {
		to.Runs = append(to.Runs, baseline.TaskRun{NS: run[0], SafeNS: run[1]})
	}
	to.Value = summaryOf(5, baseline.PerSecond(task.Bytes, 2000e6))
	safe := summaryOf(5, 2500e6)
	to.Safe = &safe
	if text := unsafe(task, to); text != "" { // of the median run 7 ms later, not 500
		t.Errorf("%q", text)
	}
	to.Runs[0].SafeNS = 2500e6
	if text := unsafe(task, to); text != "safe on the device 500 ms after it had returned, 43.0 MB/s until then" {
		t.Errorf("%q", text)
	}
}

// How a review was made is said in the result, in all its forms.
func TestConditions(t *testing.T) {
	r := &baseline.Review{Runs: 2, RestNS: 300e9, Shortened: "to end within 10m00s (--budget), " +
		"there are no more than 2 runs"}
	for _, form := range []Form{Text, Markdown} {
		var b strings.Builder
		if err := form.Write(&b, r); err != nil || !strings.Contains(b.String(), "After each run it rested for 5m00s.") ||
			!strings.Contains(strings.ReplaceAll(b.String(), "\n  ", " "), "no more than 2 runs") {
			t.Errorf("%v: %q", err, b.String())
		}
	}
}

// A line that falls is no speed.
func TestNoNegativeSpeed(t *testing.T) {
	text := lineText(baseline.SizeTime{Files: 5, TheilSen: 100e6, Low: 50e6, High: 0, OLS: 0, TrimmedMean: 1e6,
		Median: 1e6})
	if !strings.Contains(text, "(50.0 MB/s … ?)") || !strings.Contains(text, "least squares ?") {
		t.Error(text)
	}
	if text := announcedPlace(baseline.PlacePlan{Removed: 1}); !strings.Contains(text, "removed 1 file that") {
		t.Error(text)
	}
}

// Random and sequential depths are curves of their own, with AnandTech's score and operations per second.
func TestScores(t *testing.T) {
	r := &baseline.Review{Runs: 5, Volumes: []baseline.Volume{{Label: "Disk"}}}
	for _, access := range []baseline.Access{baseline.Random, baseline.Sequential} {
		for i, depth := range []int64{1, 2, 4, 8} {
			r.Tasks = append(r.Tasks, baseline.Task{Work: "depths", Op: baseline.Read, Access: access, Block: 4096,
				About: string(access) + ", 4 KiB, past the page cache, in a file", Measure: baseline.ByRate,
				Point:   &baseline.Point{Over: baseline.OverDepth, Value: depth},
				Results: []baseline.TaskResult{{Value: summaryOf(5, int64(i+1)*4096e3)}}})
		}
	}
	curves := Curves(r)
	if len(curves) != 2 || curves[0].Drawn != "random, 4 KiB" || curves[1].Drawn != "sequential, 4 KiB" {
		t.Fatalf("%+v", curves)
	}
	want := "Disk, read: 8.19 MB/s, the mean of 1, 2 and 4 at once, as AnandTech scores."
	if n := curves[0].Notes; len(n) == 0 || n[len(n)-1] != want {
		t.Errorf("%q", n)
	}
	if p := curves[1].Lines[0].Points[2]; p.IOPS != 3000 {
		t.Errorf("%+v", p)
	}
}
