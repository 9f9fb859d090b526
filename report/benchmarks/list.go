package benchmarks

import (
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/report/table"
)

// WriteSuites prints a line for each suite: what it is, and how many patterns there are.
func WriteSuites(w io.Writer, patterns []baseline.Pattern) error {
	var rows [][]string
	for i := 0; i < len(patterns); {
		suite := suiteOf(patterns[i])
		n := 0
		for i+n < len(patterns) && suiteOf(patterns[i+n]) == suite {
			n++
		}
		rows = append(rows, []string{suite, unit.Things(int64(n), "pattern"), baseline.About(suite)})
		i += n
	}
	var b strings.Builder
	for _, line := range table.Rows(true, rows...).Lines() {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("\niotrace bench --list NAME shows what a suite or a pattern does, and where that is known from.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func suiteOf(p baseline.Pattern) string {
	suite, _, _ := strings.Cut(p.Name, "/")
	return suite
}

// WriteList prints what patterns do, where that is known from and what is only
// inferred. Neighbours that differ in direction only share their source.
func WriteList(w io.Writer, patterns []baseline.Pattern) error {
	var b strings.Builder
	for i, p := range patterns {
		fmt.Fprintf(&b, "%s\n  %s\n", p.Name, p.Title)
		for _, line := range describeSteps(p.Steps) {
			fmt.Fprintf(&b, "  - %s\n", line)
		}
		fmt.Fprintf(&b, "  runs: %s\n", repetition(p))
		if i+1 < len(patterns) && patterns[i+1].Source == p.Source && sameInferences(p, patterns[i+1]) {
			continue
		}
		fmt.Fprintf(&b, "  source: %s\n", p.Source)
		for _, inf := range p.Inferred {
			fmt.Fprintf(&b, "  inferred: %s (%s)\n", inf.Value, inf.Why)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func sameInferences(a, b baseline.Pattern) bool {
	if len(a.Inferred) != len(b.Inferred) {
		return false
	}
	for i := range a.Inferred {
		if a.Inferred[i] != b.Inferred[i] {
			return false
		}
	}
	return true
}

// manySteps is the number of steps from which a list shows the ends only.
const manySteps = 8

func describeSteps(steps []baseline.Step) []string {
	var lines []string
	for i, s := range steps {
		if len(steps) > manySteps && i == 2 {
			lines = append(lines, fmt.Sprintf("… %d more …", len(steps)-4))
		}
		if len(steps) > manySteps && i >= 2 && i < len(steps)-2 {
			continue
		}
		lines = append(lines, s.Name+": "+describeStep(s))
	}
	return lines
}

// describeStep says in one line what a step does.
func describeStep(s baseline.Step) string {
	parts := []string{what(s)}
	if s.Op != baseline.Copy || s.Method == baseline.CopyLoop {
		parts = append(parts, unit.BlockSize(s.Block))
	}
	if s.Op != baseline.Copy {
		parts = append(parts, fmt.Sprintf("queue depth %d × %d", s.Depth, s.Threads))
	}
	parts = append(parts, string(s.Cache))
	switch {
	case s.Files != nil:
		parts = append(parts, fmt.Sprintf("%d files, %s", s.Files.Count(), unit.Bytes(s.Files.Bytes())))
	case s.FileSize > 0:
		parts = append(parts, "file of "+unit.BlockSize(s.FileSize))
	}
	if b := s.Burst; b != nil {
		parts = append(parts, fmt.Sprintf("%d bursts of %s, busy %g %%", b.Count, unit.BlockSize(b.Bytes), b.Duty*100))
	}
	if l := describeLimit(s.Limit); l != "" && s.Burst == nil {
		parts = append(parts, l)
	}
	if s.Writes() {
		parts = append(parts, "data "+string(s.Data))
	}
	switch s.Sync {
	case baseline.SyncEnd:
		parts = append(parts, "fsync at the end")
	case baseline.SyncData:
		parts = append(parts, "fdatasync at the end")
	case baseline.SyncWrite:
		parts = append(parts, "O_DSYNC")
	case baseline.SyncEvery:
		parts = append(parts, fmt.Sprintf("fdatasync every %d operations", s.Every))
	}
	return strings.Join(parts, ", ")
}

func what(s baseline.Step) string {
	switch s.Op {
	case baseline.Copy:
		return "copy by " + string(s.Method)
	case baseline.Mixed:
		return fmt.Sprintf("%s %d %% reads", s.Access, s.ReadShare)
	}
	return string(s.Access) + " " + string(s.Op)
}

func describeLimit(l baseline.Limit) string {
	switch {
	case l.Time > 0 && l.Bytes > 0:
		return fmt.Sprintf("%s or %s per thread", unit.Duration(l.Time), unit.BlockSize(l.Bytes))
	case l.Time > 0:
		return unit.Duration(l.Time)
	case l.Bytes > 0:
		return unit.BlockSize(l.Bytes) + " per thread"
	}
	return ""
}

func repetition(p baseline.Pattern) string {
	text := fmt.Sprintf("%d", p.Runs)
	if p.Discard > 0 {
		text += fmt.Sprintf(" after %d that do not count", p.Discard)
	}
	if p.Until != nil {
		text = fmt.Sprintf("until steady state of %s over %d rounds, at most %d", p.Until.Track, p.Until.Window, p.Until.Max)
	}
	o := p.Original
	text += fmt.Sprintf("; the original: %d", o.Runs)
	if o.Discard > 0 {
		text += fmt.Sprintf(" after %d", o.Discard)
	}
	text += ", shows " + describePick(o.Pick, o.Steps)
	if o.Factor != 1 {
		text += fmt.Sprintf(" in a unit %.4g times MB/s", 1/o.Factor)
	}
	return text
}

func describePick(p baseline.Pick, steps []string) string {
	switch p {
	case baseline.PickMax:
		return "the best run"
	case baseline.PickSingle:
		return "its only run"
	case baseline.PickStepMean:
		if len(steps) > 0 {
			return "the mean of " + strings.Join(steps, ", ")
		}
		return "the mean of all steps"
	case baseline.PickBurstMean:
		return "the mean of the bursts"
	case baseline.PickRegression:
		return "the slope of time over size"
	case baseline.PickWindowMean:
		return "the mean of the steady rounds"
	case baseline.PickPerStep:
		return "each step"
	}
	return "the " + string(p)
}
