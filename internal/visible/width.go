package visible

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Width is the number of terminal columns s takes. It knows wide characters
// of East Asian scripts, emoji and combining marks, which is enough to keep
// tables straight; s has passed through printable.
func Width(s string) int {
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

// Arrow stands between the two names of a copy.
const Arrow = " → "

// Shorten cuts a printable name to at most width columns. The end of a path
// says more than its beginning, so the middle goes: "/home/…/part-0001.bin", and
// "/home/…/base/" of a directory.
func Shorten(s string, width int) string {
	if Width(s) <= width {
		return s
	}
	if width <= 1 {
		return "…"
	}
	if from, to, pair := strings.Cut(s, Arrow); pair && width > 2*len(Arrow) {
		if at := shared(from, to); at > 0 && path.Base(from) == path.Base(to) {
			// Of one name in two directories only what comes behind those that they share tells which is which.
			from, to = "…"+from[at:], "…"+to[at:]
		}
		room := width - Width(Arrow)
		from = Shorten(from, max(room/2, room-Width(to))) // a short side leaves its room to the other
		return from + Arrow + Shorten(to, room-Width(from))
	}
	head := (width - 1) / 3
	if i := strings.LastIndexByte(strings.TrimSuffix(s, "/"), '/'); i > 0 && Width(s[i:]) < width {
		head = width - 1 - Width(s[i:])
	}
	return Left(s, head) + "…" + right(s, width-1-Width(Left(s, head)))
}

// shared is how long the directories are in which two paths begin alike, without the last slash.
func shared(a, b string) (n int) {
	for i := 0; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i
		}
	}
	return n
}

// Left returns the longest beginning of s that takes at most width columns.
func Left(s string, width int) string {
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
