package analyzer

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/trace"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGoldenProfiles compares whole profiles with what they were. A difference
// is a change of a stable interface, or of a number: look at both.
func TestGoldenProfiles(t *testing.T) {
	for name, s := range map[string]func() *scene{
		"copy":   func() *scene { return readWriteCopy(t, 8) },
		"tree":   func() *scene { return treeCopy(t) },
		"step":   func() *scene { return throttled(t, 120, 70, .1, 5) },
		"losses": func() *scene { return lossyCopy(t) },
	} {
		t.Run(name, func(t *testing.T) {
			got := printed(t, s(), name)
			for _, batch := range []int{1, 2, 3, 5, 8, 13, 21} { // how a trace is cut must not matter
				x := s()
				x.batch = batch
				if again := printed(t, x, name); !bytes.Equal(again, got) {
					t.Errorf("in batches of %d events (-whole +cut):\n%s", batch, cmp.Diff(string(got), string(again)))
				}
			}
			path := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s is not as it was (-want +got); if that is meant, run go test -update:\n%s", path,
					cmp.Diff(string(want), string(got)))
			}
		})
	}
}

// printed is the profile of a scene as JSON.
func printed(t *testing.T, s *scene, name string) []byte {
	t.Helper()
	p, err := Analyze(s.save(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	p.Trace.File = name + ".iotrace"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "\t")
	if err := e.Encode(p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// treeCopy copies ten small files, each with metadata calls and an fsync.
func treeCopy(t testing.TB) *scene {
	s := newScene(t, "backup", "/src", "/dst")
	for i := range int64(10) {
		name := string(rune('a' + i))
		n := 4096 * (i + 1)
		a := s.file("/src/dir/"+name, n)
		s.open(a, trace.FlagRead)
		b := s.create("/dst/dir/" + name)
		s.read(a, 0, n, 10*us)
		s.write(b, 0, n, 15*us)
		s.think(20 * us)
		s.request(trace.ReqWrite, b, 0, n, s.now+5*us, s.now+205*us).Flags = trace.ReqSync
		s.wait(trace.WaitIO, s.now+6*us, s.now+210*us)
		s.call(trace.Syscall{Op: trace.OpSync, File: b, Offset: trace.NoOffset}, 220*us)
		s.close(b)
		s.close(a)
	}
	s.returns()
	return s
}

// lossyCopy is a copy of which the recording lost some requests and has no end.
func lossyCopy(t testing.TB) *scene {
	s := readWriteCopy(t, 6)
	s.put(s.now, &trace.Lost{From: 2 * ms, To: 3 * ms, Count: 11, Kind: trace.KindRequest, CPU: 1})
	s.cut = true
	return s
}
