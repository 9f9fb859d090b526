package gap

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/baseline"
)

// What fio 3.33 printed for three jobs, the second of two processes, after a note.
func TestJobs(t *testing.T) {
	r, err := readFio("testdata/fio-3.33.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Patterns) != 3 {
		t.Fatalf("%d patterns, want one for each job", len(r.Patterns))
	}
	sequential, random, mixed := r.Patterns[0], r.Patterns[1], r.Patterns[2]
	s := sequential.Pattern.Steps[0]
	if sequential.Pattern.Name != "fio/seqread" || s.Op != baseline.Read || s.Block != 1<<20 || s.Nominal() != 8 ||
		s.Cache != baseline.Direct || s.Access != baseline.Sequential {
		t.Errorf("%+v", sequential.Pattern)
	}
	if rate := sequential.Places[0].Steps[0].Rate.Median; rate != 493447529 {
		t.Errorf("%d B/s, fio says 493447529", rate)
	}
	s = random.Pattern.Steps[0]
	if s.Op != baseline.Write || s.Block != 4096 || s.Nominal() != 2 || s.Cache != baseline.Buffered || !s.Fresh ||
		s.Access != baseline.Random || !s.Blocking {
		t.Errorf("%+v", random.Pattern)
	}
	if len(mixed.Pattern.Steps) != 2 || mixed.Pattern.Steps[0].Block != 4096 || mixed.Pattern.Steps[1].Block != 8192 ||
		!strings.Contains(mixed.Places[0].Steps[0].Invalid, "read and wrote at once") {
		t.Errorf("%+v", mixed)
	}
}

// Options of all jobs count where a job has none of its own; rates of the
// processes of a job add up, unless fio has added them up.
func TestOptions(t *testing.T) {
	const head = `{"fio version": "fio-3.36", "global options": {"bs": "64k", "ioengine": "io_uring", "direct": "1",
		"group_reporting": "", "numjobs": "4", "iodepth": "16"}, "jobs": [`
	r, err := parse("x", []byte(head+`{"jobname": "a", "job options": {"rw": "write", "bs": "1M", "overwrite": "1"},
		"write": {"io_bytes": 5, "bw_bytes": 1000}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	s := r.Patterns[0].Pattern.Steps[0]
	if s.Nominal() != 64 || s.Block != 1<<20 || s.Fresh || s.Cache != baseline.Direct {
		t.Errorf("%+v", s)
	}
	r, err = parse("x", []byte(head+`{"jobname": "a", "error": 5,
		"job options": {"rw": "read", "bssplit": "4k/50:8k/50"},
		"read": {"io_bytes": 5, "bw_bytes": 1000}}, {"jobname": "a", "read": {"io_bytes": 5, "bw_bytes": 500}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	res := r.Patterns[0].Places[0].Steps[0]
	s = r.Patterns[0].Pattern.Steps[0]
	if res.Rate.Median != 1500 || s.Threads != 2 || !strings.Contains(res.Invalid, "several sizes") {
		t.Errorf("%+v", r.Patterns[0])
	}
}

func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"":                                  errOther.Error(),
		`{"type": "bench"}`:                 errOther.Error(),
		`{"fio version": "fio-3.33", "jobs`: "damaged results of fio",
		`{"fio version": "fio-3.33"}`:       "fio ran no job",
	} {
		file := filepath.Join(dir, "x.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readFio(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := readFio(dir); !errors.Is(err, errOther) {
		t.Error("a directory:", err)
	}
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/fio-3.33.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		if r, err := parse("x", text); err == nil && len(r.Patterns) == 0 {
			t.Error("results without a pattern")
		}
	})
}
