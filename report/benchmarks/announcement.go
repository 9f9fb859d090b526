package benchmarks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Announcement says what will be written.
func Announcement(p baseline.Plan) string {
	var b strings.Builder
	for _, place := range p.Places {
		fmt.Fprintln(&b, announcedPlace(place))
	}
	if p.DropsCaches {
		b.WriteString("Before each step the page cache of the whole system is dropped, as the original does " +
			"(--keep-caches prevents it).\n")
	}
	return b.String()
}

// Trying says why something is written before the run.
const Trying = "Trying each kind of step for up to a second, to tell how long it takes ...\n"

// Takes says how long a run takes, and how to have it shorter.
func Takes(d time.Duration) string {
	text := fmt.Sprintf("This takes about %s", unit.Duration(d))
	if d > longRun {
		text += " (--budget TIME makes it shorter)"
	}
	return text + ".\n"
}

// longRun is longer than many would like to wait.
const longRun = time.Minute

// Late says that a run takes much longer than it was said to.
func Late(announced, all time.Duration) string {
	return fmt.Sprintf("This takes about %s in all, not %s as announced: it goes on as long as you let it. Ctrl-C ends "+
		"it with what was measured; --budget TIME has the next run end in time.\n", unit.Duration(all),
		unit.Duration(announced))
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
		text += fmt.Sprintf("; removed %s that a run which died had left", unit.Things(int64(p.Removed), "file"))
	}
	return text
}

// Progress tells in one line what a run is doing; nothing before it does anything.
func Progress(now baseline.Activity) string {
	if now.Pattern == "" {
		return ""
	}
	if now.Trying {
		return fmt.Sprintf("trying %s, %s, %s", now.Pattern, now.Step, now.Place)
	}
	// What matters most comes first: the line is cut at the width of the terminal.
	parts := []string{Left(now.Left)}
	if now.Moved > 0 {
		parts = append(parts, unit.RateOver(now.Moved, now.Since))
	}
	switch {
	case now.Warming:
		parts = append(parts, "a run that does not count")
	case now.Run > 0:
		parts = append(parts, fmt.Sprintf("run %d of %d", now.Run, now.Runs))
	}
	parts = append(parts, now.Pattern)
	if now.Step != "" && !strings.HasSuffix(now.Pattern, "/"+now.Step) {
		parts = append(parts, now.Step)
	}
	return strings.Join(append(parts, now.Place), ", ")
}

// Left is how long a run still takes. Less than a tenth of a second is no time to speak of.
func Left(left time.Duration) string {
	if left < 100*time.Millisecond {
		return "almost done"
	}
	return "about " + unit.Duration(left) + " left"
}

// SustainedProgress tells in one line how far a sustained run is; nothing before its first file.
func SustainedProgress(p baseline.SustainedProgress) string {
	if p.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%s rate: %s of %s, %s, %s", p.Pass, unit.Bytes(p.Written), unit.Bytes(p.Total),
		unit.Rate(float64(p.Rate)), Left(p.Left)+" in this pass")
}

// ReviewAnnouncement says how often everyday work will be done.
func ReviewAnnouncement(r *baseline.Review) string {
	return fmt.Sprintf("%s, %s, on each of %s.\n", unit.Things(int64(len(r.Tasks)), "task"), timesOf(r, "each "),
		unit.Things(int64(len(r.Volumes)), "volume"))
}

// timesOf says how often tasks are done: "each 5 times", "5 times, sustained once".
func timesOf(r *baseline.Review, all string) string {
	var once []string
	most := 1
	for _, t := range r.Tasks {
		if n := r.RunsOf(t); n == 1 && r.Runs > 1 {
			if !slices.Contains(once, t.Work) {
				once = append(once, t.Work)
			}
		} else {
			most = max(most, n)
		}
	}
	switch text := all + unit.Things(int64(most), "time"); {
	case most == 1:
		return all + "once"
	case len(once) > 0:
		return strings.TrimPrefix(text, "each ") + ", " + unit.List(once) + " once"
	default:
		return text
	}
}
