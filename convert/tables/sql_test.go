package tables

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

var engines = flag.Bool("engines", false, "ask ClickHouse and Spark too")

// answers are the rows that an engine finds, by the title of the question.
type answers map[string][][]any

// ask has an engine answer the questions of docs/sql.md.
func ask(t *testing.T, python, dir, engine string) (found answers) {
	t.Helper()
	c := exec.Command(python, "testdata/sql.py", "../../docs/sql.md", dir, engine)
	var said strings.Builder
	c.Stderr = &said
	text, err := c.Output()
	if err == nil {
		err = json.Unmarshal(text, &found)
	}
	if err != nil {
		t.Fatalf("%s: %v\n%s", engine, err, said.String())
	}
	return found
}

// sums adds up columns of the answer to a question, by columns that are keys.
func (a answers) sums(t *testing.T, title string, keys []int, columns ...int) map[string]int64 {
	t.Helper()
	rows, ok := a[title]
	if !ok {
		t.Errorf("docs/sql.md does not ask %q", title)
	}
	all := map[string]int64{}
	for _, row := range rows {
		var key []string
		for _, k := range keys {
			key = append(key, fmt.Sprint(row[k]))
		}
		for n, c := range columns {
			if v, ok := row[c].(float64); ok && v != 0 {
				all[fmt.Sprint(strings.Join(key, " "), " #", n)] += int64(v)
			}
		}
	}
	return all
}

// truth are the same sums of what show --json says.
type truth map[string]int64

func (s truth) add(key string, values ...int64) {
	for n, v := range values {
		if v != 0 {
			s[fmt.Sprint(key, " #", n)] += v
		}
	}
}

// The questions of docs/sql.md are answered as show --json answers them for each trace.
func TestQuestions(t *testing.T) {
	t.Parallel()
	python := testenv.Python(t, "duckdb")
	dir, profiles := exportAll(t)
	found := ask(t, python, dir, "duckdb")
	compareAnswers(t, found, profiles)
	if len(found) < 12 {
		t.Errorf("%d questions", len(found))
	}
	for title, rows := range found {
		if len(rows) == 0 && title != "Which hosts differ from their group?" { // of two hosts with one drive each
			t.Errorf("no recording has an answer to %q", title)
		}
	}
}

// TestEngines has other engines answer the same questions in the same words: make test-engines.
func TestEngines(t *testing.T) {
	if !*engines {
		t.Skip("only with -engines: it takes minutes")
	}
	python := testenv.Python(t, "duckdb")
	dir, profiles := exportAll(t)
	want := ask(t, python, dir, "duckdb")
	modules := map[string]string{"clickhouse": "chdb", "spark": "pyspark", "spark-cluster": "pyspark"}
	for engine, module := range modules {
		t.Run(engine, func(t *testing.T) {
			found := ask(t, testenv.EnginesPython(t, module), dir, engine)
			compareAnswers(t, found, profiles)
			if d := diff.Diff(want, found); d != "" {
				t.Errorf("-duckdb +%s:\n%s", engine, d)
			}
			dir, profiles := exportAll(t)
			profiles = withOlder(t, dir, profiles)
			compareAnswers(t, ask(t, testenv.EnginesPython(t, module), dir, engine), profiles)
		})
	}
}

// exportAll is a directory with the tables of the recordings in testdata, and what the analyzer says of them. They are
// exported once; the directory is the test's own.
func exportAll(t *testing.T) (dir string, profiles []*profile.Profile) {
	t.Helper()
	exported.Do(func() { exported.dir, exported.profiles = exportOnce(t) })
	if exported.profiles == nil {
		t.Fatal("the recordings are not exported: see the test that asked first")
	}
	dir = t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(exported.dir)); err != nil {
		t.Fatal(err)
	}
	return dir, exported.profiles
}

var exported struct {
	sync.Once
	dir      string
	profiles []*profile.Profile
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(exported.dir); err != nil { // nothing, if no test has asked
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func exportOnce(t *testing.T) (dir string, profiles []*profile.Profile) {
	t.Helper()
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(recordings) < 10 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	if dir, err = os.MkdirTemp("", "iotrace-tables-"); err != nil {
		t.Fatal(err)
	}
	for _, path := range recordings {
		name := strings.TrimSuffix(filepath.Base(path), ".iotrace")
		if _, err := Parquet.Export(path, name, to(dir)); err != nil {
			os.RemoveAll(dir)
			t.Fatal(err)
		}
		p, err := analyzer.Analyze(path, analyzer.Options{MaxFiles: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		profiles = append(profiles, p)
	}
	return dir, profiles
}

func compareAnswers(t *testing.T, a answers, profiles []*profile.Profile) {
	t.Helper()
	check := func(what string, got map[string]int64, of func(*profile.Profile, truth)) {
		want := truth{}
		for _, p := range profiles {
			of(p, want)
		}
		if d := diff.Diff(map[string]int64(want), got); d != "" || len(want) == 0 {
			t.Errorf("%s (-show --json +SQL):\n%s", what, d)
		}
	}
	check("traces", a.sums(t, "What is there?", []int{0}, 1, 2, 3, 5), traceSums)
	check("copies", a.sums(t, "Which copies were slow?", []int{0}, 3, 4, 5), copySums)
	check("late copies", a.sums(t, "Which copies were not safe when they seemed done?", []int{2}, 4, 5, 6), lateSums)
	check("models of copies", a.sums(t, "What would have allowed more?", []int{0}, 1, 2, 3, 4, 5), boundSums)
	check("causes", a.sums(t, "What held the workloads back?", []int{0}, 1, 2, 3), causeSums)
	check("drives", a.sums(t, "How fast are the drives?", []int{0, 1, 2}, 3, 4, 5), driveSums)
	check("losses", a.sums(t, "What was lost?", []int{2}, 3), lossSums)
	files := answers{"": lastNames(a["Which files are busy?"], profiles)}
	check("files", files.sums(t, "", []int{2}, 3, 4), fileSums)
	check("calls", a.sums(t, "Which calls take the time?", []int{0, 1}, 2, 3, 4), callSums)
	check("syncs", a.sums(t, "How long is a sync?", []int{0}, 1, 2), syncSums)
	idle := func(row []any) bool { return row[3] == 0.0 }
	busy := answers{"": slices.DeleteFunc(slices.Clone(a["How deep are the queues?"]), idle)}
	check("depths", busy.sums(t, "", nil, 4), depthSums)
	check("waits", elsewhere(a.sums(t, "What did programs wait for?", []int{1}, 3)), waitSums)
}

// elsewhere adds up the waits that show --json has as one: for other than data or a processor.
func elsewhere(waits map[string]int64) map[string]int64 {
	all := map[string]int64{}
	for key, ns := range waits {
		name := strings.TrimSuffix(key, " #0")
		for c := trace.WaitIO; c <= trace.WaitTimeout; c++ {
			if c.String() == name && c.Elsewhere() {
				name = trace.WaitOther.String()
			}
		}
		all[name+" #0"] += ns
	}
	return all
}

func traceSums(p *profile.Profile, s truth) {
	events := int64(0)
	for _, n := range p.Trace.Events {
		events += int64(n)
	}
	s.add(cmp.Or(p.Trace.Host, "unknown"), 1, events, int64(p.Lost.Total), int64(p.Trace.Damaged))
}

func copySums(p *profile.Profile, s truth) {
	for _, c := range p.Copies {
		s.add(string(c.Method), 1, c.Bytes, c.WallNS)
	}
}

func lateSums(p *profile.Profile, s truth) {
	for _, c := range p.Copies {
		if c.WallNS > 0 && c.DurableNS > 2*c.WallNS {
			s.add(c.Destination, c.Bytes, c.WallNS, c.DurableNS)
		}
	}
}

func boundSums(p *profile.Profile, s truth) {
	for _, c := range p.Copies {
		if c.Bytes == 0 {
			continue
		}
		with := map[string]int64{}
		for _, b := range c.Bounds {
			with[b.Code]++
		}
		s.add(string(c.Method), 1, c.Bytes, with["serial"], with["overlapped"], with["little"])
	}
}

func causeSums(p *profile.Profile, s truth) {
	for i, c := range p.Verdict.Causes {
		first := int64(0)
		if i == 0 {
			first = 1
		}
		s.add(c.Code, 1, c.TimeNS, first)
	}
}

func driveSums(p *profile.Profile, s truth) {
	for _, d := range p.Devices {
		flows := map[string]*profile.Flow{"read": d.Read, "write": d.Write, "flush": d.Flush, "discard": d.Discard}
		for op, f := range flows {
			if f != nil {
				s.add(d.Model+" "+d.Firmware+" "+op, f.Count, f.Bytes, f.Latency.Sum)
			}
		}
	}
}

func lossSums(p *profile.Profile, s truth) {
	for kind, n := range p.Lost.Kinds {
		s.add(kind, int64(n))
	}
}

// lastNames are rows of files with the names that renaming gave them after their last use, of which the tables do not
// tell.
func lastNames(rows [][]any, profiles []*profile.Profile) (named [][]any) {
	last := map[any]string{}
	for _, p := range profiles {
		for _, f := range p.Files {
			for _, name := range f.Names {
				last[name] = f.Path
			}
		}
	}
	for _, row := range rows {
		row = slices.Clone(row)
		if name, ok := last[row[2]]; ok {
			row[2] = name
		}
		named = append(named, row)
	}
	return named
}

func fileSums(p *profile.Profile, s truth) {
	for _, f := range p.Files {
		for _, o := range f.Ops {
			switch o.Op {
			case trace.OpRead:
				s.add(f.Path, o.Bytes)
			case trace.OpWrite:
				s.add(f.Path, 0, o.Bytes)
			}
		}
	}
}

func callSums(p *profile.Profile, s truth) {
	for _, c := range p.Calls {
		if !c.Async {
			s.add(c.Op.String()+" "+c.Name, c.Count, c.Bytes, c.TimeNS)
		}
	}
}

func syncSums(p *profile.Profile, s truth) {
	for _, c := range p.Calls {
		if !c.Async && slices.Contains([]trace.Op{trace.OpSync, trace.OpDataSync, trace.OpSyncFS}, c.Op) {
			s.add(cmp.Or(p.Trace.Host, "unknown"), c.Count, c.TimeNS)
		}
	}
}

func depthSums(p *profile.Profile, s truth) {
	for _, d := range p.Devices {
		s.add("", d.Depth.BusyNS)
	}
}

func waitSums(p *profile.Profile, s truth) {
	for _, w := range p.Processes {
		for cause, ns := range map[string]int64{"io": w.WaitNS.IO, "throttle": w.WaitNS.Throttle, "call": w.WaitNS.Call,
			"other": w.WaitNS.Other, "ready": w.WaitNS.Ready} {
			s.add(cause, ns)
		}
	}
}
