package visible

import (
	"slices"
	"testing"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"one two", []string{"one two"}},
		{"took 12.5 ms, and", []string{"took", "12.5 ms,", "and"}},
		{"a 3 MB/s) b", []string{"a 3 MB/s)", "b"}},
		{"abcdefghijklmn op", []string{"abcdefghij", "klmn op"}},
		{"12 ms", []string{"12 ms"}},
	} {
		if got := Wrap(c.text, 10); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Further lines are indented, and none is wider for that.
func TestHang(t *testing.T) {
	want := []string{"one two", "  three", "  abcdefgh", "  ijklmn", "  op"}
	if got := Hang("one two three abcdefghijklmn op", 10, "  "); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
