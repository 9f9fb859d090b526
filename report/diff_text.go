package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/iotrace/iotrace/analyzer/compare"
)

// Diff is what a comparison of two or more sides found.
type Diff struct {
	Comparisons []*compare.Comparison // of the first side with each of the others
	Ranking     []compare.Rank        // of the whole catalogue, if that was asked for; one Comparison is the closest then
}

// DiffText writes a comparison for a person at a terminal: what differs first,
// in words, then every dimension with its numbers. Nothing it writes can act on
// the terminal.
func DiffText(w io.Writer, d *Diff, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Rows == 0 {
		o.Rows = 20
	}
	t := &diffText{text{o: o, ink: ink(o.Color)}}
	switch {
	case d.Ranking != nil:
		t.ranking(d)
	case len(d.Comparisons) > 1:
		t.several(d)
	default:
		t.one(d.Comparisons[0])
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type diffText struct{ text }

// nameOf is a side's name, printable and of bounded length.
func nameOf(s *compare.Side) string { return shorten(printable(s.Name), 160) }

func (t *diffText) one(c *compare.Comparison) {
	t.wrap(t.ink.strong, "", nameOf(c.Subject)+" against "+nameOf(c.Reference))
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		if s.About != "" {
			t.wrap(t.ink.faint, "", nameOf(s)+": "+shorten(printable(s.About), longest)+runsOf(s))
		}
	}
	t.wrap(nil, "", similarityText(c))
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		for _, w := range s.Warnings {
			t.wrap(t.ink.alarm, "", nameOf(s)+": "+printable(w)+".")
		}
	}
	if c.Similarity != nil && len(c.Different()) == 0 {
		t.wrap(nil, "", "Nothing that was compared differs.")
	}
	t.effects("What differs", c, func(d *compare.Dimension) bool { return d.Verdict == "differs" && !d.Outcome })
	t.effects("What came of it", c, outcome)
	if power := c.Power(); power != "" {
		t.wrap(t.ink.faint, "- ", power+".")
	}
	t.effects("Not compared", c, func(d *compare.Dimension) bool { return d.Verdict == "?" })
	t.table(dimensionTable(c))
	t.wrap(t.ink.faint, "", "Distance: 0 the same, 1 nothing in common. Part: what the dimension leaves of the similarity. "+
		"Sizes and runs are weighed by bytes, depths by time.")
}

func runsOf(s *compare.Side) string {
	if s.Runs > 1 {
		return " (" + some(int64(s.Runs), "run") + ")"
	}
	return ""
}

func similarityText(c *compare.Comparison) string {
	return fmt.Sprintf("Similarity %s, from %d of %d dimensions.", similarity(c.Similarity), c.Compared, c.Comparable)
}

// outcome reports whether a dimension has something to say about what came of
// the difference.
func outcome(d *compare.Dimension) bool {
	return d.Outcome && d.Verdict != "?" && !(d.Subject.State == compare.None && d.Reference.State == compare.None)
}

// similarity never rounds to 1 what is not.
func similarity(v *float64) string {
	switch {
	case v == nil:
		return "?"
	case *v < 1 && *v > 0.99:
		return ">0.99"
	}
	return fmt.Sprintf("%.2f", *v)
}

// effects lists dimensions in words; those that share their words, such as the
// reason for not being known, share a line.
func (t *diffText) effects(title string, c *compare.Comparison, which func(*compare.Dimension) bool) {
	lines := effectLines(c, which)
	if len(lines) == 0 {
		return
	}
	t.section(title)
	for _, line := range lines {
		t.wrap(nil, "- ", line)
	}
}

func effectLines(c *compare.Comparison, which func(*compare.Dimension) bool) []string {
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
		effects[i] = strings.Join(names[e], ", ") + ": " + shorten(printable(e), longest)
	}
	return effects
}

func (t *diffText) several(d *Diff) {
	t.wrap(t.ink.strong, "", fmt.Sprintf("%d side by side", len(d.Comparisons)+1))
	rows := compare.Summarize(d.Comparisons)
	t.table(summaryTable(rows))
	t.section("Key observations")
	for _, r := range rows {
		if r.Observation != "" {
			t.wrap(nil, "- ", shorten(printable(r.Name), 160)+": "+shorten(printable(r.Observation), longest))
		}
	}
	for _, c := range d.Comparisons {
		t.effects(nameOf(c.Subject)+" against "+nameOf(c.Reference), c, func(d *compare.Dimension) bool { return d.Verdict == "differs" })
	}
}

func (t *diffText) ranking(d *Diff) {
	c := d.Comparisons[0]
	t.wrap(t.ink.strong, "", nameOf(c.Subject)+" against every pattern")
	if c.Subject.About != "" {
		t.wrap(t.ink.faint, "", shorten(printable(c.Subject.About), longest))
	}
	best := d.Ranking[0]
	t.wrap(nil, "", fmt.Sprintf("Closest: %s (%s), from %d of %d dimensions.", best.Patterns[0], similarity(best.Similarity), c.Compared, c.Comparable))
	for _, w := range c.Subject.Warnings {
		t.wrap(t.ink.alarm, "", printable(w)+".")
	}
	t.effects("How it differs from the closest", c, func(d *compare.Dimension) bool { return d.Verdict == "differs" })
	t.effects("Not compared", c, func(d *compare.Dimension) bool {
		return d.Verdict == "?" && d.Reason != c.Reference.Name+": not declared"
	})
	t.table(rankTable(d.Ranking))
}
