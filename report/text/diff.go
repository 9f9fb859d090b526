package text

import (
	"fmt"
	"io"

	"github.com/iotrace/iotrace/analyzer/compare"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// Diff writes a comparison for a person at a terminal: what differs first,
// in words, then every dimension with its numbers. Nothing it writes can act on
// the terminal.
func Diff(w io.Writer, d *content.Diff, o Options) error {
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

func (t *diffText) one(c *compare.Comparison) {
	t.wrap(t.ink.strong, "", content.SideName(c.Subject)+" against "+content.SideName(c.Reference))
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		if s.About != "" {
			t.wrap(t.ink.faint, "", content.SideName(s)+": "+visible.Shorten(visible.Text(s.About), content.Longest)+
				content.RunsOf(s))
		}
	}
	if c.Account != nil {
		t.wrap(t.ink.strong, "", visible.Shorten(visible.Text(c.Account.Text), content.Longest))
	}
	t.wrap(nil, "", similarityText(c))
	for _, s := range []*compare.Side{c.Subject, c.Reference} {
		for _, w := range s.Warnings {
			t.wrap(t.ink.alarm, "", content.SideName(s)+": "+visible.Text(w)+".")
		}
	}
	if c.Similarity != nil && len(c.Different()) == 0 {
		t.wrap(nil, "", "Nothing that was compared differs.")
	}
	t.effects("What differs", c, func(d *compare.Dimension) bool { return d.Verdict == "differs" && !d.Outcome })
	t.effects("Results", c, content.Outcome)
	if power := c.Power(); power != "" {
		t.wrap(t.ink.faint, "- ", power+".")
	}
	if lines := content.CopyLines(c); len(lines) > 0 {
		t.section("Copies")
		for _, line := range lines {
			t.wrap(nil, "- ", line)
		}
	}
	t.effects("Not compared", c, func(d *compare.Dimension) bool { return d.Verdict == "?" })
	t.table(content.Dimensions(c))
	t.wrap(t.ink.faint, "", "Distance: 0 the same, 1 nothing in common. Part: what the dimension leaves of the "+
		"similarity. "+
		"Sizes and runs are weighed by bytes, depths by time.")
}

func similarityText(c *compare.Comparison) string {
	return fmt.Sprintf("Similarity %s, from %d of %d dimensions.", content.Similarity(c.Similarity), c.Compared,
		c.Comparable)
}

// effects lists dimensions in words; those that share their words, such as the
// reason for not being known, share a line.
func (t *diffText) effects(title string, c *compare.Comparison, which func(*compare.Dimension) bool) {
	lines := content.EffectLines(c, which)
	if len(lines) == 0 {
		return
	}
	t.section(title)
	for _, line := range lines {
		t.wrap(nil, "- ", line)
	}
}

func (t *diffText) several(d *content.Diff) {
	t.wrap(t.ink.strong, "", fmt.Sprintf("Comparison of %d recordings", len(d.Comparisons)+1))
	for _, c := range d.Comparisons {
		if c.Account != nil {
			t.wrap(nil, "- ", visible.Shorten(visible.Text(c.Account.Text), content.Longest))
		}
	}
	rows := compare.Summarize(d.Comparisons)
	t.table(content.Summary(rows))
	t.section("Key observations")
	for _, r := range rows {
		if r.Observation != "" {
			t.wrap(nil, "- ", visible.Shorten(visible.Text(r.Name), 160)+": "+visible.Shorten(visible.Text(r.Observation),
				content.Longest))
		}
	}
	for _, c := range d.Comparisons {
		t.effects(content.SideName(c.Subject)+" against "+content.SideName(c.Reference), c,
			func(d *compare.Dimension) bool { return d.Verdict == "differs" })
	}
}

func (t *diffText) ranking(d *content.Diff) {
	c := d.Comparisons[0]
	t.wrap(t.ink.strong, "", content.SideName(c.Subject)+" against every pattern")
	if c.Subject.About != "" {
		t.wrap(t.ink.faint, "", visible.Shorten(visible.Text(c.Subject.About), content.Longest))
	}
	best := d.Ranking[0]
	t.wrap(nil, "", fmt.Sprintf("Closest: %s (%s), from %d of %d dimensions.", best.Patterns[0],
		content.Similarity(best.Similarity), c.Compared, c.Comparable))
	for _, w := range c.Subject.Warnings {
		t.wrap(t.ink.alarm, "", visible.Text(w)+".")
	}
	t.effects("How it differs from the closest", c, func(d *compare.Dimension) bool { return d.Verdict == "differs" })
	t.effects("Not compared", c, func(d *compare.Dimension) bool {
		return d.Verdict == "?" && d.Reason != c.Reference.Name+": not declared"
	})
	t.table(content.Ranking(d.Ranking))
}
