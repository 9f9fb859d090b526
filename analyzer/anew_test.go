package analyzer

import (
	"fmt"
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
