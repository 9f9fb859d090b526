package text

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// gutter is the width of the column of labels.
const gutter = 13

// answer writes the lines that sum the recording up, with the bar below the time.
func (t *text) answer() {
	for _, l := range t.p.Verdict.Lines {
		if l.Label == answer.More && t.o.Full {
			continue
		}
		var dress func(string) string
		switch l.Label {
		case answer.Bottleneck:
			dress = t.ink.strong
		case answer.More:
			dress = t.ink.faint
		case answer.Warning:
			dress = t.ink.alarm
		}
		t.labelled(dress, l.Label, l.Text)
		if l.Label == answer.Time {
			t.bar(t.p.Verdict.Bar)
		}
	}
}

// labelled writes a paragraph behind its label.
func (t *text) labelled(dress func(string) string, label, s string) {
	label = visible.Shorten(visible.Text(label), t.o.Width/2)
	pad := max(gutter-visible.Width(label), 1)
	t.wrapLabel(dress, t.ink.faint(label)+strings.Repeat(" ", pad), strings.Repeat(" ", gutter),
		visible.Width(label)+pad, visible.Shorten(visible.Text(s), content.Longest))
}

// shades are the parts of a bar, in their order; the last is for what has no cause of its own.
var shades = []string{"█", "▓", "▒", "░", "·"}

// bar draws the parts of the time, each with its name behind it.
func (t *text) bar(parts []profile.BarPart) {
	if len(parts) == 0 {
		return
	}
	names, taken := make([]string, len(parts)), 0
	for i, share := range content.BarShares(parts) {
		names[i] = visible.Text(parts[i].Name) + " " + share
		taken += visible.Width(names[i]) + 2
	}
	cells := lengths(parts, t.o.Width-gutter-taken)
	var b strings.Builder
	for i, x := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		shade := shades[min(i, len(shades)-1)]
		if x.Code == "" {
			shade = shades[len(shades)-1]
		}
		b.WriteString(strings.Repeat(shade, cells[i]) + " " + names[i])
	}
	t.wrap(nil, strings.Repeat(" ", gutter), b.String())
}

// lengths are the columns that the parts of a bar take, one at least. What rounding adds or leaves is the first part's,
// so that all fit the room.
func lengths(parts []profile.BarPart, room int) []int {
	list, taken := make([]int, len(parts)), 0
	for i, x := range parts[1:] {
		list[i+1] = max(int(x.Share*float64(room)+0.5), 1)
		taken += list[i+1]
	}
	list[0] = max(room-taken, 1)
	return list
}
