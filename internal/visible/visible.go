// Package visible makes text safe to show. Names of files, devices, commands
// and directories are chosen by others. On a terminal they could move the
// cursor, change what is already there or run commands in a weak emulator.
// Whatever is printed goes through here.
package visible

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a name in a form that is safe on a terminal and on a page:
// control characters, invalid UTF-8 and characters that reorder or hide text
// are written as Go escapes (\n, \x1b, \u202e), and a backslash is doubled so
// that two different names never look the same. Paths of Windows, which are
// full of backslashes, stay as they are if they need no escape, and whatever
// else would then look like one begins with an escape.
func Text(name string) string {
	if plain(name, `\`) || windows(name) && escape(name, printable) == name {
		return name
	}
	text := escape(name, func(r rune) bool { return r != '\\' && printable(r) })
	if windows(text) {
		return fmt.Sprintf(`\x%02x%s`, text[0], text[1:])
	}
	return text
}

func printable(r rune) bool { return r == ' ' || unicode.IsPrint(r) }

// windows says that a name is a path of Windows, or looks like one: C:\x, \\server\x, or as its kernel has it.
func windows(name string) bool {
	if strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, `\Device\`) || strings.HasPrefix(name, `\??\`) {
		return true
	}
	if len(name) < 3 || name[1:3] != `:\` {
		return false
	}
	drive := name[0] | 0x20
	return drive >= 'a' && drive <= 'z'
}

// Lines returns text of several lines, such as a message with names in it, with
// line feeds and tabs as they are and the rest as Text has it. A backslash is
// kept: what is in such a text was often quoted before.
func Lines(text string) string {
	if plain(text, "") {
		return text
	}
	return escape(text, func(r rune) bool { return r == '\n' || r == '\t' || printable(r) })
}

// plain is true for ASCII without control characters, and without any of except.
func plain(s, except string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c >= 0x7f || strings.IndexByte(except, c) >= 0 {
			return false
		}
	}
	return true
}

func escape(s string, keep func(rune) bool) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteString(`\x`)
			b.WriteString(strconv.FormatUint(uint64(s[0])|0x100, 16)[1:])
		case r == '\\' && !keep(r):
			b.WriteString(`\\`)
		case keep(r):
			b.WriteRune(r)
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String()
}

// AppendJSON appends encoded JSON with escapes for what is not printable, which
// outside ASCII can only stand within strings.
func AppendJSON(out, text []byte) []byte {
	for len(text) > 0 {
		if n := ascii(text); n > 0 { // most of it
			out, text = append(out, text[:n]...), text[n:]
			continue
		}
		r, n := utf8.DecodeRune(text)
		switch {
		case r < 0x7f, unicode.IsPrint(r):
			out = append(out, text[:n]...)
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
		text = text[n:]
	}
	return out
}

// ascii is how many bytes from the first on are ASCII that AppendJSON keeps.
func ascii(text []byte) int {
	for i, c := range text {
		if c >= 0x7f {
			return i
		}
	}
	return len(text)
}
