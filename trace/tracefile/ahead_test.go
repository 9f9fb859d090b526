package tracefile

import (
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAhead: what is decompressed ahead is what is read without, and so is what is said of damage.
func TestAhead(t *testing.T) {
	whole, err := os.ReadFile("../../testdata/cp.iotrace")
	if err != nil {
		t.Fatal(err)
	}
	compressed := 0
	rapid.Check(t, func(t *rapid.T) {
		file := slices.Clone(whole)
		for _, at := range rapid.SliceOfN(rapid.IntRange(prefixSize, len(file)-1), 0, 4).Draw(t, "damaged") {
			file[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		}
		file = file[:rapid.IntRange(len(file)*3/4, len(file)).Draw(t, "length")]
		plain, early := open(t, file), open(t, file)
		if err := early.Ahead(); err != nil {
			t.Fatal(err)
		}
		want, got := join(readAll(t, plain)), join(readAll(t, early))
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
		if want, got := plain.Damage(), early.Damage(); !slices.Equal(want, got) {
			t.Fatalf("damage is %v, want %v", got, want)
		}
		compressed += len(early.ahead.raw)
	})
	if compressed == 0 {
		t.Error("nothing was decompressed ahead")
	}
}
