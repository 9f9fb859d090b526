package profile

import (
	"fmt"
	"strings"
)

// Verdict is the answer: what held the workload back.
type Verdict struct {
	// Lines sum it up: the bottleneck, the time, what was moved, what the drives did, what would help. With the
	// command, the bar and a last line they take at most ten rows of 80 columns.
	Lines   []AnswerLine `json:"lines"`
	Bar     []BarPart    `json:"bar,omitempty"`     // what the time was made of; the parts add up to all of it
	Causes  []Reason     `json:"causes"`            // the largest share first
	Offered []Prospect   `json:"offered,omitempty"` // changes that would help against the first cause
}

// Text is the lines, each behind its label.
func (v *Verdict) Text() string {
	var b strings.Builder
	for _, l := range v.Lines {
		fmt.Fprintf(&b, "%-12s %s\n", l.Label, l.Text)
	}
	return b.String()
}

// AnswerLine is a line of the answer.
type AnswerLine struct {
	Label string `json:"label"` // "Bottleneck", "Time", "vda read"; "" goes on with the line before
	Text  string `json:"text"`
}

// BarPart is a part of the time.
type BarPart struct {
	Code   string  `json:"code,omitempty"` // of the cause; none for all smaller ones together
	Name   string  `json:"name"`
	TimeNS int64   `json:"time_ns"`
	Share  float64 `json:"share"`
}

// Reason is something that took part of the time until the data was safe.
type Reason struct {
	Code string `json:"code"` // of the taxonomy in docs/verdict.md; stable
	Name string `json:"name"` // in two or three words, for a list
	Text string `json:"text"`
	// Share is its part of the time until the data was safe (of the wall time if nothing
	// was written). Shares of causes do not overlap.
	Share  float64 `json:"share"`
	TimeNS int64   `json:"time_ns"`
	// "measured": the recording shows it from end to end; "likely": with Probability; "open": only more than was recorded
	// would tell
	Certainty   string  `json:"certainty"`
	Probability float64 `json:"probability,omitempty"` // of what is likely, counted where causes are known
	// Evidence is what it rests on.
	Evidence   []Evidence `json:"evidence"`
	Remedy     string     `json:"remedy,omitempty"`
	Experiment string     `json:"experiment,omitempty"` // a command that would tell
}
