// Package report holds the tests of what text, page and JSON say about the same profiles.
package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/internal/visible"
	"github.com/iotrace/iotrace/report/content"
	"github.com/iotrace/iotrace/report/text"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// profiles are written to testdata by -update and read from there by every
// test, so that a report of one can also be made by hand.
var profiles = map[string]func() *profile.Profile{
	"copy":    func() *profile.Profile { return copyProfile(1<<30, 120, 240) },
	"lossy":   lossyProfile,
	"hostile": hostileProfile,
	"empty":   emptyProfile,
}

// load reads a profile from testdata.
func load(t *testing.T, name string) *profile.Profile {
	t.Helper()
	path := filepath.Join("testdata", name+".json")
	if *update {
		made := profiles[name]()
		made.Verdict = verdict.Judge(made)
		answer.Compose(made)
		b, err := json.Marshal(made)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := new(profile.Profile)
	if err := json.Unmarshal(b, p); err != nil {
		t.Fatalf("reading %s: %v", path, err)
	}
	return p
}

// golden compares what write produces with a file in testdata.
func golden(t *testing.T, name string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		if err := os.WriteFile(path+".got", got.Bytes(), 0o666); err != nil {
			t.Error(err)
		}
		t.Errorf("output differs from %s (see %s.got; rewrite with -update)", path, path)
	}
}

func TestText(t *testing.T) {
	for name := range profiles {
		p := load(t, name)
		golden(t, name+".txt", func(w io.Writer) error { return text.Profile(w, p, text.Options{}) })
		golden(t, name+"-full.txt", func(w io.Writer) error { return text.Profile(w, p, text.Options{Full: true}) })
	}
	p := load(t, "lossy")
	golden(t, "lossy-wide-color.txt", func(w io.Writer) error {
		return text.Profile(w, p, text.Options{Width: 140, Color: true, Full: true})
	})
}

// TestTextFits checks that no line is wider than the terminal as long as names
// can give way, and that narrow tables say less, not something else.
func TestTextFits(t *testing.T) {
	for name := range profiles {
		for _, width := range []int{80, 100, 132, 200} {
			var b bytes.Buffer
			if err := text.Profile(&b, load(t, name), text.Options{Width: width, Full: true}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if w := visible.Width(strings.TrimSuffix(line, "\n")); w > width {
					t.Errorf("%s at %d columns: line of %d: %s", name, width, w, line)
				}
			}
		}
	}
}

// TestNothingReachesTheTerminal checks that whatever traced files are called,
// text and JSON hold printable characters and line ends only.
func TestNothingReachesTheTerminal(t *testing.T) {
	p := load(t, "hostile")
	for name, write := range map[string]func(io.Writer) error{
		"text": func(w io.Writer) error { return text.Profile(w, p, text.Options{Rows: -1, Width: 200, Full: true}) },
		"json": func(w io.Writer) error { return content.JSON(w, p) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(b.Bytes()) {
			t.Errorf("%s is not valid UTF-8", name)
		}
		for i, r := range b.String() {
			if r != '\n' && !unicode.IsPrint(r) {
				t.Errorf("%s holds %U at byte %d", name, r, i)
			}
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	for name := range profiles {
		p := load(t, name)
		var b bytes.Buffer
		if err := content.JSON(&b, p); err != nil {
			t.Fatal(err)
		}
		back := new(profile.Profile)
		if err := json.Unmarshal(b.Bytes(), back); err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := content.JSON(&again, back); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s changed on its way through JSON", name)
		}
	}
	p := load(t, "empty")
	golden(t, "empty.show.json", func(w io.Writer) error { return content.JSON(w, p) })
}
