package benchmarks

import (
	"fmt"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Announcement says what will be written, and how long that takes.
func Announcement(p baseline.Plan) string {
	var b strings.Builder
	for _, place := range p.Places {
		fmt.Fprintln(&b, announcedPlace(place))
	}
	if p.DropsCaches {
		b.WriteString("Before each step the page cache of the whole system is dropped, as the original does " +
			"(--keep-caches prevents it).\n")
	}
	fmt.Fprintf(&b, "This takes about %s.\n", unit.Duration(p.Duration))
	return b.String()
}

func announcedPlace(p baseline.PlacePlan) string {
	text := fmt.Sprintf("%s: writes %s", visible.Line(p.Place.Path), unit.Bytes(p.Writes))
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

// Progress tells in one line what a run is doing; nothing before it does anything.
func Progress(now baseline.Activity) string {
	if now.Pattern == "" {
		return ""
	}
	// What matters most comes first: the line is cut at the width of the terminal.
	parts := []string{"about " + unit.Duration(now.Left) + " left"}
	if now.Moved > 0 {
		parts = append(parts, unit.RateOver(now.Moved, now.Since))
	}
	if now.Run > 0 {
		parts = append(parts, fmt.Sprintf("run %d of %d", now.Run, now.Runs))
	}
	parts = append(parts, now.Pattern)
	if now.Step != "" && !strings.HasSuffix(now.Pattern, "/"+now.Step) {
		parts = append(parts, now.Step)
	}
	return strings.Join(append(parts, now.Place), ", ")
}

// SustainedProgress tells in one line how far a sustained run is; nothing before its first file.
func SustainedProgress(p baseline.SustainedProgress) string {
	if p.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%s rate: %s of %s, %s, about %s left in this pass", p.Pass, unit.Bytes(p.Written),
		unit.Bytes(p.Total), unit.Rate(float64(p.Rate)), unit.Duration(p.Left))
}

// ReviewAnnouncement says how often everyday work will be done, and how long that takes.
func ReviewAnnouncement(tasks, runs, volumes int, left time.Duration) string {
	return fmt.Sprintf("%s, each %s on each of %s. This takes about %s.\n", unit.Things(int64(tasks), "task"),
		unit.Things(int64(runs), "time"), unit.Things(int64(volumes), "volume"), unit.Duration(left))
}
