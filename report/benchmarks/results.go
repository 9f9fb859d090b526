package benchmarks

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/baseline"
)

// Form is a form of results that standard output can have.
type Form int

// The forms. Each kind of results has all of them.
const (
	Text Form = iota
	Markdown
	CSV
)

// WriteResults prints what baseline.ReadResults has read, for people.
func WriteResults(w io.Writer, results any) error { return Text.Write(w, results) }

// Write prints results of any kind in the form.
func (f Form) Write(w io.Writer, results any) error {
	switch r := results.(type) {
	case *baseline.Report:
		return [...]func(io.Writer, *baseline.Report) error{WriteText, WriteMarkdown, WriteCSV}[f](w, r)
	case *baseline.Review:
		return [...]func(io.Writer, *baseline.Review) error{WriteReview, WriteReviewMarkdown, WriteReviewCSV}[f](w, r)
	case *baseline.SustainedReport:
		return [...]func(io.Writer, *baseline.SustainedReport) error{WriteSustained, WriteSustainedMarkdown,
			WriteSustainedCSV}[f](w, r)
	}
	return fmt.Errorf("printing results: %T is none", results)
}

// WriteJSON writes results as baseline.ReadResults reads them.
func WriteJSON(w io.Writer, results any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(results)
}

// WriteListJSON writes the definitions of patterns.
func WriteListJSON(w io.Writer, patterns []baseline.Pattern) error {
	err := WriteJSON(w, struct {
		Type     string             `json:"type"`
		Version  int                `json:"version"`
		Patterns []baseline.Pattern `json:"patterns"`
	}{"patterns", 1, patterns})
	if err != nil {
		return fmt.Errorf("printing the patterns: %w", err)
	}
	return nil
}
