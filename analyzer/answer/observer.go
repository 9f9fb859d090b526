package answer

import (
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/measure"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/visible"
)

// observer writes observations: sentences an expert would put beside a table.
// Each names the numbers it rests on; none is written without.
type observer struct {
	p    *profile.Profile
	list []profile.Sentence
}

// maxObserved is how many copies, files or devices get sentences of their own.
const maxObserved = 3

// named is the name of a file in a sentence, which is to fit a row of a terminal.
func named(file string) string { return visible.Shorten(wording.FileName(file), 32) }

// number is one piece of evidence.
func number(pointer string, value float64) profile.Evidence {
	return profile.Evidence{Pointer: pointer, Value: value}
}

// instead says what to do in place of the work of the last sentence.
func (o *observer) instead(text string) { o.list[len(o.list)-1].Instead = text }

// said reports whether there is a sentence of a kind.
func (o *observer) said(code string) bool {
	return slices.ContainsFunc(o.list, func(s profile.Sentence) bool { return s.Code == code })
}

func (o *observer) say(code, subject, text string, evidence ...profile.Evidence) {
	s := profile.Sentence{Code: code, Text: text, Subject: subject, Evidence: evidence}
	for _, w := range o.p.Warnings {
		for _, part := range w.Affects {
			if part == "" || strings.HasPrefix(subject, part) {
				s.Marks = measure.Union(s.Marks, []string{w.Code})
			}
		}
	}
	o.list = append(o.list, s)
}
