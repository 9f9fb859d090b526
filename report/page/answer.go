package page

import (
	"strconv"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/unit"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
)

// answerLine is a line that sums the recording up.
type answerLine struct {
	Label string
	Text  []piece
}

// barPart is a part of the time.
type barPart struct {
	Color, Name, Share string
	Width              string // percent of the bar
}

// answer fills in the bottleneck, the lines below it and the bar.
func (pg *page) answer(p *profile.Profile) {
	for _, l := range p.Verdict.Lines {
		if l.Label == answer.More {
			continue
		}
		text := pg.gloss.pieces(visible.Shorten(visible.Text(l.Text), content.Longest))
		switch l.Label {
		case answer.Bottleneck:
			pg.Bottleneck = text
			continue
		case "":
			pg.Seen = text
			continue
		}
		pg.Answer = append(pg.Answer, answerLine{visible.Text(l.Label), text})
	}
	for i, x := range p.Verdict.Bar {
		color := "part" + strconv.Itoa(i)
		if x.Code == "" {
			color = "rest"
		}
		pg.Bar = append(pg.Bar, barPart{color, visible.Text(x.Name), unit.Share(x.Share),
			strconv.FormatFloat(100*x.Share, 'f', 3, 64)})
	}
}
