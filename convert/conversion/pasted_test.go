package conversion

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert/formats"
)

// each puts a prefix before every line.
func each(prefix, text string) string {
	return prefix + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+prefix) + "\n"
}

// counting puts a number before every line.
func counting(format, text string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		fmt.Fprintf(&b, format+"%s", n, line)
	}
	return b.String()
}

// TestPasted: a log that was quoted, indented, numbered, coloured or sent through a system log is that log.
func TestPasted(t *testing.T) {
	const ofDay = "10:15:30.123456 close(3) = 0\n11:15:30.123457 close(4) = 0\n"
	long := log + strings.Repeat("x", 200<<10) + "\ny\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":                 {log, log},
		"quoted":                  {each("> ", log), log},
		"quoted twice":            {each("> > ", log), log},
		"a tab":                   {each("\t", log), log},
		"a comment":               {each("# ", log), log},
		"a comment of C":          {each("//", log), log},
		"an indented comment":     {each("\t// ", log), log},
		"comments above it":       {"# of ftrace\n# more\n" + log, "# of ftrace\n# more\n" + log},
		"quoted and a tab":        {each("> \t", log), log},
		"system log":              {each("Nov 27 10:00:00 host strace[55]: ", log), log},
		"journal":                 {each("2026-11-27T10:00:00.123456+01:00 host strace[55]: ", log), log},
		"docker compose":          {each("app-1  | ", log), log},
		"docker logs -t":          {each("2026-11-27T10:00:00.123456789Z ", log), log},
		"both":                    {each("app-1  | 2026-11-27T10:00:00.123456789Z ", log), log},
		"colours":                 {each("\x1b[32m", log), log},
		"colours of a quote":      {each("\x1b[32m> \x1b[0m", log), log},
		"cat -n":                  {counting("%6d\t", log), log},
		"cat -n, quoted":          {each("> ", counting("%6d\t", log)), log},
		"grep -n":                 {"9:" + strings.Replace(log, "\n", "\n120:", 1), log},
		"grep -n of times":        {"9:" + strings.Replace(ofDay, "\n", "\n12:", 1), ofDay},
		"a long line, numbered":   {counting("%6d\t", long), long},
		"numbers of processes":    {"100\ta\n100\tb\n", "100\ta\n100\tb\n"},
		"numbers that go back":    {"2:a\n3:b\n1:c\n", "2:a\n3:b\n1:c\n"},
		"numbers of some lines":   {"1:a\n2:b\nc\n", "1:a\n2:b\nc\n"},
		"hours":                   {"09:59:59 a\n10:00:00 b\n", "09:59:59 a\n10:00:00 b\n"},
		"hours and fractions":     {ofDay, ofDay},
		"all but the first":       {"a\n\tb\n\tc\n", "a\n\tb\n\tc\n"},
		"some lines":              {log + "> more\n", log + "> more\n"},
		"a long line":             {each("> ", long), long},
		"zeros":                   {"\x00> \n> ", "\x00> \n> "},
		"one line":                {"> a\n", "> a\n"},
		"empty lines in a quote":  {each("> ", log) + "\n" + each("> ", log), log + "\n" + log},
		"a line that is none yet": {each("> ", log) + "> half", log + "half"},
	} {
		got, err := io.ReadAll(unpasted(bufio.NewReaderSize(strings.NewReader(c.text), 64<<10)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %.200q, want %.200q (%v)", name, got, c.want, err)
		}
	}
	in := text(each("> ", log))
	in, err := Open([]string{"-"}, in.List[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if i, err := in.Recognize(formats.Importers); err != nil || i.From != "strace" {
		t.Errorf("%+v, %v", i, err)
	}
}

// FuzzPlain: whatever comes, it is read to its end or refused, and what nothing is wrapped around stays as it is.
func FuzzPlain(f *testing.F) {
	f.Add([]byte("> a\n> b\n"))
	f.Add([]byte("\x1b[1ma\n"))
	f.Add([]byte("PK\x03\x04\x14\x00\x08\x00\x08\x00"))
	f.Add([]byte("BZh9"))
	f.Add([]byte("1 close(3&lt;/a&gt;) = 0 &lt;0.000001&gt;\n"))
	f.Add([]byte("     1\ta\n     2\tb\n"))
	f.Add([]byte("7:a\n19:b\n"))
	f.Add([]byte("\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x19\x8e"))
	f.Add([]byte(strings.Repeat("\x00", tarAt) + tarMark))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, closed, err := plain(bytes.NewReader(content), leastWindow)
		if err != nil {
			return
		}
		defer closed()
		got, err := io.ReadAll(io.LimitReader(r, 64<<20))
		if err == nil && len(content) > 0 && content[0] >= 'a' && content[0] <= 'z' && !bytes.Contains(content,
			[]byte("\x1b[")) && !bytes.ContainsRune(content, '&') &&
			!bytes.Equal(got, content) {
			t.Errorf("%q became %q", content, got)
		}
	})
}
