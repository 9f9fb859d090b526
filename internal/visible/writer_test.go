package visible

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// However text is cut into pieces, a Writer passes on what Lines makes of it.
func TestWriterIsLines(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\x1b[1;3mKJ0\n\t\u009b\u202e漢é"))),
		rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		var out bytes.Buffer
		w := NewWriter(&out)
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			if wrote, err := w.Write([]byte(rest[:n])); wrote != n || err != nil {
				t.Fatal(wrote, err)
			}
			rest = rest[n:]
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != Lines(s) {
			t.Fatalf("%q became %q, want %q", s, out.String(), Lines(s))
		}
	})
}

// Every byte is found, wherever it stands.
func TestWriterFindsEachByte(t *testing.T) {
	for c := range 256 {
		for at := range 20 {
			text := []byte("0123456789 abcdefghi")
			text[at] = byte(c)
			var out bytes.Buffer
			w := NewWriter(&out)
			_, err := w.Write(text)
			if err := errors.Join(err, w.Flush()); err != nil || out.String() != Lines(string(text)) {
				t.Fatalf("%q became %q, %v", text, out.String(), err)
			}
		}
	}
}

func TestWriterLetsOurInkThrough(t *testing.T) {
	const text = Strong + "a" + Plain + Alarm + "b" + Plain + "\x1b[1" + "\x1b[2J\x1b[5m\x1b]0;x\a" + Faint
	const want = Strong + "a" + Plain + Alarm + "b" + Plain + `\x1b[1` + `\x1b[2J\x1b[5m\x1b]0;x\a` + Faint
	for size := 1; size <= len(text); size++ {
		var out bytes.Buffer
		w := NewWriter(&out, Ink...)
		for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			if _, err := w.Write(rest[:min(size, len(rest))]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil || out.String() != want {
			t.Errorf("in pieces of %d: %q, want %q (%v)", size, out.String(), want, err)
		}
	}
}

func TestWriterTellsOfErrors(t *testing.T) {
	if n, err := NewWriter(broken{}).Write([]byte("x")); n != 0 || !errors.Is(err, errBroken) {
		t.Error(n, err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
