package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/iotrace/iotrace/internal/visible"
)

// printable is a name as it may be shown. File, device, command and model names
// come from the traced machine; nothing may be printed without passing through
// here.
func printable(name string) string { return visible.Text(name) }

// cells is the number of terminal columns s takes. It knows wide characters
// of East Asian scripts, emoji and combining marks, which is enough to keep
// tables straight; s has passed through printable.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
		return 0
	case r >= 0x1100 && r <= 0x115f, // Hangul initial consonants
		r >= 0x2e80 && r <= 0xa4cf,   // CJK radicals to Yi
		r >= 0xac00 && r <= 0xd7a3,   // Hangul syllables
		r >= 0xf900 && r <= 0xfaff,   // CJK compatibility
		r >= 0xfe30 && r <= 0xfe6f,   // CJK forms
		r >= 0xff00 && r <= 0xff60,   // full-width forms
		r >= 0xffe0 && r <= 0xffe6,   // full-width signs
		r >= 0x1f300 && r <= 0x1faff, // pictographs
		r >= 0x20000 && r <= 0x3fffd: // CJK extensions
		return 2
	}
	return 1
}

// arrow stands between the two names of a copy.
const arrow = " → "

// shorten cuts a printable name to at most width columns. The end of a path
// says more than its beginning, so the middle goes: "/home/…/part-0001.bin".
func shorten(s string, width int) string {
	if cells(s) <= width {
		return s
	}
	if width <= 1 {
		return "…"
	}
	if from, to, pair := strings.Cut(s, arrow); pair && width > 2*len(arrow) {
		room := width - cells(arrow)
		half := max(room/2, room-cells(to)) // a short side leaves its room to the other
		from = shorten(from, half)
		return from + arrow + shorten(to, room-cells(from))
	}
	head := (width - 1) / 3
	if i := strings.LastIndexByte(s, '/'); i > 0 && cells(s[i:]) < width {
		head = width - 1 - cells(s[i:])
	}
	return left(s, head) + "…" + right(s, width-1-cells(left(s, head)))
}

// left returns the longest beginning of s that takes at most width columns.
func left(s string, width int) string {
	for i, r := range s {
		if width -= runeCells(r); width < 0 {
			return s[:i]
		}
	}
	return s
}

// right returns the longest end of s that takes at most width columns.
func right(s string, width int) string {
	i := len(s)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:i])
		if width -= runeCells(r); width < 0 {
			break
		}
		i -= n
	}
	return s[i:]
}

// commandLine joins the words of a command as a shell would need them.
func commandLine(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = shellWord(a)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word where a shell would need it. A word with characters
// that cannot be printed becomes $'…', which bash and zsh read back.
func shellWord(w string) string {
	if p := printable(w); p != w {
		return "$'" + strings.ReplaceAll(p, "'", `\'`) + "'"
	}
	if w == "" || strings.ContainsAny(w, " \"'$`&|;<>()*?[]{}~#!") {
		return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return w
}
