package docs

// This file keeps the measurements of each kind of machine in a separate part of a page, because kinds differ by more
// than the measured effects.

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// PutMachine writes what was measured on a kind of machine into a page, in the place of what was measured on that kind
// before, else behind the parts of the others. All else in the page, which has to have a part, is written by hand.
func PutMachine(file, machine, text string) error {
	return rewrite(file, func(page string) (string, error) { return putMachine(page, machine, text) })
}

// PutSections writes the sections ("### ") of a text into the part of a kind of machine: each in the place of the one
// that has the same heading, or behind the others, which stay. What stands before the first section is replaced too.
// But if only some were measured, at another time than the rest, it stays, and each of them begins with when. A kind
// without a part gets the text.
func PutSections(file, machine, text, when string) error {
	return rewrite(file, func(page string) (string, error) { return putSections(page, machine, text, when) })
}

func rewrite(file string, change func(page string) (string, error)) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := change(string(old))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func marks(machine string) (begin, end string) {
	return "<!-- measured on " + machine + " -->\n", "<!-- end of " + machine + " -->\n"
}

func putSections(page, machine, text, when string) (string, error) {
	begin, end := marks(machine)
	_, old, _, err := Part(page, begin, end)
	if err != nil {
		return putMachine(page, machine, text)
	}
	sections, measured := sectionsOf(old), sectionsOf(text)
	if when == "" {
		sections[0] = measured[0]
	}
	for _, s := range measured[1:] {
		heading, rest, _ := strings.Cut(s, "\n")
		if when != "" {
			s = heading + "\n\n" + when + "\n" + rest
		}
		i := slices.IndexFunc(sections, func(old string) bool { return strings.HasPrefix(old, heading+"\n") })
		if i > 0 {
			sections[i] = s
		} else {
			sections = append(sections, s)
		}
	}
	return Put(page, begin, end, strings.Join(sections, sectionMark))
}

// sectionMark begins a section.
const sectionMark = "\n### "

// sectionsOf are the beginning of a part, which is in none, and its sections without their marks.
func sectionsOf(part string) []string { return strings.Split(part, sectionMark) }

func putMachine(page, machine, text string) (string, error) {
	begin, end := marks(machine)
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
