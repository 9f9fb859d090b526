package answer

import (
	"slices"
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// An answer has so many lines, of so many columns behind the labels on a terminal of 80. The command is the first of
// them.
const (
	mostLines = 10
	columns   = 67
	own       = 1 // the command
)

// fit leaves out what matters least until the lines fit: second sentences, where there is more, the simulation, the
// second device.
func fit(lines []profile.AnswerLine, bar bool) []profile.AnswerLine {
	room := mostLines - own
	if bar {
		room--
	}
	for _, least := range []func([]profile.AnswerLine) []profile.AnswerLine{
		shortHelp, shortDetail, shortNote, without(More), second(Operations), without(WhatIf), lastDevice, oneRow(Note),
		oneRow(""), oneRow(Try), oneRow(Copied),
	} {
		if rows(lines) <= room {
			break
		}
		lines = least(lines)
	}
	return lines
}

// rows is how many rows of a terminal lines take.
func rows(lines []profile.AnswerLine) (n int) {
	for _, l := range lines {
		n += 1 + (utf8.RuneCountInString(l.Text)-1)/columns
	}
	return n
}

// shortHelp keeps what stands before the first semicolon of what would help.
func shortHelp(lines []profile.AnswerLine) []profile.AnswerLine {
	return shorten(lines, func(l *profile.AnswerLine) bool { return l.Label == Try })
}

// shortDetail does so of what was seen of the first cause.
func shortDetail(lines []profile.AnswerLine) []profile.AnswerLine {
	return shorten(lines, func(l *profile.AnswerLine) bool { return l.Label == "" })
}

// shortNote does so of a kind of work.
func shortNote(lines []profile.AnswerLine) []profile.AnswerLine {
	return shorten(lines, func(l *profile.AnswerLine) bool { return l.Label == Note })
}

func shorten(lines []profile.AnswerLine, of func(*profile.AnswerLine) bool) []profile.AnswerLine {
	lines = slices.Clone(lines)
	for i := range lines {
		if l := &lines[i]; of(l) {
			l.Text = sentence(l.Text)
		}
	}
	return lines
}

// oneRow cuts lines of a label so that they take one row.
func oneRow(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		lines = slices.Clone(lines)
		for i := range lines {
			if l := &lines[i]; l.Label == label && utf8.RuneCountInString(l.Text) > columns {
				l.Text = string([]rune(l.Text)[:columns-1]) + "…"
			}
		}
		return lines
	}
}

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

// lastDevice leaves out the line before what would help, if there are two devices.
func lastDevice(lines []profile.AnswerLine) []profile.AnswerLine {
	var devices []int
	for i := range lines {
		switch lines[i].Label {
		case Bottleneck, "", Operations, Longest, Time, Copied, Program, Pauses, Note, Try, FindOut, WhatIf, More:
		default:
			devices = append(devices, i)
		}
	}
	if len(devices) < 2 {
		return lines
	}
	at := devices[len(devices)-1]
	return slices.Delete(slices.Clone(lines), at, at+1)
}
