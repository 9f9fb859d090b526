// Package answer sums a finished profile up: at most ten labelled lines, and a bar of what the time was made of. What
// it prints stands in the profile; nothing is measured here.
package answer

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/observe"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
)

// The labels of the lines, in their order. Lines about devices have the device's name as their label.
const (
	Bottleneck = "Bottleneck"
	Operations = "Operations"
	Longest    = "Longest"
	Time       = "Time"
	Copied     = "Copied"
	Program    = "Program"
	Pauses     = "Pauses" // between the calls of a copy
	Note       = "Note"   // a kind of work that costs more than it seems to
	Try        = "Try"
	FindOut    = "To know more"
	WhatIf     = "What if"
	More       = "More"
)

// Compose sums up a profile whose causes are known. It may be called again when more is known of the profile.
func Compose(p *profile.Profile) {
	v := &p.Verdict
	v.Bar = bar(p)
	v.Lines = []profile.AnswerLine{}
	add := func(label, text string) {
		if text != "" {
			v.Lines = append(v.Lines, profile.AnswerLine{Label: label, Text: text})
		}
	}
	if total(p) > 0 || p.Operations != nil {
		add(Bottleneck, bottleneck(p))
	}
	add("", detail(p))
	for _, o := range verdict.Operations(p.Operations) {
		add(Operations, o)
	}
	add(Longest, verdict.LongestOperation(p.Operations))
	add(Time, took(p))
	add(did(p))
	add(Pauses, paused(p))
	for _, d := range drives(p) {
		add(d.Label, d.Text)
	}
	add(Note, note(p))
	add(help(p))
	add(WhatIf, whatIf(p))
	add(More, "iotrace show --full · iotrace report (pictures)")
	v.Lines = fit(v.Lines, len(v.Bar) > 0)
}

// note is the first kind of work that is named.
func note(p *profile.Profile) string {
	for i := range p.Observations {
		if s := &p.Observations[i]; observe.Kinds[s.Code] {
			return strings.TrimSuffix(s.Text, ".")
		}
	}
	return ""
}

// total is the time that the causes divide: that of operations, where no command was recorded.
func total(p *profile.Profile) int64 {
	if p.Operations != nil {
		return p.Operations.TotalNS
	}
	return p.TimeStack.TotalNS
}
