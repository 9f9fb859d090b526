package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestNameForms: of files whose names differ in numbers alone earlier ones are read and others made; all files count.
func TestNameForms(t *testing.T) {
	s := newScene(t, "scan")
	s.options.MaxFiles = 4
	old := s.file("/state/list-41", 500)
	s.read(old, 0, 500, us)
	for i := range 8 {
		f := s.file(fmt.Sprint("/home/photo", i, ".jpg"), MiB)
		s.open(f, trace.FlagRead)
		s.call(trace.Syscall{Op: trace.OpMmap, File: f, Requested: MiB, Flags: trace.FlagRead}, us)
		s.request(trace.ReqRead, f, 0, MiB, s.now, s.now+ms)
	}
	made := s.create("/state/list-42")
	s.write(made, 0, 500, us)
	s.returns()
	p := s.profile()
	if len(p.NameForms) != 1 || p.NameForms[0].Form != "/state/list-#" || p.NameForms[0].Read != 1 ||
		p.NameForms[0].Bytes != 500 || p.NameForms[0].Made != 1 {
		t.Errorf("%+v", p.NameForms)
	}
	if f := &p.Files[0]; f.Mapped != MiB || f.ReadBytes() != MiB {
		t.Errorf("%s: %d bytes mapped, %d read", f.Path, f.Mapped, f.ReadBytes())
	}
}
