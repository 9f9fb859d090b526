//go:build linux

package corpus

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/profile"
)

// Bounds of what is said first: rows of a terminal of 80 columns, and words. All of 164 kept recordings have 90 words
// at most; the names of a run, and how many parts its bar has, add some.
const (
	mostRows  = 10
	mostWords = 95
)

// told is a row about the recording itself: it stands beside the others.
var told = regexp.MustCompile(`were lost|^\s*Warnings\)\.$`)

// word has a letter or a digit; a number and its unit are one.
var (
	word     = regexp.MustCompile(`[\pL\pN]`)
	quantity = regexp.MustCompile(`([0-9]) (%|[kKMGTPE]?i?B\b|[nµm]?s\b)`)
)

// answered checks what is said of a recording first: that it fits, that the parts of the bar are all of the time, and
// that they begin with the cause that the bottleneck names.
func answered(t testing.TB, p *profile.Profile, file string) {
	t.Helper()
	out, err := exec.Command(binary, "show", file).Output()
	if err != nil {
		t.Fatalf("showing %s: %v", file, err)
	}
	first, _, _ := strings.Cut(string(out), "\n\n")
	rows, words := 0, 0
	for row := range strings.Lines(first) {
		row = strings.TrimRight(row, "\n")
		if utf8.RuneCountInString(row) > 80 {
			t.Errorf("a row of more than 80 columns: %q", row)
		}
		if told.MatchString(row) {
			continue
		}
		rows++
		for _, w := range strings.Fields(quantity.ReplaceAllString(row, "$1$2")) {
			if word.MatchString(w) {
				words++
			}
		}
	}
	if rows > mostRows || words > mostWords {
		t.Errorf("%d rows of %d words, want at most %d and %d:\n%s", rows, words, mostRows, mostWords, first)
	}
	barred(t, p)
}

// barred checks the bar beside the causes.
func barred(t testing.TB, p *profile.Profile) {
	t.Helper()
	total, sum := p.TimeStack.TotalNS, int64(0)
	if p.Operations != nil {
		total = p.Operations.TotalNS
	}
	for _, x := range p.Verdict.Bar {
		sum += x.TimeNS
	}
	if len(p.Verdict.Bar) > 0 && (sum != total || p.Verdict.Bar[0].Code != p.Verdict.Causes[0].Code) {
		t.Errorf("a bar of %d ns of %d: %+v, and the first cause is %s", sum, total, p.Verdict.Bar, p.Verdict.Causes[0].Code)
	}
}
