package unit

import (
	"encoding/json"
	"os"
	"testing"
	"time"
)

// TestVectors checks every way to word a quantity against the list that the page's
// formatting is tested with too (report/browsertest).
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors map[string][]struct {
		Value float64 `json:"value"`
		Text  string  `json:"text"`
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	words := map[string]func(float64) string{
		"amount": func(v float64) string { return Bytes(int64(v)) },
		"size":   func(v float64) string { return BlockSize(int64(v)) },
		"rate":   Rate,
		"time":   func(v float64) string { return Duration(time.Duration(v)) },
		"share":  Share,
		"count":  func(v float64) string { return Count(int64(v)) },
		"number": Number,
	}
	if len(vectors) != len(words) {
		t.Errorf("vectors for %d quantities, want %d", len(vectors), len(words))
	}
	for quantity, list := range vectors {
		word := words[quantity]
		if word == nil || len(list) < 8 {
			t.Errorf("%s: no such quantity, or hardly tested (%d vectors)", quantity, len(list))
			continue
		}
		for _, v := range list {
			if got := word(v.Value); got != v.Text {
				t.Errorf("%s of %v is %q, want %q", quantity, v.Value, got, v.Text)
			}
		}
	}
}

func TestThings(t *testing.T) {
	for _, c := range []struct {
		n    int64
		noun string
		want string
	}{
		{1, "file", "1 file"}, {0, "file", "0 files"}, {2000, "file", "2,000 files"}, {2, "further copy", "2 further copies"},
		{3, "process", "3 processes"}, {2, "day", "2 days"},
	} {
		if got := Things(c.n, c.noun); got != c.want {
			t.Errorf("Things(%d, %q) = %q, want %q", c.n, c.noun, got, c.want)
		}
	}
	for n, want := range map[int64]string{1: "1 file was", 1000: "1,000 files were"} {
		if got := Things(n, "file was", "files were"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"},
		"a, b and c": {"a", "b", "c"}} {
		if got := List(words); got != want {
			t.Errorf("List(%q) = %q, want %q", words, got, want)
		}
	}
}
