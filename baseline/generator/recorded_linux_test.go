package generator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// TestRecordedPatterns has iotrace record its own benchmarks, and compares every
// operation of the trace with what the pattern says. It needs root and BPF. It
// runs on whatever disk there is: how many operations were outstanding, and
// whether anybody had to wait, is that disk's doing (see TestRecordedDepth).
func TestRecordedPatterns(t *testing.T) {
	program := recorder(t)
	groups := map[string][]string{}
	seen := map[string]bool{}
	for _, p := range baseline.Catalogue() {
		if steps := asJSON(t, p.Steps); p.Target == baseline.TargetFile && !seen[steps] {
			seen[steps] = true
			size := "8MiB"
			if p.Name == "atto/sweep" {
				size = "64MiB" // its largest block
			}
			groups[size] = append(groups[size], p.Name)
		}
	}
	for size, names := range groups {
		t.Run(size, func(t *testing.T) {
			waits, duration := 0, "40ms"
			if size == "64MiB" {
				duration = "" // ATTO's steps have none
			}
			recordPatterns(t, program, t.TempDir(), size, duration, names, func(name string, s baseline.Step,
				run baseline.RunResult, ops tracedList, at map[uint32][]int64) {
				checkTraced(t, name, s, run, ops)
				waits += checkTracedWaits(t, name, s, ops, at)
			})
			t.Logf("the depth was checked at %d waits", waits)
		})
	}
}

// TestRecordedDepth has iotrace record its benchmarks of a device so slow that
// they have to wait for it: whenever they do, and so at the most, their depth is
// the nominal one.
func TestRecordedDepth(t *testing.T) {
	program := recorder(t)
	dir, device := loopFS(t, "ext4", 128*mib)
	limit := throttle(t, device)
	var names []string
	seen := map[string]bool{}
	for _, p := range baseline.Catalogue() {
		for _, s := range p.Steps {
			kind := fmt.Sprint(s.Op, s.Block, s.Depth, s.Threads, s.Burst != nil)
			if p.Target == baseline.TargetFile && slow(s) && !seen[kind] {
				seen[kind] = true
				names = append(names, p.Name)
			}
		}
	}
	limit("riops", 1000) // the kernel may let those of 100 ms pass at once
	limit("wiops", 1000)
	runs, shown := 0, 0
	recordPatterns(t, program, dir, "2MiB", "300ms", slices.Compact(names), func(name string, s baseline.Step,
		run baseline.RunResult, ops tracedList, at map[uint32][]int64) {
		checkTraced(t, name, s, run, ops)
		waits := checkTracedWaits(t, name, s, ops, at)
		if !slow(s) {
			return
		}
		if runs++; run.ReadOps+run.WriteOps < past(s) {
			return
		}
		shown++
		if most := mostOutstanding(ops); waits == 0 || s.Threads == 1 && most != s.Nominal() {
			t.Errorf("%s: at most %d of nominally %d operations outstanding in %d, %d waits", name, most, s.Nominal(),
				len(ops), waits)
		}
	})
	if 10*shown < 9*runs {
		t.Errorf("only %d of %d runs were long enough to show their depth", shown, runs)
	}
}

// past is how many operations show the depth of a step: all its threads have
// submitted as many as they keep outstanding, and some have waited for one to
// complete and gone on. A run has fewer if the machine stood still for most of it.
func past(s baseline.Step) int64 {
	return int64(s.Nominal() + max(s.Nominal()/4, 1))
}

// slow says whether a step keeps operations outstanding at the device itself and
// ends in time however slow that is.
func slow(s baseline.Step) bool {
	return !s.Blocking && s.Cache == baseline.Direct && s.Files == nil && s.Op != baseline.Copy && s.Block <= 64*kib &&
		s.Limit.Time > 0
}

// recorder is the program, built from this tree.
func recorder(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		testenv.Missing(t, "recording needs root")
	}
	program := filepath.Join(t.TempDir(), "iotrace")
	if out, err := exec.Command("go", "build", "-o", program,
		"github.com/iotrace/iotrace/cmd/iotrace").CombinedOutput(); err != nil {
		testenv.Missing(t, "building iotrace: %v\n%s", err, out)
	}
	return program
}

// recordPatterns records patterns at work in a directory, and has each run
// checked: its operations, and when its threads waited.
func recordPatterns(t *testing.T, program, dir, size, duration string, names []string,
	check func(name string, s baseline.Step, run baseline.RunResult, ops tracedList, waits map[uint32][]int64),
) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "bench.iotrace")
	args := append([]string{"bench", "-q", "-d", dir, "--size", size, "--runs", "1", "--keep-caches", "--json",
		"-o", out}, names...)
	if duration != "" {
		args = append(args, "--time", duration)
	}
	c := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		testenv.Missing(t, "%v\n%s", err, &stderr)
	}
	var r baseline.Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	ops, waits := tracedOps(t, out)
	for _, p := range r.Patterns {
		for i, s := range p.Places[0].Steps {
			for _, run := range s.Runs {
				name := p.Pattern.Name + " " + s.Step
				if run.Requests == nil {
					t.Errorf("%s: no request-level data", name)
					continue
				}
				within := ops.within(run.Requests.WindowStart, run.Requests.WindowEnd)
				check(name, p.Pattern.Steps[i], run, within, waits)
			}
		}
	}
}

func checkTraced(t *testing.T, name string, s baseline.Step, run baseline.RunResult, ops tracedList) {
	t.Helper()
	var reads, writes, syncs int64
	var readBytes, writeBytes int64
	for _, o := range ops {
		switch {
		case o.op.Durability():
			syncs++
			continue
		case o.op == trace.OpWrite:
			writes++
			writeBytes += o.bytes
		default: // read, and copies: their file is the source
			reads++
			readBytes += o.bytes
		}
		checkTracedFlags(t, name, s, o)
		if s.Op != baseline.Copy && s.Files == nil && o.bytes != s.Block {
			t.Errorf("%s: an operation of %d bytes, block %d", name, o.bytes, s.Block)
		}
	}
	switch {
	case s.Op == baseline.Copy && s.Method != baseline.CopyLoop:
		if readBytes != run.WriteBytes {
			t.Errorf("%s: the trace has %d bytes copied, the result %d", name, readBytes, run.WriteBytes)
		}
	case reads != run.ReadOps || writes != run.WriteOps || readBytes != run.ReadBytes || writeBytes != run.WriteBytes:
		t.Errorf("%s: the trace has %d reads of %d bytes and %d writes of %d bytes, the result %d of %d and %d of %d", name,
			reads, readBytes, writes, writeBytes, run.ReadOps, run.ReadBytes, run.WriteOps, run.WriteBytes)
	}
	if syncs < run.Syncs {
		t.Errorf("%s: the trace has %d syncs, the result %d", name, syncs, run.Syncs)
	}
	if s.Op != baseline.Copy && s.Files == nil {
		checkTracedOrder(t, name, s, ops)
		checkTracedDepth(t, name, s, ops)
	}
}

func checkTracedFlags(t *testing.T, name string, s baseline.Step, o tracedOp) {
	t.Helper()
	if direct := o.flags&trace.FlagDirect != 0; direct != (s.Cache == baseline.Direct) {
		t.Errorf("%s: an operation with direct=%v, the cache mode is %s", name, direct, s.Cache)
	}
	if dsync := o.flags&(trace.FlagDSync|trace.FlagSync) != 0; dsync != (s.Sync == baseline.SyncWrite) {
		t.Errorf("%s: an operation with dsync=%v, the policy is %q", name, dsync, s.Sync)
	}
	if !s.Blocking && !o.async {
		t.Errorf("%s: a system call moved data, not io_uring", name)
	}
}

// checkTracedOrder: the order of submission is that of the schedule. Operations
// submitted together carry the same time, so with several outstanding sets of
// blocks are compared.
func checkTracedOrder(t *testing.T, name string, s baseline.Step, ops tracedList) {
	t.Helper()
	times := map[int64]int{}
	next := map[trace.Op]int64{}
	n := 0
	for _, o := range ops {
		if o.op.Durability() {
			continue
		}
		n++
		if o.offset < 0 || o.offset%s.Block != 0 || o.offset+o.bytes > s.FileSize {
			t.Fatalf("%s: an operation at %d of a file of %d", name, o.offset, s.FileSize)
		}
		times[o.offset]++
		if s.Access == baseline.Sequential && s.Nominal() == 1 {
			stream := trace.OpOther
			if s.SplitMix {
				stream = o.op
			}
			if o.offset != next[stream] {
				t.Fatalf("%s: an operation at %d, the next of its stream is at %d", name, o.offset, next[stream])
			}
			next[stream] = (o.offset + s.Block) % s.FileSize
		}
	}
	if s.Threads > 1 && s.Access != baseline.Shared {
		return // each thread has an order of its own
	}
	checkSpread(t, s, times, n)
}

// checkTracedDepth: never more outstanding than nominal. There may be fewer:
// operations are submitted one by one, and each of those calls also posts what
// has completed meanwhile, which on a device as fast as memory is all of it.
// TestRecordedDepth is exact.
func checkTracedDepth(t *testing.T, name string, s baseline.Step, ops tracedList) {
	t.Helper()
	if most := mostOutstanding(ops); most > s.Nominal() {
		t.Errorf("%s: %d operations outstanding, nominal %d", name, most, s.Nominal())
	}
}

// mostOutstanding is how many operations were outstanding at once, at the most.
func mostOutstanding(ops tracedList) (most int) {
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	for _, o := range ops {
		if !o.op.Durability() {
			edges = append(edges, edge{o.start, 1}, edge{o.end, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.step - b.step
	})
	depth := 0
	for _, e := range edges {
		depth += e.step
		most = max(most, depth)
	}
	return most
}

// checkTracedWaits: a thread waits only when it has taken every completion, so
// whenever it does, as many operations as it keeps outstanding are in the
// kernel: exactly the depth, from its first wait to its last submission. A
// thread that never waits, because the device is faster, shows nothing here. It
// returns how many waits it has checked. (Completions are posted within its calls
// only, from Linux 6.1 on; before, one may come just before it waits.)
func checkTracedWaits(t *testing.T, name string, s baseline.Step, ops tracedList,
	waits map[uint32][]int64) (checked int) {
	t.Helper()
	perBurst := math.MaxInt
	if b := s.Burst; b != nil {
		perBurst = int(max(b.Bytes/s.Block, 1))
	}
	threads := map[uint32]tracedList{}
	for _, o := range ops {
		if o.async {
			threads[o.tid] = append(threads[o.tid], o)
		}
	}
	for tid, list := range threads {
		ends := make([]int64, len(list))
		for i, o := range list {
			ends[i] = o.end
		}
		slices.Sort(ends)
		for _, at := range waits[tid] {
			submitted := sort.Search(len(list), func(i int) bool { return list[i].start >= at })
			if submitted == len(list) || submitted%perBurst == 0 {
				continue // not of this run, or the depth runs down at its end or that of a burst
			}
			checked++
			completed := sort.Search(len(ends), func(i int) bool { return ends[i] > at })
			if depth := submitted - completed; depth != s.Depth {
				t.Errorf("%s: a thread waits with %d operations outstanding after %d, its depth is %d", name, depth,
					submitted, s.Depth)
				break
			}
		}
	}
	return checked
}
