package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/cmd/iotrace/internal/cli"
	"github.com/iotrace/iotrace/tracer/backends"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata/golden")

// recordings changes into testdata/ at the top and lists its recordings, so
// that what commands print of them names no directory.
func recordings(t *testing.T) []string {
	t.Helper()
	t.Chdir("../../testdata")
	list, err := filepath.Glob("*.iotrace")
	if err != nil || len(list) == 0 {
		t.Fatal("no recordings:", err)
	}
	return list
}

// printed is what a command line prints to a terminal-less standard output.
func printed(t *testing.T, args ...string) []byte {
	t.Helper()
	t.Setenv("TZ", "UTC")
	s, out, errs := cli.FakeStreams()
	if code := run(args, s, backends.Here()); code != 0 {
		t.Fatalf("iotrace %s: status %d\n%s", strings.Join(args, " "), code, errs)
	}
	return []byte(out.String())
}

// golden compares what was printed with a file in testdata/golden.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(filepath.Join("golden", name), got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Join("golden", name))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) == string(want) {
		return
	}
	if err := os.WriteFile(filepath.Join("golden", name+".got"), got, 0o666); err != nil {
		t.Error(err)
	}
	t.Errorf("output differs from testdata/golden/%s (compare it with %s.got; rewrite with go test ./cmd/iotrace -run "+
		"Recordings -update)", name, name)
}

// TestRecordingsShown compares what is said of each recording, word for word.
func TestRecordingsShown(t *testing.T) {
	for _, file := range recordings(t) {
		name := strings.TrimSuffix(file, ".iotrace")
		golden(t, name+".txt", printed(t, "show", file))
		golden(t, name+".json", printed(t, "show", "--json", file))
	}
}

// TestRecordingsJudged keeps what is said first of all recordings, side by side: whoever
// changes a rule of the verdict sees what it changes.
func TestRecordingsJudged(t *testing.T) {
	var all strings.Builder
	for _, file := range recordings(t) {
		p := new(profile.Profile)
		if err := json.Unmarshal(printed(t, "show", "--json", file), p); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s: %s\n", file, strings.Join(p.Command, " "))
		for _, line := range p.Verdict.Lines {
			fmt.Fprintf(&all, "  %-12s %s\n", line.Label, line.Text)
		}
		for _, c := range p.Verdict.Causes {
			fmt.Fprintf(&all, "    %.3f %s (%s)\n", c.Share, c.Code, c.Certainty)
		}
	}
	golden(t, "verdicts.txt", []byte(all.String()))
}

// TestRecordingsSummed holds what is said first to ten rows of 80 columns, of which the bar adds up to the time and
// begins with the cause that the bottleneck names.
func TestRecordingsSummed(t *testing.T) {
	for _, file := range recordings(t) {
		p := new(profile.Profile)
		if err := json.Unmarshal(printed(t, "show", "--json", file), p); err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(printed(t, "show", file)), "\n\n")
		rows := strings.Split(first, "\n")
		if len(rows) > 10 {
			t.Errorf("%s: %d rows:\n%s", file, len(rows), first)
		}
		total := p.TimeStack.TotalNS
		if p.Operations != nil {
			total = p.Operations.TotalNS
		}
		if p.Verdict.UntilReturn {
			total = p.TimeStack.WallNS
		}
		var ns int64
		for _, x := range p.Verdict.Bar {
			ns += x.TimeNS
		}
		if ns != total || p.Verdict.Bar[0].Code != p.Verdict.Causes[0].Code {
			t.Errorf("%s: a bar of %d ns of %d: %+v", file, ns, total, p.Verdict.Bar)
		}
		if bar, sum := percents(first); sum != 100 {
			t.Errorf("%s: the parts of the bar are %d %%: %q", file, sum, bar)
		}
	}
}

// barParts are the parts of a bar as they are printed: a piece of the bar, a name, and whole percents.
var barParts = regexp.MustCompile(`[█▓▒░·]+[ \x{a0}][^█▓▒░]*?([<>]?)([0-9]+)[ \x{a0}]%`)

// percents is the row of the bar among the first lines, and what the percents there add up to.
func percents(first string) (bar string, sum int) {
	for row := range strings.Lines(first) {
		if strings.ContainsRune(row, '█') {
			bar = strings.TrimSpace(row)
		}
	}
	for _, m := range barParts.FindAllStringSubmatch(bar, -1) {
		n, _ := strconv.Atoi(m[2])
		switch m[1] {
		case "<":
			n--
		case ">":
			n++
		}
		sum += n
	}
	return bar, sum
}

// TestRecordingsCompared does the same for two recordings, and for one and a
// benchmark.
func TestRecordingsCompared(t *testing.T) {
	recordings(t)
	golden(t, "diff.txt", printed(t, "diff", "cp.iotrace", "tree.iotrace", "rsync.iotrace"))
	golden(t, "diff-pattern.txt", printed(t, "diff", "cp.iotrace", "adm/seq1m-qd8/write"))
	golden(t, "diff-patterns.txt", printed(t, "diff", "--all-patterns", "fio-qd8.iotrace"))
	golden(t, "gap.txt", printed(t, "gap", "cp.iotrace", "--against", "adm/seq1m-qd8/write"))
}

// pageData is what the charts of a page are drawn from.
var pageData = regexp.MustCompile(`(?s)<script type="application/json" id="data"[^>]*>.*?</script>`)

// TestRecordingsConverted compares what is too long to be kept by its SHA-256:
// every event, exports, the data of the pages.
func TestRecordingsConverted(t *testing.T) {
	var sums strings.Builder
	sum := func(b []byte, args ...string) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(b), strings.Join(args, " "))
	}
	of := func(args ...string) { sum(printed(t, args...), args...) }
	for _, file := range recordings(t) {
		of("events", file)
		of("events", "--json", file)
		for _, args := range exports(file) {
			of(args...)
		}
		page := printed(t, "report", "-o", "-", file)
		data := pageData.Find(page)
		if len(data) == 0 {
			t.Fatalf("the page of %s holds no data", file)
		}
		sum(data, "report", file)
	}
	of("diff", "--json", "cp.iotrace", "tree.iotrace", "rsync.iotrace")
	of("gap", "--json", "cp.iotrace", "--against", "adm/seq1m-qd8/write")
	golden(t, "sums.txt", []byte(sums.String()))
}
