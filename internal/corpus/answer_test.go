//go:build linux

package corpus

import (
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/visible"
	pages "github.com/iotrace/iotrace/report/page"
	"github.com/iotrace/iotrace/report/text"
)

// Bounds of what is said first: rows of a terminal of 80 columns, and words.
const (
	mostRows  = 10
	mostWords = 90
)

// word has a letter or a digit; a number and its unit are one.
var (
	word     = regexp.MustCompile(`[\pL\pN]`)
	quantity = regexp.MustCompile(`([0-9]) (%|[kKMGTPE]?i?B\b|[nµm]?s\b)`)
)

// answered checks what is said of a recording first: that it fits, that the parts of the bar are all of the time, and
// that they begin with the cause that the bottleneck names.
func answered(t testing.TB, p *profile.Profile) {
	t.Helper()
	var out strings.Builder
	if err := text.Profile(&out, p, text.Options{}); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(out.String(), "\n\n")
	rows, words := 0, 0
	for row := range strings.Lines(first) {
		row = strings.TrimRight(row, "\n")
		if utf8.RuneCountInString(row) > 80 {
			t.Errorf("a row of more than 80 columns: %q", row)
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
	numbered(t, p)
	agreed(t, p, out.String())
}

// barred checks the bar beside the causes.
func barred(t testing.TB, p *profile.Profile) {
	t.Helper()
	total, sum := p.TimeStack.TotalNS, int64(0)
	if p.Operations != nil {
		total = p.Operations.TotalNS
	}
	if p.Verdict.UntilReturn {
		total = p.TimeStack.WallNS
	}
	named := map[string]bool{}
	for _, x := range p.Verdict.Bar {
		if sum += x.TimeNS; named[x.Name] {
			t.Errorf("two parts of the bar are called %q: %+v", x.Name, p.Verdict.Bar)
		}
		named[x.Name] = true
	}
	for i := range p.Verdict.Causes {
		r := &p.Verdict.Causes[i]
		made := -r.TimeNS
		for _, x := range r.Parts {
			made += x.NS
		}
		if rounded := int64(len(p.TimeStack.Parts)); p.Path != nil && max(made, -made) > rounded {
			t.Errorf("%s takes %d ns, made of %d more: %+v", r.Code, r.TimeNS, made, r.Parts)
		}
	}
	if len(p.Verdict.Bar) > 0 && (sum != total || p.Verdict.Bar[0].Code != p.Verdict.Causes[0].Code) {
		t.Errorf("a bar of %d ns of %d: %+v, and the first cause is %s", sum, total, p.Verdict.Bar, p.Verdict.Causes[0].Code)
	}
}

// agreed checks that the first cause is the same in the lines, the bar, the table of the time and on the page.
func agreed(t testing.TB, p *profile.Profile, shown string) {
	t.Helper()
	if len(p.Verdict.Bar) == 0 {
		return
	}
	first := &p.Verdict.Causes[0]
	title, name := cause.Title(first.Code), visible.Text(first.Name)
	if l := &p.Verdict.Lines[0]; !strings.Contains(l.Text, title) && !strings.HasPrefix(l.Text, "none") {
		t.Errorf("the first cause is %q, and the first line %q", title, l.Text)
	}
	if p.Verdict.Bar[0].Name != first.Name {
		t.Errorf("the bar begins with %q, the first cause is %q", p.Verdict.Bar[0].Name, name)
	}
	if _, table, found := strings.Cut(shown, "\nWhere the time went"); found {
		row := strings.SplitN(table, "\n", 3)[1]
		if !strings.Contains(row, name) || !strings.Contains(row, "%") {
			t.Errorf("the table of the time begins with %q, the first cause is %q", row, name)
		}
	}
	var b strings.Builder
	if err := pages.Profile(&b, p); err != nil {
		t.Fatal(err)
	}
	for part, want := range map[string]string{
		`<div class="stackbar causes"[^>]*><span [^>]*title="([^"]*): [^:"]*"`: name,
		`(?s)<section id="time">.*?<tbody><tr><th scope="row">(.*?)</th>`:      name,
		`<p class="bottleneck">(.*)</p>`:                                       title,
	} {
		m := regexp.MustCompile(part).FindStringSubmatch(b.String())
		if m == nil {
			t.Errorf("the page has no %s", part)
			continue
		}
		text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], ""))
		if !strings.HasPrefix(strings.TrimPrefix(text, "Bottleneck: "), want) && !strings.Contains(text, "none:") &&
			!strings.Contains(text, "not known; perhaps "+want) {
			t.Errorf("the page begins with %q, the first cause is %q (%s)", text, want, title)
		}
	}
}
