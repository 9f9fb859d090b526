package benchmarks

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/samples"
)

// A directory, a drive or a label may be called anything: no form of results has markup, formulas, control
// characters or lines of that.
func TestFormsAreText(t *testing.T) {
	const evil = "=1+2|<img src=x>`id`[a](b)\x1b[2J\u009b\u202e\nFORGED"
	poison := func(field, text string) string {
		switch field {
		case "Task.Work", "Task.Measure", "CurvePoint.Over", "Place.Path", "Volume.Label", "Comparison.Verdict":
			return text + evil
		case "StepResult.Step", "Pattern.Name", "Place.Model", "PlaceResult.Place", "Task.Name", "TaskResult.Skipped",
			"Task.About":
			return evil + text
		}
		return text
	}
	var report baseline.Report
	var review baseline.Review
	saved(t, "places", &report)
	saved(t, "review", &review)
	samples.ChangeTexts(&report, poison)
	samples.ChangeTexts(&review, poison)
	for name, write := range map[string]func(io.Writer) error{
		"csv":             func(w io.Writer) error { return WriteCSV(w, &report) },
		"review.csv":      func(w io.Writer) error { return WriteReviewCSV(w, &review) },
		"review.markdown": func(w io.Writer) error { return WriteReviewMarkdown(w, &review) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if !strings.Contains(text, "FORGED") || strings.Contains(text, "\nFORGED") {
			t.Errorf("%s: the names are not in it, or break lines:\n%s", name, text)
		}
		for _, r := range text {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s holds %U", name, r)
			}
		}
		if strings.HasSuffix(name, "markdown") {
			for line := range strings.Lines(strings.ReplaceAll(text, `\|`, "")) {
				if strings.Contains(line, "<img") || strings.Contains(line, "`id") && !strings.Contains(line, "\\`id") ||
					strings.Contains(line, "](b)") && !strings.Contains(line, `\](b)`) ||
					strings.Contains(line, "+2|<") || strings.Contains(line, "+2|&lt;") {
					t.Errorf("%s has markup: %s", name, line)
				}
			}
			continue
		}
		rows, err := csv.NewReader(&out).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+@") {
					t.Errorf("%s has a formula: %s", name, cell)
				}
			}
		}
	}
}
