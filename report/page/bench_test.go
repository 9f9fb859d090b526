package page

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/samples"
)

func benchPageOf(t *testing.T, r *baseline.Report) string {
	t.Helper()
	var b, again bytes.Buffer
	if err := Bench(&b, r); err != nil {
		t.Fatal(err)
	}
	if err := Bench(&again, r); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the page is not the same twice (%v)", err)
	}
	return b.String()
}

// The dots of a run lie where its speed is on the axis, each place in its row
// and colour.
func TestBenchPlacesDotsByRate(t *testing.T) {
	page := benchPageOf(t, samples.Bench([]string{"/mnt/a", "/mnt/b"}, [][]int64{{4e8, 5e8, 6e8, 7e8, 8e8, 9e8},
		{1e8, 2e8, 3e8}}))
	dots := regexp.MustCompile(
		`<circle cx="([0-9.]+)%" cy="12" r="3.5"><title>run \d+: ([0-9.]+) (MB|GB)/s`).FindAllStringSubmatch(page, -1)
	if len(dots) != 9 {
		t.Fatalf("%d dots, want one for each of 9 runs", len(dots))
	}
	var zero, perMB float64
	for i, d := range dots {
		x, _ := strconv.ParseFloat(d[1], 64)
		mb, _ := strconv.ParseFloat(d[2], 64)
		if d[3] == "GB" {
			mb *= 1000
		}
		if i == 1 { // two dots give the axis, the others have to lie on it
			x0, _ := strconv.ParseFloat(dots[0][1], 64)
			perMB = (x - x0) / 100
			zero = x0 - 400*perMB
		}
		if want := zero + mb*perMB; i > 1 && (x < want-0.02 || x > want+0.02) {
			t.Errorf("the dot of %g MB/s is at %g, want %g", mb, x, want)
		}
	}
	first, second := strings.Index(page, dots[0][0]), strings.Index(page, dots[6][0])
	if rows := strings.Count(page[first:second], `<svg height="24">`); rows != 1 {
		t.Errorf("the second place is %d rows below the first", rows)
	}
	for _, want := range []string{"0.500 ×", "7.90 of 8", "400 MB/s to 900 MB/s", `class="f-read"`, `class="f-write"`,
		"<polyline", "&lt;b&gt;care", "Benchmark of /mnt/a and /mnt/b"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not hold %q", want)
		}
	}
	if n := strings.Count(page, "<polyline"); n != 9 {
		t.Errorf("%d courses, want 9", n)
	}
}

// Names stay text, and results without runs, or of none, make a page too.
func TestBenchOfAnything(t *testing.T) {
	hostile := "</title><script>alert(1)</script>\x1b[31m\u202e"
	skipped := samples.Bench([]string{hostile, "/b"}, [][]int64{{1e8}, {}})
	skipped.Patterns[0].Places[1].Steps[0].Skipped = "no space <left>"
	unlisted := samples.Bench([]string{"/a", "/b"}, [][]int64{{1e8}, {2e8}})
	unlisted.Places = unlisted.Places[:1]
	for name, r := range map[string]*baseline.Report{
		"unlisted": unlisted, "hostile": skipped, "nothing": {}, "no steps": {Patterns: []baseline.PatternResult{{}}},
		"many": samples.Bench([]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, [][]int64{{1}, {2}, {3}, {4}, {5},
			{6}, {7}, {8}, {9}, {10}}),
	} {
		page := benchPageOf(t, r)
		if strings.Count(page, "<script") != 1 || strings.Contains(page, "<script>alert") {
			t.Errorf("%s: the page has scripts that are not its own", name)
		}
		text, _, _ := strings.Cut(page, "<script")
		if strings.ContainsAny(text, "\x1b\u202e") || strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
			t.Errorf("%s: something in the page acts on the reader, or is no number", name)
		}
	}
}

// A place that lacks a step leaves name and colour of the others as they are.
func TestBenchOfUnevenSteps(t *testing.T) {
	r := samples.Bench([]string{"/a", "/b", "/c"}, [][]int64{{1e8}, {2e8}, {3e8}})
	r.Patterns[0].Places[1].Steps = nil
	page := benchPageOf(t, r)
	if !strings.Contains(page, `<g class="f-sync"><title>/c: median 300 MB/s`) || strings.Contains(page, "/b: median") {
		t.Error("the dots of /c do not carry its name and colour")
	}
}
