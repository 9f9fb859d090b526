package main

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/internal/docs"
)

// What pages show of recordings in the tree is what `show` prints of them.
func TestSamples(t *testing.T) {
	for _, s := range []struct{ page, before, recording, after string }{
		{"README.md", "    $ sudo iotrace record -- cp demo/file demo/to/\n", "docs/images/copy.iotrace", "\nTables of"},
		{"docs/commands.md", "`iotrace show testdata/cp.iotrace`, a copy of 16 MiB with cold caches on a virtual machine's " +
			"disk:\n\n", "testdata/cp.iotrace", "\nFor servers"},
	} {
		shown := string(printed(t, "show", "../../"+s.recording))
		answer, rest, _ := strings.Cut(shown, "\n\n")
		sample := answer + "\n"
		if s.page != "README.md" { // there with the first table
			table, _, _ := strings.Cut(rest, "\n\n")
			sample += "\n" + table + "\n"
		}
		docs.Check(t, "../../"+s.page, s.before, s.after, indented(sample), *update)
	}
}

// indented is text as a block of code of Markdown.
func indented(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if l != "" && l != "\n" {
			lines[i] = "    " + l
		}
	}
	return strings.Join(lines, "")
}
