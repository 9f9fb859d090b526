package generator

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/report/benchmarks"
)

const (
	kib = 1 << 10
	gib = 1 << 30
)

// tiny makes a pattern that runs in milliseconds.
func tiny(p baseline.Pattern) baseline.Pattern {
	p = p.Scaled(baseline.Scale{Size: 8 * mib, Time: 25 * time.Millisecond, Runs: 1})
	p.Discard, p.Pause = 0, 0
	for i := range p.Steps {
		p.Steps[i].Idle = 0
	}
	return p
}

func runBench(t *testing.T, c Config) *baseline.Report {
	t.Helper()
	c.KeepCaches = true
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.Run(context.Background())
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	return r
}

// Every pattern that works on files runs here, moves the bytes it promises, and
// leaves nothing behind.
func TestEveryPatternRuns(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range baseline.Catalogue() {
		steps := asJSON(t, p.Steps) // profiles repeat each other
		if p.Target != baseline.TargetFile || seen[steps] {
			continue
		}
		seen[steps] = true
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			p := tiny(p)
			if p.Name == "atto/sweep" {
				p.Steps = p.Steps[:2*12] // up to 1 MiB
			}
			r := runBench(t, Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}})
			if got := testenv.Listing(t, dir); got != "" {
				t.Errorf("left behind: %s", got)
			}
			skipped := ""
			for i, s := range r.Patterns[0].Places[0].Steps {
				if s.Skipped != "" {
					skipped += fmt.Sprintf("step %s: %s\n", s.Step, s.Skipped)
					continue
				}
				checkRun(t, p.Steps[i], s.Runs[0])
			}
			if p.Name == "copy/clone" && skipped != "" {
				t.Skip(skipped) // few file systems can: TestClones makes one
			}
			if skipped != "" {
				testenv.Missing(t, "%s", skipped)
			}
		})
	}
}

// checkRun compares a run with what its step says.
// asJSON tells steps that differ apart.
func asJSON(t *testing.T, steps []baseline.Step) string {
	t.Helper()
	text, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func checkRun(t *testing.T, s baseline.Step, r baseline.RunResult) {
	t.Helper()
	moved := r.ReadBytes + r.WriteBytes
	switch want, timed := s.Moves(s.FileSize); {
	case s.Op == baseline.Copy:
		if r.WriteBytes != s.FileSize || s.Method == baseline.CopyLoop && r.ReadBytes != s.FileSize {
			t.Errorf("step %s copied %d bytes read and %d written of %d", s.Name, r.ReadBytes, r.WriteBytes, s.FileSize)
		}
	case timed > 0 || s.Limit.Time > 0:
		if moved == 0 || r.ActiveNS < int64(s.Limit.Time)/2 && moved < want {
			t.Errorf("step %s moved %d bytes in %d ns", s.Name, moved, r.ActiveNS)
		}
	default:
		if moved != want {
			t.Errorf("step %s moved %d bytes, not %d", s.Name, moved, want)
		}
	}
	if s.Op == baseline.Read && r.WriteBytes > 0 || s.Op == baseline.Write && r.ReadBytes > 0 {
		t.Errorf("step %s moved %d bytes read, %d written", s.Name, r.ReadBytes, r.WriteBytes)
	}
	if s.Op != baseline.Copy && s.Files == nil && moved != (r.ReadOps+r.WriteOps)*s.Block {
		t.Errorf("step %s: %d operations moved %d bytes", s.Name, r.ReadOps+r.WriteOps, moved)
	}
	if r.ActiveNS <= 0 || r.WallNS < r.ActiveNS || r.Rate != baseline.PerSecond(payloadOf(s, r), r.ActiveNS) {
		t.Errorf("step %s: active %d ns, wall %d ns, rate %d", s.Name, r.ActiveNS, r.WallNS, r.Rate)
	}
	if n := s.Nominal(); r.Achieved > 1.001*float64(n) {
		t.Errorf("step %s kept %g operations outstanding, more than %d", s.Name, r.Achieved, n)
	}
	var course int64
	for _, b := range r.Course.Bytes {
		course += b
	}
	if s.Files == nil && s.Op != baseline.Copy && course != moved {
		t.Errorf("step %s: its course holds %d bytes of %d", s.Name, course, moved)
	}
	if b := s.Burst; b != nil && (len(r.Bursts) == 0 || r.Bursts[0].Bytes != b.Bytes) {
		t.Errorf("step %s: bursts %+v", s.Name, r.Bursts)
	}
}

func payloadOf(s baseline.Step, r baseline.RunResult) int64 { return payload(r, s) }

func simple(op baseline.Op, access baseline.Access) baseline.Step {
	return baseline.Step{Name: string(op), Op: op, ReadShare: 50, Access: access, Block: 4 * kib, Depth: 4, Threads: 2,
		Cache: baseline.Direct, FileSize: 2 * mib, Data: baseline.RandomData}
}

// Both engines, all orders and cache modes.
func TestModes(t *testing.T) {
	dir := t.TempDir()
	for _, threads := range []bool{false, true} {
		for _, access := range []baseline.Access{baseline.Sequential, baseline.Shared, baseline.Random, baseline.Shuffled,
			baseline.Strided, baseline.Interleaved} {
			for _, op := range []baseline.Op{baseline.Read, baseline.Write, baseline.Mixed} {
				for _, cache := range []baseline.Cache{baseline.Direct, baseline.Uncached, baseline.Buffered} {
					t.Run(fmt.Sprintf("threads=%t/%s/%s/%s", threads, access, op, cache), func(t *testing.T) {
						s := simple(op, access)
						s.Cache, s.Stride, s.Streams = cache, 16*kib, 4
						p := baseline.Pattern{Name: "test", Target: baseline.TargetFile, Runs: 1, Steps: []baseline.Step{s},
							Original: baseline.Original{Runs: 1, Pick: baseline.PickSingle, Factor: 1}}
						r := runBench(t, Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}, Threads: threads})
						step := r.Patterns[0].Places[0].Steps[0]
						if step.Skipped != "" {
							testenv.Missing(t, "%s", step.Skipped)
						}
						checkRun(t, s, step.Runs[0])
					})
				}
			}
		}
	}
}

// What a write step writes can be read back: each block of the file is of the
// kind of data, in the file's order of blocks.
func TestDataReachesTheFile(t *testing.T) {
	for _, threads := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "file")
		s := simple(baseline.Write, baseline.Shuffled)
		s.Threads, s.Fresh, s.Data = 1, true, baseline.ByteA
		x := &execution{step: s, path: path, seed: 1, threads: threads, meter: &meter{}}
		if _, err := x.blocks(context.Background()); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || int64(len(got)) != s.FileSize || strings.Trim(string(got), "A") != "" {
			t.Errorf("threads %v: the file has %d bytes, not only A (%v)", threads, len(got), err)
		}
		s.Fresh, s.Data = false, baseline.RandomData
		x = &execution{step: s, path: path, seed: 1, threads: threads, meter: &meter{}}
		if _, err := x.blocks(context.Background()); err != nil {
			t.Fatal(err)
		}
		if got, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for i := 0; i < len(got); i += storage.Sector {
			seen[string(got[i:i+8])] = true
		}
		if len(seen) != len(got)/storage.Sector {
			t.Errorf("threads %v: %d different sectors of %d", threads, len(seen), len(got)/storage.Sector)
		}
	}
}

// Copies equal their source, whatever the method.
func TestCopiesAreEqual(t *testing.T) {
	copiesAreEqual(t, t.TempDir(), baseline.CopyLoop, baseline.CopyFileRange, baseline.CopySendfile)
}

func copiesAreEqual(t *testing.T, dir string, methods ...baseline.Method) {
	t.Helper()
	source := filepath.Join(dir, "source")
	content := make([]byte, 3*mib+12345)
	host.FillRandom(content, 1)
	if err := os.WriteFile(source, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, method := range methods {
		s := baseline.Step{Name: "copy", Op: baseline.Copy, Method: method, Access: baseline.Sequential, Block: mib, Depth: 1,
			Threads: 1, Blocking: true, Cache: baseline.Buffered, FileSize: int64(len(content)), Data: baseline.RandomData,
			Fresh: true}
		target := filepath.Join(dir, string(rune('a'+i)))
		x := &execution{step: s, path: source, seed: 1, meter: &meter{}}
		m, err := (&copying{execution: x, target: target}).copy(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(target); err != nil || string(got) != string(content) {
			t.Errorf("%s: the copy differs (%v)", method, err)
		}
		if m.bytes[0] != s.FileSize || m.durable < m.active {
			t.Errorf("%s: %d bytes, active %d ns, durable %d ns", method, m.bytes[0], m.active, m.durable)
		}
	}
}

// The number of allocations of a run does not depend on its length.
func TestHotPathDoesNotAllocate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, threads := range []bool{false, true} {
		s := simple(baseline.Mixed, baseline.Random)
		s.Cache = baseline.Buffered
		if err := os.WriteFile(path, make([]byte, s.FileSize), 0o600); err != nil {
			t.Fatal(err)
		}
		x := &execution{step: s, path: path, seed: 1, threads: threads, meter: &meter{}}
		mallocs := func(ops int64) uint64 {
			x.step.Limit.Bytes = ops * s.Block
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := x.blocks(context.Background()); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		mallocs(100)
		// Histograms grow by octaves, and the runtime has its own. One allocation every tenth operation would be more.
		const own = 900
		few, many := mallocs(100), mallocs(5000)
		for range 4 { // on a busy machine latencies spread over more octaves; what each operation allocates stays
			if many > few+own {
				few, many = max(few, mallocs(100)), min(many, mallocs(5000))
			}
		}
		if many > few+own {
			t.Errorf("threads %v: %d allocations in 200 operations, %d in 10000", threads, few, many)
		}
	}
}

func TestLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 2*mib), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(change func(*baseline.Step)) *measure {
		t.Helper()
		s := simple(baseline.Read, baseline.Sequential)
		s.Cache, s.Threads = baseline.Buffered, 1
		change(&s)
		m, err := (&execution{step: s, path: path, meter: &meter{}}).blocks(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := run(func(*baseline.Step) {}); m.bytes[1] != 2*mib {
		t.Errorf("without a limit %d bytes were read, not one pass", m.bytes[1])
	}
	if m := run(func(s *baseline.Step) { s.Limit.Bytes = 5 * mib }); m.bytes[1] != 5*mib {
		t.Errorf("%d bytes of 5 MiB were read", m.bytes[1])
	}
	if m := run(func(s *baseline.Step) { s.Threads, s.Limit.Bytes = 3, mib }); m.bytes[1] != 3*mib {
		t.Errorf("three threads read %d bytes, not 1 MiB each", m.bytes[1])
	}
	if m := run(func(s *baseline.Step) { s.Threads, s.Access = 3, baseline.Shared }); m.bytes[1] != 2*mib {
		t.Errorf("three threads that share one pass read %d bytes", m.bytes[1])
	}
	if m := run(func(s *baseline.Step) { s.Limit.Time = 20 * time.Millisecond }); m.active < 20e6 {
		t.Errorf("a limit of 20 ms ended after %d ns", m.active)
	}
	m := run(func(s *baseline.Step) {
		s.Burst, s.Limit.Bytes = &baseline.Burst{Bytes: mib, Count: 4, Duty: 0.5}, 4*mib
	})
	if len(m.bursts) != 4 || m.bytes[1] != 4*mib {
		t.Errorf("bursts %+v, %d bytes", m.bursts, m.bytes[1])
	}
	if m.wall < m.active {
		t.Errorf("bursts were active for %d of %d ns", m.active, m.wall)
	}
}

// The pauses of a duty cycle are those that make it.
func TestDutyCycle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 2*mib), 0o600); err != nil {
		t.Fatal(err)
	}
	s := simple(baseline.Read, baseline.Sequential)
	s.Cache, s.Burst, s.Limit = baseline.Buffered, &baseline.Burst{Bytes: 8 * mib, Count: 5, Duty: 0.2},
		baseline.Limit{Bytes: 40 * mib}
	m, err := (&execution{step: s, path: path, meter: &meter{}}).blocks(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var paused int64 // the pauses that follow the first four of five bursts
	for _, b := range m.bursts[:4] {
		paused += b.NS * 4
	}
	if m.wall < m.active+paused {
		t.Errorf("active %d ns with pauses of %d ns took %d ns", m.active, paused, m.wall)
	}
}

func TestReportForms(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	p, err := baseline.Lookup("cdm/seq1m-q8t1/read")
	if err != nil {
		t.Fatal(err)
	}
	p[0] = tiny(p[0])
	p[0].Runs = 6
	r := runBench(t, Config{Patterns: p, Dirs: []string{a, b}, Seed: 7})
	step := r.Patterns[0].Places[0].Steps[0]
	if step.Skipped != "" {
		testenv.Missing(t, "%s", step.Skipped)
	}
	if step.Rate.N != 6 || step.Rate.Low == nil || step.Shown.Runs != 3 || len(step.Runs) != 6 {
		t.Errorf("summary %+v, shown %+v", step.Rate, step.Shown)
	}
	best := int64(0)
	for _, run := range step.Runs[:3] {
		best = max(best, run.Rate)
	}
	if step.Shown.BytesPerSecond != best || math.Abs(step.Shown.Value-float64(best)/1e6) > 1e-6 {
		t.Errorf("CrystalDiskMark would show the best of 3, %d; got %+v", best, step.Shown)
	}
	if len(r.Patterns[0].Comparisons) != 1 {
		t.Fatalf("comparisons %+v", r.Patterns[0].Comparisons)
	}
	// Runs alternate between the places, in random order within each pair.
	for i := range 6 {
		first, second := r.Patterns[0].Places[0].Steps[0].Runs[i].Order, r.Patterns[0].Places[1].Steps[0].Runs[i].Order
		if (first+1)/2 != (second+1)/2 {
			t.Errorf("run %d: place 1 was number %d and place 2 number %d", i, first, second)
		}
	}
	var text, table strings.Builder
	if err := errors.Join(benchmarks.WriteText(&text, r), benchmarks.WriteCSV(&table, r)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "cdm@9/default/seq1m-q8t1/read") || !strings.Contains(text.String(), "[2]") {
		t.Errorf("the table:\n%s", text.String())
	}
	rows, err := csv.NewReader(strings.NewReader(table.String())).ReadAll()
	if err != nil || len(rows) != 1+2*6 {
		t.Errorf("%d lines of CSV (%v)", len(rows), err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back baseline.Report
	if err := json.Unmarshal(data, &back); err != nil ||
		back.Patterns[0].Places[1].Steps[0].Rate.Median != r.Patterns[0].Places[1].Steps[0].Rate.Median {
		t.Errorf("the report does not survive JSON: %v", err)
	}
}
