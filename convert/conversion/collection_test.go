package conversion

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/convert/tables"
	"github.com/iotrace/iotrace/internal/output"
)

// intercepted asks before a file that is written gets its name.
type intercepted struct {
	output.Files
	ask func() error
}

func (i intercepted) Write(name string, replace bool, write func(*bufio.Writer) error) error {
	return i.Files.Write(name, replace, func(w *bufio.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		return i.ask()
	})
}

func run(dir string) *Run {
	to := output.Destination{Files: output.NewTree(dir, nil, nil)}
	return &Run{Folder: tables.Parquet.Export, To: to, Of: (&Choice{}).Of}
}

func recorded(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(all) < 10 {
		t.Fatalf("%d recordings, %v", len(all), err)
	}
	return all
}

// contents are the sums of the files in a directory.
func contents(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	all := map[string][32]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			all[strings.TrimPrefix(path, dir)] = sha256.Sum256(b)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Traces added side by side are the same as each added by itself; then all of them are there.
func TestAll(t *testing.T) {
	paths, alone, together := recorded(t), t.TempDir(), t.TempDir()
	for _, path := range paths {
		if err := run(alone).All([]string{path}); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []state{{Added: len(paths)}, {Present: len(paths)}} {
		r := run(together)
		if err := r.All(paths); err != nil {
			t.Fatal(err)
		}
		s := r.State()
		if s.Added != want.Added || s.Present != want.Present || s.Failed > 0 || s.Read != s.Bytes {
			t.Errorf("run %d: %+v", i+1, s)
		}
	}
	if d := cmp.Diff(contents(t, alone), contents(t, together)); d != "" {
		t.Errorf("-alone +together:\n%s", d)
	}
}

// Wherever an export is killed, the same one completes it, and nobody takes its tables for whole before.
func TestInterrupted(t *testing.T) {
	path, whole := recorded(t)[:1], t.TempDir()
	if err := run(whole).All(path); err != nil {
		t.Fatal(err)
	}
	want := contents(t, whole)
	for named := range len(want) {
		dir := t.TempDir()
		r := run(dir)
		var mu sync.Mutex
		done, killed := 0, errors.New("killed")
		// A file that is written gets its name, unless the process was killed before: the rest never does.
		r.To.Files = intercepted{r.To.Files, func() error {
			mu.Lock()
			defer mu.Unlock()
			if done == named {
				return killed
			}
			done++
			return nil
		}}
		if err := r.All(path); !errors.Is(err, killed) || r.State().Failed != 1 {
			t.Fatalf("%v, %+v", err, r.State())
		}
		left := contents(t, dir)
		for name := range left {
			if strings.HasPrefix(name, "/traces/") || len(left) != named {
				t.Errorf("killed after %d files: %d are there, %s", named, len(left), name)
			}
		}
		r = run(dir)
		if err := r.All(path); err != nil || r.State().Added != 1 {
			t.Errorf("%v, %+v", err, r.State())
		}
		if d := cmp.Diff(want, contents(t, dir)); d != "" {
			t.Errorf("killed after %d files, -whole +completed:\n%s", named, d)
		}
	}
}

// A trace of the same name keeps what is there, and one that cannot be read keeps none of the others out.
func TestOthers(t *testing.T) {
	dir, in := t.TempDir(), t.TempDir()
	path := filepath.Join(in, "a.iotrace")
	put := func(from string) {
		b, err := os.ReadFile("../../testdata/" + from)
		if err == nil {
			err = os.WriteFile(path, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put("cp.iotrace")
	r := run(dir)
	err := r.All([]string{filepath.Join(in, "none.iotrace"), path, filepath.Join(in, "nothing.iotrace")})
	if s := r.State(); err == nil || s.Added != 1 || s.Failed != 2 {
		t.Errorf("%v, %+v", err, s)
	}
	before := contents(t, dir)
	put("tree.iotrace")
	if err := run(dir).All([]string{path}); err == nil || !strings.Contains(err.Error(), "of another trace") {
		t.Error(err)
	}
	if d := cmp.Diff(before, contents(t, dir)); d != "" {
		t.Error(d)
	}
	r = run(dir)
	r.To.Replace = true
	if err := r.All([]string{path}); err != nil || r.State().Added != 1 {
		t.Errorf("%v, %+v", err, r.State())
	}
}
