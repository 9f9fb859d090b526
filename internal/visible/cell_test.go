package visible

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCSV(t *testing.T) {
	for in, want := range map[string]string{
		"cp": "cp", "": "", "a=b": "a=b", "a;b": "a;b", "5": "5", "/mnt/a": "/mnt/a",
		"=1+2": "'=1+2", "+1": "'+1", "-1": "-1", "-1.5e-07": "-1.5e-07", "-1+2": "'-1+2", "-": "'-",
		"-1e+-2": "'-1e+-2", "- 1": "'- 1", "@SUM(A1)": "'@SUM(A1)", " =1": "' =1", "＝1": "'＝1", `"=1`: `'"=1`,
		"'=1": "''=1", "'": "''", "a;=1": "a;'=1", ";;@x": ";;'@x", "a; -1": "a;' -1", "a;-1": "a;-1",
		"\t=1": `\t=1`, "\x1b]0;=1\a": `\x1b]0;'=1\a`, "a\nb": `a\nb`, `a\b`: `a\\b`, "\r=1": `\r=1`,
	} {
		if got := CSV(in); got != want {
			t.Errorf("CSV(%q) = %q, want %q", in, got, want)
		}
	}
}

// What a spreadsheet makes of a cell is never a formula, wherever it divides it, and two texts stay two.
func TestCSVIsTextAndUnique(t *testing.T) {
	text := rapid.StringOf(rapid.RuneFrom([]rune("=+-@;'\" \t\nab＝\\")))
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		for _, cell := range strings.Split(CSV(a), ";") {
			if c := strings.TrimLeft(cell, " \""); c != "" && strings.ContainsAny(c[:1], "=+-@") || strings.HasPrefix(c, "＝") {
				t.Fatalf("%q became %q, which has a formula", a, CSV(a))
			}
		}
		if a != b && CSV(a) == CSV(b) {
			t.Fatalf("%q and %q are both %q", a, b, CSV(a))
		}
	})
}

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"/mnt/usb": "/mnt/usb", "seq1m-qd8": "seq1m-qd8", "a|b": `a\|b`, "<img src=x>": "&lt;img src=x&gt;",
		"&lt;": "&amp;lt;",
		"`a`":  "\\`a\\`", "[a](b)": `\[a\](b)`, "*a*_b_": `\*a\*\_b\_`, "a\nb": `a\\nb`, "\x1b": `\\x1b`,
		"https://a": `https:\/\/a`,
	} {
		if got := Markdown(in); got != want {
			t.Errorf("Markdown(%q) = %q, want %q", in, got, want)
		}
	}
}
