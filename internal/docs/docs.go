// Package docs keeps the parts of pages that programs and tests write. They stand between two marks. They hold what was
// measured on a kind of machine, or what is taken from the comments of types. It is a package of its own because tests
// of many packages write such parts.
package docs

import (
	"fmt"
	"os"
	"strings"

	"github.com/iotrace/iotrace/internal/visible"
)

// Part is what stands between two marks of a page, which are lines.
func Part(page, begin, end string) (before, part, after string, err error) {
	before, rest, found := strings.Cut(page, begin)
	part, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", "", "", fmt.Errorf("the marks %q and %q are missing", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before, part, after, nil
}

// Put replaces what stands between two marks.
func Put(page, begin, end, part string) (string, error) {
	before, _, after, err := Part(page, begin, end)
	if err != nil {
		return "", err
	}
	return before + begin + part + end + after, nil
}

// Reporter is a *testing.T.
type Reporter interface {
	Helper()
	Fatal(...any)
	Errorf(string, ...any)
}

// Check is for the tests that hold a part of a page to what the program has: it writes the part if update is set, and
// reports one that differs. A page without marks is written as a whole.
func Check(t Reporter, file, begin, end, part string, update bool) {
	t.Helper()
	old, err := os.ReadFile(file)
	want := part
	if begin != "" && err == nil {
		want, err = Put(string(old), begin, end, part)
	}
	if update && (err == nil || os.IsNotExist(err)) {
		err = os.WriteFile(file, []byte(want), 0o644)
		old = []byte(want)
	}
	if err != nil {
		t.Fatal(file, err)
	}
	if string(old) != want {
		t.Errorf("%s is not as the program has it: run this test with -update, and look at the difference\n%s",
			file, difference(string(old), want))
	}
}

// difference is the first line that differs.
func difference(old, want string) string {
	is, shall := strings.Split(old, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(shall)) {
		if is[i] != shall[i] {
			return fmt.Sprintf("line %d is\n%s\nand should be\n%s", i+1, is[i], shall[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(is), len(shall))
}

// Cell is a text as a cell of a table of Markdown has it.
func Cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// Wrap breaks a text into lines of at most so many characters.
func Wrap(text string, width int) string { return strings.Join(visible.Wrap(text, width), "\n") }
