package tables

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// older are the tables of a recording of cp, older.iotrace, as they were written before there were a table of causes,
// limits of copies, the firmware of drives and the sums of traces.
const older = "testdata/older"

// withOlder has the tables of that recording in the place of those of cp.iotrace, and returns what is known then.
func withOlder(t *testing.T, dir string, profiles []*profile.Profile) []*profile.Profile {
	t.Helper()
	now, err := filepath.Glob(dir + "/*/*/*/cp.parquet")
	if err != nil || len(now) != len(tables) {
		t.Fatalf("%d tables, %v", len(now), err)
	}
	for _, path := range now {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS(older)); err != nil {
		t.Fatal(err)
	}
	known := make([]*profile.Profile, len(profiles))
	for i, p := range profiles {
		if known[i] = p; filepath.Base(p.Trace.File) == "cp.iotrace" {
			p, err := analyzer.Analyze(older+".iotrace", analyzer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p.Verdict.Causes = nil
			for i := range p.Copies {
				p.Copies[i].Bounds = nil
			}
			known[i] = p
		}
	}
	return known
}

// Tables of an older version beside newer ones answer every question, but for what they do not hold.
func TestOlder(t *testing.T) {
	t.Parallel()
	python := testenv.Python(t, "duckdb")
	dir, profiles := exportAll(t)
	profiles = withOlder(t, dir, profiles)
	compareAnswers(t, ask(t, python, dir, "duckdb"), profiles)
}

// What an older version wrote is there still, under the same names and of the same types; NULL may have come in.
func TestColumnsStay(t *testing.T) {
	dir := t.TempDir()
	if _, err := Parquet.Export(older+".iotrace", "cp", to(dir)); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(older + "/*/*/*/cp.parquet")
	if err != nil || len(kept) != 12 {
		t.Fatalf("%d tables, %v", len(kept), err)
	}
	for _, path := range kept {
		place, err := filepath.Rel(older, path)
		if err != nil {
			t.Fatal(err)
		}
		was, is := schemaOf(t, path), schemaOf(t, filepath.Join(dir, place))
		for name, field := range was {
			now, ok := is[name]
			if !ok || field.Optional() && !now.Optional() || now.Type().String() != field.Type().String() {
				t.Errorf("%s: the column %s was %v, and is not any more", place, name, field)
			}
		}
	}
}

// schemaOf are the columns of a file by name.
func schemaOf(t *testing.T, path string) map[string]parquet.Field {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(f, st.Size())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]parquet.Field{}
	for _, field := range file.Schema().Fields() {
		all[field.Name()] = field
	}
	return all
}
