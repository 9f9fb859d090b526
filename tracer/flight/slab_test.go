package flight

import (
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// A slab holds what a map holds, whatever becomes of it, and has no room to spare after it was compacted.
func TestSlabIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := newSlab[int, string](16), map[int]string{}
		some := rapid.SliceOf(rapid.IntRange(0, 4*pageSize))
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				for _, k := range some.Draw(t, "keys") {
					v := rapid.String().Draw(t, "value")
					s.put(k, v)
					want[k] = v
				}
			},
			"fill": func(t *rapid.T) {
				for k := range rapid.IntRange(0, 4*pageSize).Draw(t, "below") {
					s.put(k, "filled")
					want[k] = "filled"
				}
			},
			"remove": func(t *rapid.T) {
				for k := range rapid.IntRange(0, 4*pageSize).Draw(t, "below") {
					s.remove(k)
					delete(want, k)
				}
			},
			"clear": func(*rapid.T) {
				s.clear()
				clear(want)
			},
			"compact": func(t *rapid.T) {
				s.compact()
				if s.room() >= len(want)+pageSize {
					t.Fatalf("room for %d of %d", s.room(), len(want))
				}
			},
			"": func(t *rapid.T) {
				got := map[int]string{}
				s.each(func(k int, v *string) { got[k] = *v })
				if !maps.Equal(got, want) || s.len() != len(want) {
					t.Fatalf("%d values, want %d", len(got), len(want))
				}
				for k, v := range want {
					if p := s.get(k); p == nil || *p != v {
						t.Fatalf("%d has another value", k)
					}
				}
			},
		})
	})
}

// What a busy minute took is given back as its files are forgotten.
func TestRoomOfForgottenFilesIsGivenBack(t *testing.T) {
	ring := newRing(t, 1<<20)
	var quiet []trace.FileID
	for id := trace.FileID(1); id <= 50_000; id++ {
		if err := ring.File(&trace.File{ID: id, Path: "/f"}); err != nil {
			t.Fatal(err)
		}
		if id > 10_000 {
			quiet = append(quiet, id)
		}
	}
	ring.Gone(quiet)
	room := ring.files.young.room() + ring.files.old.room()
	if n := ring.files.len(); n != 10_000 || room > 2*n {
		t.Errorf("room for %d, %d files", room, n)
	}
}
