package answer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/visible"
)

// An answer has so many lines, of so many columns behind the labels on a terminal of 80. The command is the first of
// them.
const (
	mostLines = 10
	columns   = 67
	own       = 1 // the command
)

// What is left out of lines where there is no room for it.
const (
	nothingMoved = "moved no data"  // said where no call moved any
	inOperations = " in operations" // says of what time a share is
)

// fit leaves out what matters least until the lines fit: second sentences, where there is more, the simulation, the
// second device.
func fit(lines []profile.AnswerLine, bar bool) []profile.AnswerLine {
	room := mostLines - own
	if bar {
		room--
	}
	for _, least := range []func([]profile.AnswerLine) []profile.AnswerLine{
		shorten(Try), shorten(""), shorten(Next), withoutNames, without(More), shorten(Note), oneRow(Warning),
		second(Operations), without(WhatIf), unexplained, lastDevice, oneRow(Next), oneRow(Note), oneRow(""),
		firstForOthers, oneRow(Try), oneRow(Copied), oneRow(Program), idle, oneRow(Longest), unplaced, oneRow(Operations),
		operationsAlone, cut, without(Pauses), without(Next), without(Note),
	} {
		if rows(lines) <= room {
			break
		}
		lines = least(lines)
	}
	return lines
}

// idle leaves out that a program moved no data.
func idle(lines []profile.AnswerLine) []profile.AnswerLine {
	return slices.DeleteFunc(slices.Clone(lines), func(l profile.AnswerLine) bool { return l.Text == nothingMoved })
}

// firstForOthers keeps one of the ways to have others do less, so that there is room for what to do of one's own.
func firstForOthers(lines []profile.AnswerLine) []profile.AnswerLine {
	return changed(lines, Try, func(text string) string {
		others, own, ok := strings.Cut(text, andThen)
		if !ok {
			return text
		}
		others, _, _ = strings.Cut(others, ", ")
		return others + andThen + own
	})
}

// unplaced leaves out of what took most that it was in operations, which their own line says.
func unplaced(lines []profile.AnswerLine) []profile.AnswerLine {
	return changed(lines, Bottleneck, func(text string) string { return strings.Replace(text, inOperations, "", 1) })
}

// operationsAlone leaves out what was seen of the first cause where operations say it, too.
func operationsAlone(lines []profile.AnswerLine) []profile.AnswerLine {
	if !slices.ContainsFunc(lines, func(l profile.AnswerLine) bool { return l.Label == Operations }) {
		return lines
	}
	return without("")(lines)
}

// rows is how many rows of a terminal lines take.
func rows(lines []profile.AnswerLine) (n int) {
	for _, l := range lines {
		n += len(visible.Wrap(visible.Text(l.Text), columns))
	}
	return n
}

// shorten keeps, of lines of a label, what stands before the first semicolon.
func shorten(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		lines = slices.Clone(lines)
		for i := range lines {
			if l := &lines[i]; l.Label == label {
				l.Text = sentence(l.Text)
			}
		}
		return lines
	}
}

// oneRow cuts lines of a label so that they take one row.
func oneRow(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		lines = slices.Clone(lines)
		for i := range lines {
			if lines[i].Label == label {
				lines[i] = row(lines[i])
			}
		}
		return lines
	}
}

// cut does so of all lines.
func cut(lines []profile.AnswerLine) []profile.AnswerLine {
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i] = row(lines[i])
	}
	return lines
}

// row is as much of a line as takes one row: whole clauses if there are any, or else whole words, and no number without
// its unit.
func row(l profile.AnswerLine) profile.AnswerLine {
	text := wording.WithUnits(visible.Text(l.Text), unparted)
	if visible.Width(text) <= columns {
		return l
	}
	at := strings.LastIndex(text, " (")
	if l.Label == Bottleneck && at > 0 && columns-visible.Width(text[at:])-2 > columns/3 {
		head := visible.Left(text, columns-visible.Width(text[at:])-2)
		head = strings.TrimRight(head[:max(strings.LastIndexByte(head, 0x20), 1)], " ,")
		l.Text = strings.ReplaceAll(head+" …"+text[at:], unparted, " ") // how sure it is stays
		return l
	}
	if at := clause(text); at > 0 {
		l.Text = strings.ReplaceAll(text[:at], unparted, " ")
		return l
	}
	text = visible.Left(text, columns-2)
	if at := strings.LastIndexByte(text, ' '); at > columns/2 {
		text = text[:at]
	}
	l.Text = strings.ReplaceAll(strings.TrimRight(text, " ·,:(;"), unparted, " ") + " …"
	return l
}

// clause is where the last clause ends that a row has room for, if it is not short and in no parentheses; 0 if there is
// none.
func clause(text string) (end int) {
	room, depth := len(visible.Left(text, columns)), 0
	for at := range text[:min(room+1, len(text))] {
		for _, mark := range []string{", ", "; ", ": ", " · ", " ("} {
			if at > columns/2 && depth == 0 && strings.HasPrefix(text[at:], mark) && !strings.HasPrefix(text[at:], andThen) {
				end = at
			}
		}
		switch text[at] {
		case '(':
			depth++
		case ')':
			depth--
		}
	}
	return end
}

// unparted stands between a number and its unit.
const unparted = "\u00a0"

// sentence is a text up to its first semicolon that is in no parentheses.
func sentence(s string) string {
	depth := 0
	for i, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ';' && depth == 0:
			return s[:i]
		}
	}
	return s
}

// second leaves out all lines of a label but the first.
func second(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		seen := false
		return slices.DeleteFunc(slices.Clone(lines), func(l profile.AnswerLine) bool {
			again := l.Label == label && seen
			seen = seen || l.Label == label
			return again
		})
	}
}

func without(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		return slices.DeleteFunc(slices.Clone(lines), func(l profile.AnswerLine) bool { return l.Label == label })
	}
}

// unexplained leaves out of the lines of drives why they moved more than calls did.
func unexplained(lines []profile.AnswerLine) []profile.AnswerLine {
	lines = slices.Clone(lines)
	for _, i := range devices(lines) {
		lines[i].Text = explained.ReplaceAllString(lines[i].Text, "$1)")
	}
	return lines
}

// explained matches how many times as much a drive moved, and why.
var explained = regexp.MustCompile(`( \(×[0-9.]+), [^)]*\)`)

// devices are the lines of devices.
func devices(lines []profile.AnswerLine) (at []int) {
	for i := range lines {
		switch lines[i].Label {
		case Bottleneck, "", Operations, Longest, Time, Copied, Program, Pauses, Next, Note, Warning, Try, FindOut, WhatIf,
			More:
		default:
			at = append(at, i)
		}
	}
	return at
}

// lastDevice leaves out the line before what would help, if there are two devices.
func lastDevice(lines []profile.AnswerLine) []profile.AnswerLine {
	all := devices(lines)
	if len(all) < 2 {
		return lines
	}
	at := all[len(all)-1]
	return slices.Delete(slices.Clone(lines), at, at+1)
}
