package benchmarks

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/iotrace/iotrace/baseline"
)

// WriteResults prints for people what baseline.ReadResults has read.
func WriteResults(w io.Writer, results any) error {
	switch r := results.(type) {
	case *baseline.Report:
		return WriteText(w, r)
	case *baseline.Review:
		return WriteReview(w, r)
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
