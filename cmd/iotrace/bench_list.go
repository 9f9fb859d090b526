package main

import (
	"encoding/json"
	"fmt"

	"github.com/iotrace/iotrace/baseline"
)

// listPatterns prints patterns as they are defined.
func (a *app) listPatterns(patterns []baseline.Pattern, asJSON bool) error {
	if !asJSON {
		return baseline.WriteList(a.Out, patterns)
	}
	e := json.NewEncoder(a.Out)
	e.SetIndent("", "  ")
	if err := e.Encode(struct {
		Type     string             `json:"type"`
		Version  int                `json:"version"`
		Patterns []baseline.Pattern `json:"patterns"`
	}{"patterns", 1, patterns}); err != nil {
		return fmt.Errorf("printing the patterns: %w", err)
	}
	return nil
}
