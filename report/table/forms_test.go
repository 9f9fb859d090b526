package table

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iotrace/iotrace/internal/visible"
)

var steps = [][]string{
	{"step", "median", "95 %"}, {"read", "1.2 GB/s", "1.1 … 1.3"}, {"写入", "9 MB/s"}, {"a|b", "?", ""},
}

// All lines are as wide as the table, whatever is in the cells.
func TestLines(t *testing.T) {
	lines := Rows(true, steps...).Lines()
	if want := []string{"step  median    95 %     ", "read  1.2 GB/s  1.1 … 1.3", "写入  9 MB/s             ",
		"a|b   ?                  "}; !slices.Equal(lines, want) {
		t.Errorf("%q", lines)
	}
	if lines := Rows(false, steps...).Lines(); lines[2] != "写入    9 MB/s           " {
		t.Errorf("%q", lines[2])
	}
	if lines := Rows(false).Lines(); len(lines) > 0 {
		t.Errorf("a table of nothing: %q", lines)
	}
	if lines := Rows(true, []string{"", ""}, []string{"a", "b"}).Lines(); len(lines) != 1 {
		t.Errorf("a head without titles is no line: %q", lines)
	}
}

// Blocks repeat the first column, and hold each of the others once.
func TestBlocks(t *testing.T) {
	var b strings.Builder
	Rows(false, steps...).Blocks(&b, 18)
	for line := range strings.Lines(b.String()) {
		if n := visible.Width(strings.TrimSuffix(line, "\n")); n > 18 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for text, want := range map[string]int{"read": 2, "1.2 GB/s": 1, "1.1 … 1.3": 1, "\n\n": 2} {
		if n := strings.Count(b.String(), text); n != want {
			t.Errorf("%q stands there %d times:\n%s", text, n, b.String())
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	Rows(true, steps...).Markdown(&b)
	want := "| step | median | 95 % |\n|---|---:|---:|\n| read | 1.2 GB/s | 1.1 … 1.3 |\n" +
		"| 写入 | 9 MB/s |  |\n| a\\|b | ? |  |\n"
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	b.Reset()
	if (&Table{}).Markdown(&b); b.Len() > 0 {
		t.Errorf("a table of nothing: %q", b.String())
	}
}

func FuzzForms(f *testing.F) {
	f.Add("a", "b\n|", "=1+1", 20)
	f.Fuzz(func(t *testing.T, a, b, c string, width int) {
		table := Rows(false, []string{visible.Line(a), ""}, []string{visible.Line(b), visible.Line(c)})
		var text, markdown strings.Builder
		table.Blocks(&text, width)
		if table.Markdown(&markdown); strings.Count(markdown.String(), "\n") != 3 {
			t.Errorf("not three lines: %q", markdown.String())
		}
		lines := table.Lines()
		for _, line := range lines {
			if visible.Width(line) != visible.Width(lines[0]) {
				t.Errorf("not straight: %q", lines)
			}
		}
		if !utf8.ValidString(text.String()) {
			t.Errorf("%q", text.String())
		}
	})
}
