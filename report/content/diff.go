package content

import (
	"fmt"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
)

// Diff is what a comparison of two or more sides found.
type Diff struct {
	Comparisons []*compare.Comparison // of the first side with each of the others
	Ranking     []compare.Rank        // of the whole catalogue, if that was asked for; one Comparison is the closest then
}

// SideName is a side's name, printable and of bounded length.
func SideName(s *compare.Side) string { return visible.Shorten(visible.Text(s.Name), 160) }

func RunsOf(s *compare.Side) string {
	if s.Runs > 1 {
		return " (" + unit.Things(int64(s.Runs), "run") + ")"
	}
	return ""
}

// Similarity never rounds to 1 what is not.
func Similarity(v *float64) string {
	switch {
	case v == nil:
		return "?"
	case *v < 1 && *v > 0.99:
		return ">0.99"
	}
	return fmt.Sprintf("%.2f", *v)
}

// Outcome reports whether a dimension has something to say about what came of
// the difference.
func Outcome(d *compare.Dimension) bool {
	return d.Outcome && d.Verdict != "?" && !(d.Subject.State == compare.None && d.Reference.State == compare.None)
}

func EffectLines(c *compare.Comparison, which func(*compare.Dimension) bool) []string {
	var effects []string
	names := map[string][]string{}
	for i := range c.Dimensions {
		d := &c.Dimensions[i]
		if !which(d) {
			continue
		}
		if names[d.Effect] == nil {
			effects = append(effects, d.Effect)
		}
		names[d.Effect] = append(names[d.Effect], d.Name)
	}
	for i, e := range effects {
		effects[i] = strings.Join(names[e], ", ") + ": " + visible.Shorten(visible.Text(e), Longest)
	}
	return effects
}

// fewCopies is how many copies a comparison lists.
const fewCopies = 5

// CopyLines are the copies that both sides made and that differ, those of which the time differs most first.
func CopyLines(c *compare.Comparison) (lines []string) {
	if c.Account == nil {
		return nil
	}
	for i := range c.Account.Copies {
		if words := c.Account.Copies[i].Words(); words != "" && len(lines) < fewCopies {
			lines = append(lines, visible.Shorten(visible.Text(words), Longest))
		}
	}
	return lines
}
