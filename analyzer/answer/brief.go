package answer

import (
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
		without(More), shorten(Try), shorten(Next), shorten(Note), shorten(""), unexplained, plainDrive(1), plainDrive(0),
		without(Pauses), oneRow(Next), without(Next), without(Note), without(WhatIf),
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
