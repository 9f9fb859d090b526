package tracer

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// A set has what was added and not removed since, and takes a word for 64 neighbours.
func TestFileSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		set, want := fileSet{}, map[trace.FileID]bool{}
		id := rapid.Uint32Range(0, 300)
		for range rapid.IntRange(0, 200).Draw(t, "steps") {
			n := trace.FileID(id.Draw(t, "file"))
			if rapid.Bool().Draw(t, "add") {
				set.add(n)
				want[n] = true
			} else {
				set.remove(n)
				delete(want, n)
			}
		}
		words := map[trace.FileID]bool{}
		for n := range trace.FileID(301) {
			if set.has(n) != want[n] {
				t.Fatalf("file %d: %t, want %t", n, set.has(n), want[n])
			}
			if want[n] {
				words[n/64] = true
			}
		}
		if len(set) != len(words) {
			t.Fatalf("%d words, want %d", len(set), len(words))
		}
	})
}

// Millions of files that are left out take as much as a million, and the latest of them are known.
func TestFilesThatAreLeftOutTakeLittle(t *testing.T) {
	n := (&Narrow{Files: []string{"/srv/**"}}).sink(discard{})
	const files = 3_000_000
	for id := trace.FileID(1); id <= files; id++ {
		if err := n.File(&trace.File{ID: id, Path: "/tmp/x"}); err != nil {
			t.Fatal(err)
		}
		if n.wanted(id) || id > 64 && len(n.unwanted) > 1 && n.wanted(id-63) {
			t.Fatalf("file %d or one shortly before it is wanted", id)
		}
	}
	if len(n.unwanted) > maxUnwanted {
		t.Errorf("%d words for %d files", len(n.unwanted), files)
	}
}
