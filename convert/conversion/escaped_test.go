package conversion

import (
	"bufio"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/formats"
)

// shownByPages is a log whose data has what pages escape, and what looks like an escape.
const shownByPages = "100 1700000000.000100 openat(AT_FDCWD</d>, \"/d/a&amp;b\", O_RDONLY) = -1 ENOENT (No such file) <0.000012>\n" +
	"100 1700000000.000200 read(3</d/f>, \"<p class='x'>1 &lt; 2 && &quot;3\\\"\"..., 4096) = 4096 <0.000050>\n" +
	"100 1700000000.000300 write(4</d/g>, \"R&D; &notit; 1 > 0\", 17 <unfinished ...>\n" +
	"100 1700000000.000400 <... write resumed>) = 17 <0.000020>\n" +
	"100 1700000000.000500 wait4(-1, [{WIFEXITED(s) && WEXITSTATUS(s) == 0}], 0, NULL) = 101 <0.000001>\n"

// withoutTimes is what strace prints without any flag.
const withoutTimes = "openat(AT_FDCWD, \"/d/a&lt;b\", O_RDONLY) = 3\nread(3, \"&lt;p&gt; &amp;\"..., 4096) = 4096\nclose(3) = 0\n"

// asRead is a text as it is imported.
func asRead(t *testing.T, text string) string {
	t.Helper()
	got, err := io.ReadAll(unpasted(bufio.NewReaderSize(strings.NewReader(text), 64<<10)))
	if err != nil {
		t.Fatal(err)
	}
	return string(got)
}

// A log from the source of a page is the one that the page shows, whatever its author escaped and however often.
func TestEscaped(t *testing.T) {
	brackets := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	words := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;", " ", "&nbsp;")
	long := shownByPages + "100 1700000000.000600 write(4</d/g>, \"" + strings.Repeat("<&\"'>x", 40_000) + "\", 9) = 9 <0.000020>\n"
	for name, escape := range map[string]func(string) string{
		"all": html.EscapeString, "brackets": brackets.Replace, "words": words.Replace,
		"twice":              func(s string) string { return html.EscapeString(html.EscapeString(s)) },
		"brackets, then all": func(s string) string { return html.EscapeString(brackets.Replace(s)) },
		"quoted in a page":   func(s string) string { return html.EscapeString(each("> ", s)) },
		"a page in a quote":  func(s string) string { return each("> ", html.EscapeString(s)) },
		"numbered in a page": func(s string) string { return html.EscapeString(counting("%6d\t", s)) },
	} {
		for _, want := range []string{shownByPages, long, long[:len(long)-1]} {
			if got := strings.TrimSuffix(asRead(t, escape(want)), "\n"); got != strings.TrimSuffix(want, "\n") {
				t.Errorf("%s: %.900q\nwant %.900q", name, got, want)
			}
		}
	}
	if got := asRead(t, html.EscapeString(withoutTimes)); got != withoutTimes {
		t.Errorf("%q, want %q", got, withoutTimes)
	}
	// A page whose author escapes "<" alone: the rest is data.
	if got := asRead(t, strings.ReplaceAll(shownByPages, "<", "&lt;")); strings.Count(got, "<0.0000") != 4 ||
		!strings.Contains(got, `"/d/a&amp;b"`) || !strings.Contains(got, `&quot;3\"`) {
		t.Errorf("%q", got)
	}
	plain, page := counted(t, shownByPages), counted(t, html.EscapeString(shownByPages))
	if plain.Calls != 3 || plain.Summary() != page.Summary() {
		t.Errorf("%s\n%s", plain.Summary(), page.Summary())
	}
}

// counted imports a text in the format that it is found in.
func counted(t *testing.T, content string) *Result {
	t.Helper()
	in, err := Open([]string{"-"}, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	i, err := in.Recognize(formats.Importers)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Import(io.Discard, i, in, "a test")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A log whose data are of pages stays as it is.
func TestNotEscaped(t *testing.T) {
	for _, text := range []string{
		shownByPages, withoutTimes, // strings of a program, with brackets around times and without
		"1 read(3, \"&lt;p&gt; 1 &lt; 2\\\" &lt;\"..., 4096) = 4096\n1 write(1, \"a &amp;&amp; &quot;b\", 9) = 9\n",
		"10:15:30.123456  open              /d/a&lt;b&gt;.html                   0.000012   cat.77\n" +
			"10:15:30.123457  open              /d/index.html?a=1&amp;b=&quot;2  0.000012   cat.77\n",
		"{\"path\": \"/d/1 &lt; 2\"}\n{\"path\": \"&quot;\"}\n",
		"<row><path fmt=\"a &amp;&amp; b\"/>&lt;1&gt; </row>\n",
		"a &lt;\x00", "a &lt;", // no whole line
	} {
		if got := asRead(t, text); got != text && text != "a &lt;" {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Whatever is in a log, it is the same from the source of a page.
func FuzzEscaped(f *testing.F) {
	f.Add("2 close(3) = 0\n")
	f.Add("&amp;lt; &#39; &#x3C; &nbsp; &notit; &lt\n> \"")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ReplaceAll(text, "\x00", "") // of no text
		log := "1 read(3</a>, \"\", 1) = 0 <0.000001>\n" + text
		if got, want := asRead(t, html.EscapeString(log)), asRead(t, log); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
