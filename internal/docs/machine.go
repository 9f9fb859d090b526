package docs

// This file keeps the measurements of each kind of machine in a separate part of a page, because kinds differ by more
// than the measured effects.

import (
	"fmt"
	"os"
	"strings"
)

// PutMachine writes what was measured on a kind of machine into a page, in the place of what was measured on that kind
// before, else behind the parts of the others. All else in the page, which has to have a part, is written by hand.
func PutMachine(file, machine, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := putMachine(string(old), machine, text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func putMachine(page, machine, text string) (string, error) {
	begin, end := "<!-- measured on "+machine+" -->\n", "<!-- end of "+machine+" -->\n"
	if strings.Contains(page, begin) {
		return Put(page, begin, end, text)
	}
	last := strings.LastIndex(page, "<!-- end of ")
	if last < 0 {
		return "", fmt.Errorf("no part of a machine: neither %q nor that of another", strings.TrimSpace(begin))
	}
	last += strings.Index(page[last:], "\n") + 1
	return page[:last] + "\n" + begin + text + end + page[last:], nil
}
