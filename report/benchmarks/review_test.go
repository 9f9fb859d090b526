package benchmarks

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iotrace/iotrace/baseline"
)

// A review fits a terminal, and its forms stay as they are.
func TestReviewForms(t *testing.T) {
	var r baseline.Review
	saved(t, "review", &r)
	var text, markdown, table strings.Builder
	if err := WriteReview(&text, &r); err != nil {
		t.Fatal(err)
	}
	if err := WriteReviewMarkdown(&markdown, &r); err != nil {
		t.Fatal(err)
	}
	if err := WriteReviewCSV(&table, &r); err != nil {
		t.Fatal(err)
	}
	golden(t, "review.txt", text.String())
	golden(t, "review.md", markdown.String())
	golden(t, "review.csv", table.String())
	for line := range strings.Lines(text.String()) {
		if utf8.RuneCountInString(strings.TrimRight(line, "\n")) > reviewWidth {
			t.Errorf("wider than a terminal: %q", line)
		}
	}
}

// Many and long names break the table into several, none wider than a terminal.
func TestReviewIsNarrow(t *testing.T) {
	var r baseline.Review
	saved(t, "review", &r)
	r.Tasks = append(r.Tasks, r.Tasks...)
	r.Volumes[1].Label = "a volume with a long name"
	var b strings.Builder
	reviewTable(&r).Blocks(&b, reviewWidth)
	if n := strings.Count(b.String(), "a volume with a long name"); n < 2 {
		t.Errorf("%d blocks", n)
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(line) > reviewWidth+1 {
			t.Errorf("wider than a terminal: %q", line)
		}
	}
}
