package answer

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
)

// warning is what makes numbers doubtful: requests that failed, and parts of the recording that are missing.
func warning(p *profile.Profile) string {
	var failed string
	for i := range p.Observations {
		if s := &p.Observations[i]; s.Code == "failed_requests" {
			failed, _, _ = strings.Cut(s.Text, ". ")
			break
		}
	}
	var missing []string
	if p.Lost.Total > 0 && slices.ContainsFunc(p.Warnings, func(w profile.Warning) bool {
		return w.Code == "lost" && len(w.Affects) > 0
	}) {
		missing = append(missing, unit.Things(int64(p.Lost.Total), "event"))
	}
	if p.Trace.Damaged > 0 {
		missing = append(missing, "parts of the file")
	}
	if len(missing) == 0 {
		return failed
	}
	text := unit.List(missing) + " lost: numbers marked ! too low"
	if failed != "" {
		text += "; " + failed
	}
	return text
}
