package page

import (
	"strconv"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/chart"
	"github.com/iotrace/iotrace/report/content"
)

// answers are what the first screen says in words, and the bar.
type answers struct {
	Bottleneck []piece
	Seen       []piece // of the bottleneck
	Times      []piece // to return, until durable
	Answer     []answerLine
	Bar        []barPart
}

// answerLine is a line that sums the recording up.
type answerLine struct {
	Label string
	Text  []piece
}

// barPart is a part of the time.
type barPart struct {
	Color, Name, Share string // Share: or how long it is
	Width              string // percent of the bar
}

// answersOf are the bottleneck, the lines below it and the bar.
func answersOf(p *profile.Profile, g *glossary) (a answers) {
	for _, l := range p.Verdict.Lines {
		if l.Label == answer.More || l.Label == answer.Warning { // the page has what they lead to
			continue
		}
		text := g.pieces(visible.Shorten(unparted(visible.Text(l.Text)), content.Longest))
		switch l.Label {
		case answer.Bottleneck:
			a.Bottleneck = text
			continue
		case "":
			a.Seen = text
			continue
		case answer.Time:
			a.Times = text
			continue
		}
		a.Answer = append(a.Answer, answerLine{visible.Text(l.Label), text})
	}
	a.Bar = barParts(p, content.BarShares(p.Verdict.Bar))
	return a
}

// barParts are the parts of the time, each in a colour of its own and with what is said of its length.
func barParts(p *profile.Profile, long []string) (parts []barPart) {
	colors := chart.BarColors(p)
	for i := range p.Verdict.Bar {
		x := &p.Verdict.Bar[i]
		parts = append(parts, barPart{colors[i], visible.Text(x.Name), long[i], strconv.FormatFloat(100*x.Share, 'f', 3, 64)})
	}
	return parts
}

// unparted keeps numbers and their units on one line.
func unparted(text string) string { return wording.WithUnits(text, "\u00a0") }
