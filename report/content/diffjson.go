package content

import (
	"io"

	"github.com/iotrace/iotrace/analyzer/compare"
)

// DiffJSON writes a comparison as one indented JSON object, described in
// docs/diff.md.
func DiffJSON(w io.Writer, d *Diff) error {
	type head struct {
		Type    string `json:"type"`
		Version int    `json:"version"`
	}
	var object any
	switch {
	case d.Ranking != nil:
		object = struct {
			head
			Subject *compare.Side  `json:"subject"`
			Ranking []compare.Rank `json:"ranking"`
		}{head{"ranking", 1}, d.Comparisons[0].Subject, d.Ranking}
	case len(d.Comparisons) > 1:
		object = struct {
			head
			Summary     []compare.Row         `json:"summary"`
			Comparisons []*compare.Comparison `json:"comparisons"`
		}{head{"diffs", 1}, compare.Summarize(d.Comparisons), d.Comparisons}
	default:
		object = struct {
			head
			*compare.Comparison
		}{head{"diff", 1}, d.Comparisons[0]}
	}
	return JSON(w, object)
}
