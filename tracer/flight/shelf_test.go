package flight

import (
	"fmt"
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// A slab holds what a map would.
func TestSlab(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := newSlab[int, string](0), map[int]string{}
		key := rapid.IntRange(0, 3*pageSize)
		for n := range rapid.IntRange(0, 4*pageSize).Draw(t, "steps") {
			k := key.Draw(t, "key")
			switch rapid.IntRange(0, 100).Draw(t, "what") {
			case 0:
				s.clear()
				clear(want)
			case 1, 2, 3, 4, 5:
				s.remove(k)
				delete(want, k)
			default:
				s.put(k, fmt.Sprint(n))
				want[k] = fmt.Sprint(n)
			}
			got := s.get(k)
			if v, ok := want[k]; ok != (got != nil) || ok && *got != v || s.len() != len(want) {
				t.Fatalf("%d is %v of %d, want %q of %d", k, got, s.len(), v, len(want))
			}
		}
		all := map[int]string{}
		s.each(func(k int, v *string) { all[k] = *v })
		if !maps.Equal(all, want) {
			t.Fatalf("%v, want %v", all, want)
		}
	})
}

// However many values come and go, those that are kept have room for as many and no more.
func TestRecentTakesNoMoreRoom(t *testing.T) {
	const most = 40 * pageSize
	r := newRecent[int](most, 1<<30, func(*[200]byte) int { return 0 })
	for i := range 50 * most {
		r.put(i, [200]byte{})
		r.get(i - most/4) // used again, some of them after they were put away
		if n := len(r.young.pages) + len(r.old.pages); n > most/pageSize {
			t.Fatalf("%d pages after %d values, want %d", n, i, most/pageSize)
		}
	}
}

// Values that are taken out leave their room to others.
func TestRecentGivesRoomBack(t *testing.T) {
	const most, alive = 40 * pageSize, 3 * pageSize
	r := newRecent[int](most, 1<<30, func(*string) int { return 1 })
	for i := range 50 * most {
		r.put(i, "x")
		r.remove(i - alive)
		if n := len(r.young.pages) + len(r.old.pages); n > alive/pageSize+1 {
			t.Fatalf("%d pages after %d values, of which %d are left", n, i, alive)
		}
	}
	if n := r.len(); n != alive || r.text != alive {
		t.Errorf("%d values with texts of %d bytes, want %d", n, r.text, alive)
	}
}
