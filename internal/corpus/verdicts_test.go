//go:build linux

package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/docs"
)

// A situation has one cause, imposed and far larger than the noise.
type situation struct {
	name, how string
	// make prepares it, n times as large, and returns the command to record.
	make func(t testing.TB, n int) []string
	// want is the true cause; several where they are the same thing seen from two sides.
	want  []string
	short bool // one of those that run without -every
}

func is(causes ...string) []string { return causes }

// A setting is how a situation is tried.
type setting struct {
	name  string
	size  int
	noise bool
}

var settings = []setting{{"small", 1, false}, {"large", 3, false}, {"beside noise", 1, true}}

var (
	every  = flag.Bool("every", false, "all situations, in two sizes and beside noise")
	page   = flag.String("page", "", "`file` whose table of situations is brought up to date")
	atMost = flag.Duration("at-most", 0, "begin no further situation after so `long`")
	traces = flag.String("traces", "",
		"`directory` in which recordings are kept, and found again instead of making them")
)

// tuned are those that rules were made for.
var tuned = slices.Concat(ofDevices, ofQueues, ofPrograms, ofThreads, ofBlocks, ofHalts, ofPolls, ofMistakes)

// TestVerdicts records situations whose cause is known: it must come first, and one that
// is not true may not come first and be called measured.
func TestVerdicts(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "dd", "cp", "python3", "xz", "flock", "blockdev", "fio", "chrt")
	table := newTable(t, *page)
	begun := time.Now()
	for _, with := range settings {
		for _, s := range slices.Concat(tuned, unseen) {
			if (*every || s.short && with == settings[0]) && (*atMost == 0 || time.Since(begun) < *atMost) {
				t.Run(with.name+"/"+s.name, func(t *testing.T) { table.enter(&s, with, s.try(t, with)) })
			}
		}
	}
	t.Log(table.write(t, *page))
}

// try says what was held for the cause, and how surely: "yes" if that is right.
func (s *situation) try(t *testing.T, with setting) string {
	v := s.verdict(t, with)
	t.Logf("%s\n%s", v.Text(), causes(v))
	if len(v.Causes) == 0 {
		t.Errorf("no cause is named, want %s", s.want)
		return "none"
	}
	first := &v.Causes[0]
	switch {
	case slices.Contains(s.want, first.Code):
		return fmt.Sprintf("yes (%s)", first.Certainty)
	case first.Code == cause.CPUContention && !with.noise && crowded(t):
		t.Log("others had the CPUs")
		return busy
	}
	t.Errorf("the first cause is %s (%s), want %s", first.Code, first.Certainty, s.want)
	return fmt.Sprintf("`%s` (%s)", first.Code, first.Certainty)
}

func (s *situation) verdict(t *testing.T, with setting) profile.Verdict {
	if *traces == "" {
		if with.noise {
			noise(t)
		}
		return attempt(t, s.make(t, with.size)...).Verdict
	}
	file := filepath.Join(*traces, strings.NewReplacer(" ", "-", "/", "-").Replace(s.name+" "+with.name)+".iotrace")
	if _, err := os.Stat(file); err != nil {
		if with.noise {
			noise(t)
		}
		keep(t, file, s.make(t, with.size)...)
	}
	return show(t, file).Verdict
}

// noise is a program that computes and one that reads from another disk.
func noise(t *testing.T) {
	background(t, "/", "while :; do :; done")
	dir := workDir(t)
	fill(t, filepath.Join(dir, "file"), 4<<20)
	background(t, dir, "while :; do dd if=file of=/dev/null bs=4k iflag=direct; sleep .1; done")
}

// crowded reports whether others on the machine keep the processors busy: as many as there are are
// always ready to run.
func crowded(t *testing.T) bool {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	var load float64
	if _, err := fmt.Sscan(string(text), &load); err != nil {
		t.Fatal(err)
	}
	return load > float64(runtime.NumCPU())
}

func causes(v profile.Verdict) string {
	var b strings.Builder
	for _, c := range v.Causes {
		fmt.Fprintf(&b, "  %.2f %s (%s)\n", c.Share, c.Code, c.Certainty)
	}
	return b.String()
}

// table is what the page says of the situations: a row for each, a column for each setting.
// What was not tried now stays as it was.
type table struct{ rows map[string][]string }

// The table stands between these.
const (
	tableBegins = "<!-- situations: written by make verdicts -->\n"
	tableEnds   = "<!-- end of situations -->\n"
)

func newTable(t *testing.T, page string) *table {
	x := &table{rows: map[string][]string{}}
	if page == "" {
		return x
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, part, _, err := docs.Part(string(text), tableBegins, tableEnds)
	if err != nil {
		t.Fatal(page, err)
	}
	for line := range strings.Lines(part) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) == 3+len(settings) {
			x.rows[cells[0]] = cells[3:]
		}
	}
	return x
}

func (x *table) enter(s *situation, with setting, said string) {
	if x.rows[s.name] == nil {
		x.rows[s.name] = slices.Repeat([]string{"–"}, len(settings))
	}
	x.rows[s.name][slices.Index(settings, with)] = said
}

// busy is what a cell says if others had the CPUs, and that was named: true, but not what was imposed.
const busy = "machine busy"

// of is the table of some situations, and how many were right.
func (x *table) of(list []situation, sure firsts) (sum, rows string) {
	right, tried, wrong := 0, 0, 0
	var b strings.Builder
	for _, s := range list {
		cells := x.rows[s.name]
		if cells == nil {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", s.name, s.how, strings.Join(s.want, "`, `"), strings.Join(cells,
			" | "))
		for _, said := range cells {
			if said == "–" || said == busy {
				continue
			}
			tried++
			_, certainty, _ := strings.Cut(strings.TrimSuffix(said, ")"), " (")
			sure.add(certainty, strings.HasPrefix(said, "yes"))
			switch {
			case strings.HasPrefix(said, "yes"):
				right++
			case certainty == cause.Measured:
				wrong++
			}
		}
	}
	sum = fmt.Sprintf("the true cause came first in %d of %d; a wrong one came first and was called measured in %d",
		right, tried, wrong)
	return sum,
		"| situation | imposed | cause | small | large | beside noise |\n|---|---|---|---|---|---|\n" + b.String()
}

// write says how many were right, and brings the page up to date.
func (x *table) write(t *testing.T, page string) string {
	sure := firsts{}
	sum, rows := x.of(tuned, sure)
	others, unseenRows := x.of(unseen, sure)
	both := fmt.Sprintf("In situations that rules were made for, %s.\nIn those that none was made for, %s.%s", sum,
		others, sure)
	if page == "" {
		return both
	}
	tables := fmt.Sprintf("%s\n\n%s\nWithout a rule of their own:\n\n%s", both, rows, unseenRows)
	docs.Check(t, page, tableBegins, tableEnds, tables, true)
	return both
}
