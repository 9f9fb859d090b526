package benchmarks

import (
	"fmt"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Announcement tells the plan for one place in one line.
func Announcement(p baseline.PlacePlan) string {
	text := fmt.Sprintf("%s: writes %s", visible.Text(p.Place.Path), unit.Bytes(p.Writes))
	if p.Writing > 0 {
		text += fmt.Sprintf(" and then as much as goes in %s", unit.Duration(p.Writing))
	}
	if p.Space > 0 {
		text += fmt.Sprintf("; files of %s at once, %s are free", unit.Bytes(p.Space), unit.Bytes(p.Place.FreeBytes))
	}
	if p.Removed > 0 {
		text += fmt.Sprintf("; removed %d files that a run which died had left", p.Removed)
	}
	return text
}
