package answer

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/wording"
	"github.com/iotrace/iotrace/internal/visible"
)

// terminal is how wide one is; the command takes a row of it, of which the middle goes first.
const terminal = 80

// mostWords is how many words an answer has at best, those of the command included.
const mostWords = 90

// brief leaves out what matters least while there are more words than one reads at a glance: what says where there is
// more, then what follows a semicolon, then the requests of a drive, then what is beside the answer. It costs no drive.
func brief(lines []profile.AnswerLine, bar []profile.BarPart, command []string) []profile.AnswerLine {
	own := wordsIn(visible.Shorten(visible.Command(command), terminal))
	for _, least := range []func([]profile.AnswerLine) []profile.AnswerLine{
		without(More), shorten(Try), shorten(Next), withoutNames, shorten(Note), shorten(""), unexplained, plainDrive(1),
		plainDrive(0), without(Pauses), oneRow(Next), without(Next), withoutFaults, unbracketed(Program),
		unbracketed(Note), head, without(Note), without(WhatIf), unbracketed(Try),
	} {
		if own+words(lines, bar) <= mostWords {
			break
		}
		lines = least(lines)
	}
	return lines
}

// plainDrive keeps of a drive's line, the first or the second, what it moved and how busy it was.
func plainDrive(which int) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		lines = slices.Clone(lines)
		if at := devices(lines); which < len(at) {
			l := &lines[at[which]]
			if parts := strings.Split(l.Text, part); len(parts) > 2 {
				l.Text = parts[0] + part + parts[len(parts)-1]
			}
		}
		return lines
	}
}

// withoutFaults leaves out what page faults read, beside what calls moved.
func withoutFaults(lines []profile.AnswerLine) []profile.AnswerLine {
	return changed(lines, Program, func(text string) string {
		if at := strings.Index(text, part+"faults read "); at > 0 {
			return text[:at]
		}
		return text
	})
}

// withoutNames leaves out which calls on names there were, beside what calls moved.
func withoutNames(lines []profile.AnswerLine) []profile.AnswerLine {
	return changed(lines, Program, func(text string) string { return besideData.ReplaceAllString(text, "") })
}

// besideData matches calls on names behind what was moved.
var besideData = regexp.MustCompile(part + `[\d,]+ \w+ calls?( on [^·]*)?$`)

// unbracketed leaves out, of lines of a label, what stands in parentheses last.
func unbracketed(label string) func([]profile.AnswerLine) []profile.AnswerLine {
	return func(lines []profile.AnswerLine) []profile.AnswerLine {
		return changed(lines, label, func(text string) string {
			from := strings.LastIndex(text, " (")
			if from < 0 {
				return text
			}
			to := strings.IndexByte(text[from:], ')')
			return text[:from] + text[from+to+1:]
		})
	}
}

// head keeps, of what was seen of the first cause, what stands before its last colon.
func head(lines []profile.AnswerLine) []profile.AnswerLine {
	return changed(lines, "", func(text string) string {
		return text[:max(strings.LastIndex(text, ": "), 0)]
	})
}

// changed has the text of the lines of a label changed, unless nothing would be left.
func changed(lines []profile.AnswerLine, label string, by func(string) string) []profile.AnswerLine {
	lines = slices.Clone(lines)
	for i := range lines {
		if l := &lines[i]; l.Label == label {
			l.Text = cmp.Or(by(l.Text), l.Text)
		}
	}
	return lines
}

// words is how many words lines have with their labels, and a bar with its shares.
func words(lines []profile.AnswerLine, bar []profile.BarPart) (n int) {
	for _, l := range lines {
		n += wordsIn(l.Label) + wordsIn(l.Text)
	}
	for _, x := range bar {
		n += wordsIn(x.Name) + 1
	}
	return n
}

// A word has a letter or a digit; a number and its unit are one.
var word = regexp.MustCompile(`[\pL\pN]`)

func wordsIn(s string) (n int) {
	for w := range strings.FieldsSeq(wording.WithUnits(s, "")) {
		if word.MatchString(w) {
			n++
		}
	}
	return n
}
