package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// synchronized copies files over ones that are there, by way of a new name; grown says by how much they are larger.
func synchronized(t *testing.T, grown int64) *scene {
	s := newScene(t, "sync")
	for i := range 20 {
		name := fmt.Sprintf("f%d", i)
		src, old := s.file("/src/"+name, MiB), s.file("/dst/"+name, MiB-grown)
		s.look(old, trace.OpStat, 0, 0)
		tmp := s.create("/dst/." + name)
		s.read(src, 0, MiB, 5*ms)
		s.write(tmp, 0, MiB, 5*ms)
		s.rename(tmp, s.name("/dst/"+name))
	}
	s.returns()
	return s
}

// TestWrittenAnew: files that take the place of ones of the same size are told of; larger ones have changed.
func TestWrittenAnew(t *testing.T) {
	want := "20 files (21.0 MB) were written in place of ones of the same size, so perhaps the same again"
	if found := kindsOf(t, synchronized(t, 0)); found["written_anew"] == "" || found["written_anew"][:len(want)] != want {
		t.Errorf("want %q: %v", want, found)
	}
	if found := kindsOf(t, synchronized(t, 10)); found["written_anew"] != "" {
		t.Error(found)
	}
}

// TestRemovedFirst: a tree that is removed and then made anew under the same names is told of, whatever is known of the
// files that were there. One that is removed after it was made is not, nor one of which little comes back.
func TestRemovedFirst(t *testing.T) {
	build := func(removed, made int) *scene {
		s := newScene(t, "build")
		for i := range removed {
			s.unlink(s.name(fmt.Sprintf("/out/%d.html", i)))
		}
		for i := range made {
			s.write(s.create(fmt.Sprintf("/out/%d.html", i)), 0, KiB, us)
		}
		s.returns()
		return s
	}
	want := "1,200 files were removed and then made anew under the same names; calls that removed took 1.20 ms"
	if found := kindsOf(t, build(1200, 1200)); !strings.HasPrefix(found["removed_first"], want) {
		t.Errorf("want %q: %v", want, found)
	}
	for _, s := range []*scene{build(0, 1200), build(2600, 1200), build(1200, 0)} {
		if found := kindsOf(t, s); found["removed_first"] != "" {
			t.Error(found)
		}
	}
}
