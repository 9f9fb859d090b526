package visible

import (
	"encoding/json"
	"testing"
	"unicode"
)

// hostile has something of everything that a terminal may act upon.
const hostile = "a\x1b[31m\x07\u009b2J\u202etxt\u2066\u200b\x7f\xff\\\tb\nc é 漢"

func TestNothingHiddenIsLeft(t *testing.T) {
	for name, got := range map[string]string{"Text": Text(hostile), "Lines": Lines(hostile)} {
		for _, r := range got {
			if !unicode.IsPrint(r) && (name == "Text" || r != '\n' && r != '\t') {
				t.Errorf("%s leaves %U in %q", name, r, got)
			}
		}
	}
	if got, want := Text(hostile), `a\x1b[31m\a\u009b2J\u202etxt\u2066\u200b\x7f\xff\\\tb\nc é 漢`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := Lines("C:\\x\n\ty"), "C:\\x\n\ty"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJSONMeansTheSame(t *testing.T) {
	const text = "a\x1b\u009b\u202e\U000e0001é\\"
	b, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	out := AppendJSON(nil, b)
	for _, r := range string(out) {
		if !unicode.IsPrint(r) {
			t.Errorf("%U is left in %s", r, out)
		}
	}
	var back string
	if err := json.Unmarshal(out, &back); err != nil || back != text {
		t.Errorf("%q became %q (%v)", text, back, err)
	}
}
