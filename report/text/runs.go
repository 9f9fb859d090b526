package text

// This file says what several recordings of the same command have in common: how long they took, and how sure that
// is.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/table"
	"github.com/iotrace/iotrace/stats"
)

// level is the confidence of the interval of a mean.
const level = 0.95

// Run is one recording, its file and how its command ended.
type Run struct {
	File    string
	Status  int
	Profile *profile.Profile
}

// PrintRuns writes a line for each run and one for each mean, with its interval.
func PrintRuns(w io.Writer, all []Run) error {
	rows := [][]string{{"run", "returned after", "durable after", ""}}
	for i, r := range all {
		rows = append(rows, []string{strconv.Itoa(i + 1), took(r.Profile.WallNS), took(r.Profile.DurableNS),
			r.File + failed(r.Status)})
	}
	wall := times(all, func(p *profile.Profile) int64 { return p.WallNS })
	safe := times(all, func(p *profile.Profile) int64 { return p.DurableNS })
	if len(all) > 1 {
		rows = append(rows, []string{"mean", mean(wall), mean(safe)}, []string{"range", span(wall), span(safe)})
	}
	for _, line := range table.Rows(true, rows...).Lines() {
		if _, err := io.WriteString(w, visible.Lines(strings.TrimRight(line, " \n")+"\n")); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, meaning(len(wall), len(safe), len(all)))
	return err
}

// took is a time that may not be known.
func took(ns int64) string {
	if ns < 0 {
		return "not known"
	}
	return unit.Nanoseconds(ns)
}

func failed(status int) string {
	if status == 0 {
		return ""
	}
	return fmt.Sprintf("  (status %d)", status)
}

// times are those of the runs that have one, in seconds.
func times(all []Run, of func(*profile.Profile) int64) (list []float64) {
	for _, r := range all {
		if ns := of(r.Profile); ns >= 0 {
			list = append(list, float64(ns)/1e9)
		}
	}
	return list
}

// mean is that of some times, with half of its interval where there are enough for one.
func mean(seconds []float64) string {
	if len(seconds) == 0 {
		return "not known"
	}
	m := stats.TrimmedMean(seconds, 0)
	text := duration(m)
	if i := stats.TrimmedMeanCI(seconds, 0, level); i.Known() {
		text += " ± " + duration((i.High-i.Low)/2)
	}
	return text
}

func span(seconds []float64) string {
	if len(seconds) == 0 {
		return "not known"
	}
	return duration(slices.Min(seconds)) + " … " + duration(slices.Max(seconds))
}

func duration(seconds float64) string { return unit.Duration(time.Duration(math.Round(seconds * 1e9))) }

// meaning says what the interval is, and of how many runs.
func meaning(wall, safe, all int) string {
	text := ""
	switch {
	case wall >= 3:
		text = "± is half of the 95 % interval of the mean.\n"
	case all > 1:
		text = "A mean has an interval from 3 runs on.\n"
	}
	if safe < all {
		text += fmt.Sprintf("When the data was durable is known of %d of %d runs.\n", safe, all)
	}
	return text
}
