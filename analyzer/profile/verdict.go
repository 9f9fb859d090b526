package profile

import (
	"fmt"
	"strings"
)

// Verdict is the answer: what held the workload back. [verdict.md](verdict.md) describes the causes.
type Verdict struct {
	// the recording summed up; with the command and the bar at most ten rows of 80 columns
	Lines  []AnswerLine `json:"lines"`
	Bar    []BarPart    `json:"bar,omitempty"` // what the time was made of; the parts add up to all of it
	Causes []Reason     `json:"causes"`        // the largest share first
	// they and the bar divide the time until the command returned: what came after it took longer, but wrote little, and
	// nobody waited for that
	UntilReturn bool `json:"until_return,omitempty"`
	// the numbers of `lines` that stand nowhere else in the profile, by name, as those of a [reason](#reason)
	Figures map[string]float64 `json:"figures,omitempty"`
	// changes that would help against the first cause, by simulation
	Offered []Prospect `json:"offered,omitempty"`
}

// Text is the lines, each behind its label.
func (v *Verdict) Text() string {
	var b strings.Builder
	for _, l := range v.Lines {
		fmt.Fprintf(&b, "%-12s %s\n", l.Label, l.Text)
	}
	return b.String()
}

// AnswerLine is a line of the answer. All of its numbers are elsewhere in the profile too.
type AnswerLine struct {
	// `Bottleneck`, `Time`, `Copied` or `Program`, a device with `read` or `write`, `Next`, `Try` or `To know
	// more`, `What if`, `More`; empty where it continues the line before
	Label string `json:"label"`
	Text  string `json:"text"` // what is said
}

// BarPart is a part of the time until the data was durable.
type BarPart struct {
	Code   string  `json:"code,omitempty"` // the cause; absent for all smaller ones together
	Name   string  `json:"name"`           // in a word or two
	TimeNS int64   `json:"time_ns"`        // how much
	Share  float64 `json:"share"`          // of the time
}

// Reason is something that took part of the time until the data was durable.
type Reason struct {
	Code string `json:"code"` // stable short name, see [verdict.md](verdict.md)
	Name string `json:"name"` // in two or three words
	Text string `json:"text"` // what was seen
	// part of the time until the data was durable; shares of causes do not overlap
	Share  float64 `json:"share"`
	TimeNS int64   `json:"time_ns"` // that time
	// "measured": the recording shows it from end to end; "likely": with `probability`; "open": the recording cannot
	// show it
	Certainty string `json:"certainty"`
	// of what is likely: how often that was true in situations whose cause is known
	Probability float64    `json:"probability,omitempty"`
	Evidence    []Evidence `json:"evidence"` // the numbers it rests on
	// the numbers of `text` that stand nowhere else in the profile, by name; its end says what they are: `_ns`,
	// `_bytes`, `_share`, `_per_s`
	Figures map[string]float64 `json:"figures,omitempty"`
	// what its time was by the time stack, in whole ns; missing where the critical path is not recorded
	Parts      []StackPart `json:"parts,omitempty"`
	Remedy     string      `json:"remedy,omitempty"`     // what would help
	Experiment string      `json:"experiment,omitempty"` // a command that would show it
}
