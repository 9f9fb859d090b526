package visible

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain.txt":     "plain.txt",
		"naïve 写真":      "naïve 写真",
		"a\nb\tc":       `a\nb\tc`,
		"\x1b[31m":      `\x1b[31m`,
		"\x9b31m":       `\x9b31m`,
		"\u009b31m":     `\u009b31m`,
		"a\\nb":         `a\\nb`,
		"bad\xff\xc3":   `bad\xff\xc3`,
		"\u202egnp.exe": `\u202egnp.exe`,
		"zero\u200b":    `zero\u200b`,
		"\ufffd":        "\ufffd",
		"nul\x00":       `nul\x00`,

		`C:\Users\né`: `C:\Users\né`, `\\server\x`: `\\server\x`, `\Device\x`: `\Device\x`,
		`\??\C:\x`: `\??\C:\x`, `C:x\y`: `C:x\\y`,
		"C:\n": `\x43:\n`, "C:\\\n": `\x43:\\\n`, `\n`: `\x5c\n`, "\\\\\n": `\x5c\\\\n`, "c:\\\u202e": `\x63:\\\u202e`,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestPrintableIsSafeAndUnique checks what every writer relies on: the result
// can be printed, and no two names look the same.
func TestPrintableIsSafeAndUnique(t *testing.T) {
	name := rapid.OneOf(rapid.String(), rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOf(rapid.Byte()).Draw(t,
			"bytes"))
	}), rapid.StringOf(rapid.RuneFrom([]rune("C:\\\nnx435cD?"))))
	rapid.Check(t, func(t *rapid.T) {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		for _, r := range Text(a) {
			if !unicode.IsPrint(r) {
				t.Fatalf("%q holds %U", Text(a), r)
			}
		}
		if a != b && Text(a) == Text(b) {
			t.Fatalf("%q and %q are both %q", a, b, Text(a))
		}
	})
}

func TestShortenFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Text(rapid.String().Draw(t, "name"))
		width := rapid.IntRange(1, 40).Draw(t, "width")
		got := Shorten(s, width)
		if Width(got) > width {
			t.Fatalf("Shorten(%q, %d) = %q takes %d columns", s, width, got, Width(got))
		}
		if Width(s) <= width && got != s {
			t.Fatalf("%q was cut although it fits %d columns", s, width)
		}
	})
	if got := Shorten("/home/mia/very/long/way/to/the/file.bin", 20); !strings.HasSuffix(got, "/file.bin") {
		t.Errorf("the name of the file was cut: %s", got)
	}
	if got := Shorten("/var/tmp/pg/data/base/4/", 14); got != "/var/tmp/p…/4/" {
		t.Errorf("the name of the directory was cut: %s", got)
	}
	for pair, want := range map[string]string{
		"/home/mia/big.gguf → /home/mia/usb/big.gguf": "…/big.gguf → …/usb/big.gguf",
		"/home/mia/a/big.gguf → /srv/b/big.gguf":      "/home/mi…/big.gguf → /srv/b/big.gguf",
		"/home/mia/old/big.gguf → /home/mia/new.gguf": "/home/…/big.gguf → /home/m…/new.gguf",
	} {
		if got := Shorten(pair, 36); got != want {
			t.Errorf("%s became %s, want %s", pair, got, want)
		}
	}
}

func TestShellWord(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "a\nb": `$'a\nb'`,
		"q'\x01": `$'q\'\x01'`,
	} {
		if got := shellWord(in); got != want {
			t.Errorf("shellWord(%q) = %s, want %s", in, got, want)
		}
	}
}
