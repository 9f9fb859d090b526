package tables

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/analyzer/profile"

	"github.com/iotrace/iotrace/internal/docs"
	"github.com/iotrace/iotrace/internal/output"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// to is a directory for tables, whose files are made as the command does.
func to(dir string) output.Destination {
	return output.Destination{Files: output.NewTree(dir, nil, nil)}
}

// full has no room where there is none: each file is asked for as it begins and as it ends.
type full struct {
	output.Files
	room func() error
}

func (f full) Write(name string, replace bool, write func(*bufio.Writer) error) error {
	if err := f.room(); err != nil {
		return err
	}
	return f.Files.Write(name, replace, func(w *bufio.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		return f.room()
	})
}

// Databases find in the tables what the analyzer finds in the traces, and each the same as the others.
func TestDatabases(t *testing.T) {
	for _, f := range []Format{Parquet, CSV} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			compareTotals(t, f)
		})
	}
}

func compareTotals(t *testing.T, f Format) {
	python := testenv.Python(t, "duckdb", "pandas", "polars", "pyarrow")
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(recordings) < 10 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	dir := t.TempDir()
	for _, path := range recordings {
		if _, err := f.Export(path, strings.TrimSuffix(filepath.Base(path), ".iotrace"), to(dir)); err != nil {
			t.Fatal(err)
		}
	}
	want := totalsOf(t, recordings)
	c := exec.Command(python, "testdata/totals.py", dir, string(f))
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]map[string][]string
	if err := json.Unmarshal(text, &got); err != nil || len(got) != 3 {
		t.Fatalf("%v in %s", err, text)
	}
	for engine, tables := range got {
		for table, lines := range tables {
			if d := cmp.Diff(want[table], lines); d != "" {
				t.Errorf("%s: %s (-analyzer +tables):\n%s", engine, table, d)
			}
		}
	}
}

// known are the totals of the recordings: the same for all formats.
var known struct {
	sync.Once
	totals map[string][]string
}

func totalsOf(t *testing.T, recordings []string) map[string][]string {
	t.Helper()
	known.Do(func() {
		all := map[string][]string{}
		for _, path := range recordings {
			totals(t, path, strings.TrimSuffix(filepath.Base(path), ".iotrace"), all)
		}
		for _, lines := range all {
			slices.Sort(lines)
		}
		known.totals = all
	})
	if known.totals == nil {
		t.Fatal("the totals are not known: see the test that asked first")
	}
	return known.totals
}

// totals adds what a trace holds: its calls and copies as show --json says, the rest as its events do.
func totals(t *testing.T, path, name string, want map[string][]string) {
	t.Helper()
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add := func(table, format string, args ...any) {
		want[table] = append(want[table], name+" "+fmt.Sprintf(format, args...))
	}
	for _, c := range p.Calls {
		if !c.Async {
			add("calls", "%s %s %d %d %d", c.Op, c.Name, c.Count, c.Bytes, c.TimeNS)
		}
	}
	group(p.Copies, func(c *profile.Copy) (string, int64) { return string(c.Method), c.Bytes }, func(key string, n, bytes int64) {
		add("copies", "%s %d %d", key, n, bytes)
	})
	amountTotals(p, func(key string, n, bytes int64) { add("amounts", "%s %d %d", key, n, bytes) })
	b, r := events(t, path)
	group(b.Requests, func(e *trace.Request) (string, int64) { return e.Op.String(), e.Bytes },
		func(key string, n, bytes int64) { add("requests", "%s %d %d", key, n, bytes) })
	group(b.Waits, func(e *trace.Wait) (string, int64) { return e.Cause.String(), e.Duration },
		func(key string, n, ns int64) { add("waits", "%s %d %d", key, n, ns) })
	group(b.Files, func(e *trace.File) (string, int64) { return e.Type.String(), 0 },
		func(key string, n, _ int64) { add("files", "%s %d", key, n) })
	group(b.Lost, func(e *trace.Lost) (string, int64) { return e.Kind.String(), int64(e.Count) },
		func(key string, n, lost int64) { add("lost", "%s %d %d", key, n, lost) })
	all, lost := int64(0), int64(0)
	for _, n := range p.Trace.Events {
		all += int64(n)
	}
	end, complete := r.End()
	for _, n := range end.Lost {
		lost += int64(n)
	}
	if complete {
		add("traces", "1 1 %d %d", all, lost)
	}
}

// amountTotals adds up what devices did for what calls moved.
func amountTotals(p *profile.Profile, add func(key string, n, bytes int64)) {
	type part struct {
		key   string
		bytes int64
	}
	var parts []part
	of := func(scope string, m *profile.Moved) {
		parts = append(parts, part{scope + " asked", m.Asked}, part{scope + " moved", m.Moved})
		for _, x := range m.Reasons {
			parts = append(parts, part{scope + " reason", x.Bytes})
		}
		for _, x := range m.Spared {
			parts = append(parts, part{scope + " spared", x.Bytes})
		}
	}
	for scope, list := range map[string][]profile.Amount{"device": p.Amounts.Devices,
		"filesystem": p.Amounts.Filesystems, "file": p.Amounts.Files} {
		for i := range list {
			of(scope+" read", &list[i].Read)
			of(scope+" write", &list[i].Write)
		}
	}
	parts = slices.DeleteFunc(parts, func(x part) bool { return x.bytes == 0 })
	group(parts, func(x *part) (string, int64) { return x.key, x.bytes }, add)
}

// group adds up values by a key.
func group[T any](all []T, of func(*T) (string, int64), add func(key string, n, total int64)) {
	counts, totals := map[string]int64{}, map[string]int64{}
	for i := range all {
		key, v := of(&all[i])
		counts[key]++
		totals[key] += v
	}
	for key, n := range counts {
		add(key, n, totals[key])
	}
}

// events are those of a trace that totals counts.
func events(t testing.TB, path string) (*trace.Batch, *tracefile.Reader) {
	t.Helper()
	f, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := &trace.Batch{}
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			return all, f.Reader
		} else if err != nil {
			t.Fatal(err)
		}
		all.Requests = append(all.Requests, b.Requests...)
		all.Waits = append(all.Waits, b.Waits...)
		all.Files = append(all.Files, b.Files...)
		all.Lost = append(all.Lost, b.Lost...)
	}
}

// The names of hosts and files lead nowhere else, and nothing is there of a trace that cannot be read.
func TestPlaces(t *testing.T) {
	at := Parquet.place("n", trace.Header{Host: "../a b/c=d"})
	if got := at("calls"); got != "calls/host=..%2Fa%20b%2Fc%3Dd/date=unknown/n.parquet" {
		t.Error(got)
	}
	if got := CSV.place("n", trace.Header{})("lost"); got != "lost/host=unknown/date=unknown/n.csv" {
		t.Error(got)
	}
	if got := CSV.place("n", trace.Header{WallStart: time.Date(2026, 1, 2, 23, 0, 0, 0, time.FixedZone("", -7200))})("lost"); got !=
		"lost/host=unknown/date=2026-01-03/n.csv" {
		t.Error(got)
	}
}

// Whichever table there is no room for, as it begins or as it ends, none of the others is left.
func TestNothingIsLeft(t *testing.T) {
	failing := errors.New("no room")
	for at := range 2 * len(tables) {
		dir, n := t.TempDir(), 0
		files := output.NewTree(dir, nil, nil)
		_, err := Parquet.Export("../../testdata/cp.iotrace", "x", output.Destination{Files: full{files, func() error {
			if n++; n == at+1 {
				return failing
			}
			return nil
		}}})
		err = errors.Join(err, files.Close())
		left := -1 // the directory that was there
		_ = filepath.WalkDir(dir, func(string, os.DirEntry, error) error {
			left++
			return nil
		})
		if !errors.Is(err, failing) || left > 0 {
			t.Errorf("failure %d: %v; %d files and directories are left", at, err, left)
		}
	}
}

// Traces that do not know when they began are found by joins, beside others that do.
func TestUndated(t *testing.T) {
	dir := t.TempDir()
	for name, begun := range map[string]time.Time{"dated": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "undated": {}} {
		path := filepath.Join(t.TempDir(), "t.iotrace")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := tracefile.NewWriter(f, trace.Header{OS: "linux", WallStart: begun})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Lost(&trace.Lost{To: 5, Count: 3}), w.Close(trace.End{}), f.Close()); err != nil {
			t.Fatal(err)
		}
		for _, format := range []Format{Parquet, CSV} {
			if _, err := format.Export(path, name, to(dir)); err != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(testenv.Python(t, "duckdb"), "-c", undatedRows, dir).CombinedOutput()
	want := strings.Repeat("[('dated', '2026-01-02', '2026-01-02 03:04:05', 3), ('undated', 'unknown', None, 3)]\n", 2)
	if err != nil || string(out) != want {
		t.Errorf("%v: %s\nwant\n%s", err, out, want)
	}
}

// undatedRows prints traces and their losses, joined as docs/sql.md says.
const undatedRows = `
import duckdb, sys
for format in ['parquet', 'csv']:
    table = lambda name: f"read_{format}('{sys.argv[1]}/{name}/**/*.{format}', hive_partitioning = true)"
    print(duckdb.sql(f"""select trace, date, cast(wall_start as timestamp)::text, count::bigint
        from {table('traces')} as t join {table('lost')} as l using (host, date, trace) order by trace""").fetchall())
`

var update = flag.Bool("update", false, "write the columns in docs/export.md anew")

// The rows of tables in docs/export.md have the columns as they are; what they mean is written by hand.
func TestEveryColumnIsDocumented(t *testing.T) {
	const file = "../../docs/export.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(page)
	f := newFiller("", trace.Header{})
	event := func(e any) []parquetColumn { return f.columns(reflect.TypeOf(e)) }
	of := func(row any) []parquetColumn { return parquetColumns(reflect.TypeOf(row)) }
	all := [][]parquetColumn{event(trace.Syscall{}), event(trace.AsyncOp{}), event(trace.Fault{}),
		event(trace.Request{}), of(pieceRow{}), event(trace.Wait{}), event(trace.Process{}), event(trace.File{}),
		event(trace.Device{}), event(trace.Lost{}), event(trace.RPC{}),
		of(copyRow{}), of(causeRow{}), of(amountRow{}), of(traceRow{})}
	if len(all) != len(tables) {
		t.Fatalf("%d of %d tables", len(all), len(tables))
	}
	for i, columns := range all {
		var names []string
		for _, c := range columns {
			names = append(names, c.Name)
		}
		begin := fmt.Sprintf("\n| `%s` | ", tables[i])
		before, rest, found := strings.Cut(want, begin)
		_, after, ok := strings.Cut(rest, " | ")
		if !found || !ok || names[0] != "trace" {
			t.Fatalf("docs/export.md has no row of %s", tables[i])
		}
		want = before + begin + "`" + strings.Join(names[1:], "`, `") + "` | " + after
	}
	docs.Check(t, file, "", "", want, *update)
}

// What a trace does not tell of how long something took is NULL, not zero.
func TestUntimed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.iotrace")
	for _, limits := range [][]trace.Limit{nil, {trace.LimitNoDurations.Limit()}} {
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := tracefile.NewWriter(f, trace.Header{OS: "linux", Calls: []string{"read"}, Limits: limits})
		if err != nil {
			t.Fatal(err)
		}
		for _, took := range []int64{0, 5} {
			err = errors.Join(err, w.Syscall(&trace.Syscall{Start: 7, Duration: took, Op: trace.OpRead, FD: 3, FD2: -1,
				Offset: -1, Offset2: -1, Result: 1}),
				w.AsyncOp(&trace.AsyncOp{Submit: 7, Complete: 7 + took, Op: trace.OpRead, Offset: -1, API: trace.APILibaio}),
				w.Request(&trace.Request{Queued: -1, Issued: 7, Completed: 7 + took, Device: 1, Bytes: 512, Op: trace.ReqRead,
					Offset: -1, Bios: 1}))
		}
		if err := errors.Join(err, w.Close(trace.End{}), f.Close()); err != nil {
			t.Fatal(err)
		}
		for _, format := range []Format{Parquet, CSV} {
			if _, err := format.Export(path, "t", to(filepath.Join(dir, fmt.Sprint(format, len(limits))))); err != nil {
				t.Fatal(err)
			}
		}
	}
	python := testenv.Python(t, "duckdb")
	out, err := exec.Command(python, "-c", untimedRows, dir).CombinedOutput()
	want := strings.Repeat("[(0,), (5,)] [(0,), (5,)] [(7,), (12,)]\n", 2) +
		strings.Repeat("[(None,), (5,)] [(None,), (5,)] [(None,), (12,)]\n", 2)
	if err != nil || string(out) != want {
		t.Errorf("%v: %s\nwant\n%s", err, out, want)
	}
}

// untimedRows prints the times of the rows in both formats.
const untimedRows = `
import duckdb, glob, sys
def rows(format, limits, table, column):
    path, = glob.glob(f'{sys.argv[1]}/{format}{limits}/{table}/*/*/t.{format}')
    reader = {'parquet': 'read_parquet', 'csv': 'read_csv'}[format]
    return duckdb.sql(f"select {column} from {reader}('{path}')").fetchall()
for limits in '01':
    for format in ['parquet', 'csv']:
        print(rows(format, limits, 'calls', 'duration_ns'), rows(format, limits, 'async_ops', 'duration_ns'),
              rows(format, limits, 'requests', 'completed_ns'))
`
