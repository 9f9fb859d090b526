// Package answer summarises a finished profile: at most ten labelled lines, and a bar of the parts of the time. What it
// prints is in the profile; nothing is measured here. It also writes the sentences of a profile: what an expert would
// put beside its tables.
package answer

import (
	"strings"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
)

// Compose sums up a profile whose causes are known. It may be called again when more is known of the profile.
func Compose(p *profile.Profile) {
	v := &p.Verdict
	v.Bar, v.Figures = bar(p), nil
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
	for _, o := range operations(p.Operations) {
		add(Operations, o)
	}
	add(Longest, longest(p.Operations))
	add(Time, took(p))
	add(did(p))
	add(Pauses, paused(p))
	for _, d := range drives(p) {
		add(d.Label, d.Text)
	}
	add(Next, next(p))
	add(Note, note(p))
	add(help(p))
	add(WhatIf, whatIf(p))
	add(Warning, warning(p))
	add(More, "iotrace show --full · iotrace report (pictures)")
	v.Lines = brief(fit(v.Lines, len(v.Bar) > 0), v.Bar, p.Command)
}

// inVerdict are the causes that say, and say to change, what sentences do.
var inVerdict = map[string]string{"mount_sync": cause.Sync, "mount_dirsync": cause.Sync, "synced_directory": cause.Sync,
	"synced_file": cause.Sync, "mount_discard": cause.Discards, "blocking_submit": cause.BlockingSubmit,
	"ring_in_turn": cause.BlockingSubmit, "synced_new": cause.Sync,
	"per_call": cause.SmallCalls}

// onItsLine are the codes of sentences that the lines of drives and of copies say in short.
var onItsLine = map[string]bool{"amplified": true, "copied_again": true}

// note is the first kind of work that is named, and not with the causes that are told already.
func note(p *profile.Profile) string {
	for i := range p.Observations {
		s, said := &p.Observations[i], false
		if c := p.Verdict.Causes; len(c) > 0 {
			said = inVerdict[s.Code] == c[0].Code
		}
		if c := behind(p); c != nil && inVerdict[s.Code] == c.Code {
			said = true
		}
		if WorkKinds[s.Code] && !onItsLine[s.Code] && !said {
			return strings.TrimSuffix(s.Text, ".")
		}
	}
	return ""
}
