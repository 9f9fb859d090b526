package page

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// contexts are where texts stand in pages, each with what html/template makes of it.
var contexts = []struct {
	name, template string
	made           func(s string) markup
}{
	{"text", `<p>{{.}}</p>`, paragraph},
	{"title of a page", `<title>{{.}}</title>`, func(s string) markup { return join(`<title>`, text(s), `</title>`) }},
	{"attribute", `<li title="{{.}}"><b>{{.}}</b></li>`,
		func(s string) markup { return join(`<li title="`, text(s), `"><b>`, text(s), `</b></li>`) }},
	{"name of a chart", `<div aria-label="{{.}}" data-v="{{.}}"></div>`,
		func(s string) markup { return join(`<div aria-label="`, text(s), `" data-v="`, text(s), `"></div>`) }},
	{"title in a picture", `<svg><g class="f-{{.}}"><title>{{.}}</title></g></svg>`,
		func(s string) markup {
			return join(`<svg><g class="f-`, text(s), `"><title>`, text(s), `</title></g></svg>`)
		}},
}

// Whatever was recorded stands in a page as html/template would write it.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", `<script>alert("'&'")</script>`, "a+b\x00\xff\xfe", "&amp;&#34;",
		"\u2028é\u00a0", "javascript:x", "</title><b>", "{{.}}"} {
		f.Add(s)
	}
	var oracles []*template.Template
	for _, c := range contexts {
		oracles = append(oracles, template.Must(template.New(c.name).Parse(c.template)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		for i, c := range contexts {
			var want bytes.Buffer
			if err := oracles[i].Execute(&want, s); err != nil {
				t.Fatal(err)
			}
			if got := c.made(s); string(got) != want.String() {
				t.Errorf("%s of %q: %s; want %s", c.name, s, got, want.String())
			}
		}
	})
}

// A text ends nothing and begins nothing, whatever characters it is of.
func TestTextEndsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("<>\"'&+;#=/ \x00a�"))).Draw(t, "text")
		if m := string(text(s)); strings.ContainsAny(m, "<>\"'+\x00") {
			t.Errorf("%q is %q", s, m)
		}
	})
}

// Parts that depend on something are there with it alone.
func TestParts(t *testing.T) {
	for got, want := range map[markup]markup{
		when(true, "<b>"): "<b>", when(false, "<b>"): "", either(true, "a", "b"): "a", either(false, "a", "b"): "b",
		given("<i>", "<", "</i>"): "<i>&lt;</i>", given("<i>", "", "</i>"): "", join("a", digits(-3), "b"): "a-3b",
		each([]string{"<", "&"}, item): "<li>&lt;</li><li>&amp;</li>", mark(""): "", pieces(nil): "",
		mark("!3,5"): ` <a class="mark" href="#w3">!3,5</a>`, mark("!"): ` <a class="mark" href="#w">!</a>`,
	} {
		if got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
