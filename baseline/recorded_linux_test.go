package baseline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// TestRecordedPatterns has iotrace record its own benchmarks, and compares every
// operation of the trace with what the pattern says. It needs root and BPF.
func TestRecordedPatterns(t *testing.T) {
	if os.Geteuid() != 0 {
		missing(t, "recording needs root")
	}
	program := filepath.Join(t.TempDir(), "iotrace")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/iotrace/iotrace/cmd/iotrace").CombinedOutput(); err != nil {
		missing(t, "building iotrace: %v\n%s", err, out)
	}
	groups := map[string][]string{}
	seen := map[string]bool{}
	for _, p := range Catalogue() {
		if steps := fmt.Sprint(describeSteps(p.Steps)); p.Target == TargetFile && !seen[steps] {
			seen[steps] = true
			size := "8MiB"
			if p.Name == "atto/sweep" {
				size = "64MiB" // its largest block
			}
			groups[size] = append(groups[size], p.Name)
		}
	}
	for size, names := range groups {
		t.Run(size, func(t *testing.T) { recordPatterns(t, program, size, names) })
	}
}

func recordPatterns(t *testing.T, program, size string, names []string) {
	out := filepath.Join(t.TempDir(), "bench.iotrace")
	args := append([]string{"bench", "-q", "-d", t.TempDir(), "--size", size, "--time", "40ms", "--runs", "1", "--keep-caches", "--json", "-o", out}, names...)
	c := exec.Command(program, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		missing(t, "%v\n%s", err, &stderr)
	}
	var r Report
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	ops, waits := tracedOps(t, out)
	checked := 0
	for _, p := range r.Patterns {
		for i, s := range p.Places[0].Steps {
			for _, run := range s.Runs {
				name := p.Pattern.Name + " " + s.Step
				if run.Requests == nil {
					t.Errorf("%s: no request-level data", name)
					continue
				}
				within := ops.within(run.Requests.WindowStart, run.Requests.WindowEnd)
				checkTraced(t, name, p.Pattern.Steps[i], run, within)
				checked += checkTracedWaits(t, name, p.Pattern.Steps[i], within, waits)
			}
		}
	}
	if t.Logf("the depth was checked at %d waits", checked); checked == 0 {
		t.Error("no wait for a completion was seen")
	}
}

// tracedOp is an operation on a data file, by whatever call.
type tracedOp struct {
	start, end int64
	tid        uint32
	op         trace.Op
	flags      trace.IOFlags
	file       string
	offset     int64
	bytes      int64
	async      bool
}

type tracedList []tracedOp

// tracedOps are the data operations and syncs on data files, in order of their
// start, and for each thread the times at which it entered the kernel to wait
// for a completion: it submits nothing in these calls.
func tracedOps(t *testing.T, path string) (all tracedList, waits map[uint32][]int64) {
	t.Helper()
	f, err := trace.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	files := map[trace.FileID]string{}
	waits = map[uint32][]int64{}
	var b trace.Batch
	for {
		err := f.Next(&b)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Files {
			if base := filepath.Base(b.Files[i].Path); dataNames.MatchString(base) {
				files[b.Files[i].ID] = base
			}
		}
		for i := range b.AsyncOps {
			if a := &b.AsyncOps[i]; files[a.File] != "" {
				all = append(all, tracedOp{a.Submit, a.Complete, a.TID, a.Op, a.Flags, files[a.File], a.Offset, a.Bytes(), true})
			}
		}
		for i := range b.Syscalls {
			s := &b.Syscalls[i]
			if s.Op == trace.OpUringEnter && s.Requested == 0 {
				waits[s.TID] = append(waits[s.TID], s.Start)
			}
			if files[s.File] != "" && (s.Op.MovesData() || s.Op.Durability() || s.Op == trace.OpCloneRange || s.Op == trace.OpClone) {
				all = append(all, tracedOp{s.Start, s.End(), s.TID, s.Op, s.Flags, files[s.File], s.Offset, s.Bytes(), false})
			}
		}
	}
	if end, ok := f.End(); ok {
		for _, kind := range []trace.Kind{trace.KindSyscall, trace.KindAsyncOp, trace.KindFile} {
			if n := end.Lost[kind.String()]; n > 0 {
				t.Errorf("%d events of kind %s were lost", n, kind)
			}
		}
		t.Logf("lost: %v", end.Lost)
	}
	slices.SortStableFunc(all, func(a, b tracedOp) int { return int(a.start - b.start) })
	return all, waits
}

// clockSlack is how far the clock of the trace and that of the report may be
// apart, ns.
const clockSlack = 200_000

// within are the operations of a run. Its syncs are part of it; the sync that
// follows an unsynced run is not.
func (l tracedList) within(from, to int64) tracedList {
	var in tracedList
	for _, o := range l {
		if o.start >= from-clockSlack && o.end <= to+clockSlack {
			in = append(in, o)
		}
	}
	return in
}

func checkTraced(t *testing.T, name string, s Step, run RunResult, ops tracedList) {
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
		if s.Op != Copy && s.Files == nil && o.bytes != s.Block {
			t.Errorf("%s: an operation of %d bytes, block %d", name, o.bytes, s.Block)
		}
	}
	switch {
	case s.Op == Copy && s.Method != CopyLoop:
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
	if s.Op != Copy && s.Files == nil {
		checkTracedOrder(t, name, s, ops)
		checkTracedDepth(t, name, s, ops)
	}
}

func checkTracedFlags(t *testing.T, name string, s Step, o tracedOp) {
	t.Helper()
	if direct := o.flags&trace.FlagDirect != 0; direct != (s.Cache == Direct) {
		t.Errorf("%s: an operation with direct=%v, the cache mode is %s", name, direct, s.Cache)
	}
	if dsync := o.flags&(trace.FlagDSync|trace.FlagSync) != 0; dsync != (s.Sync == SyncWrite) {
		t.Errorf("%s: an operation with dsync=%v, the policy is %q", name, dsync, s.Sync)
	}
	if !s.Blocking && !o.async {
		t.Errorf("%s: a system call moved data, not io_uring", name)
	}
}

// checkTracedOrder: the order of submission is that of the schedule. Operations
// submitted together carry the same time, so with several outstanding sets of
// blocks are compared.
func checkTracedOrder(t *testing.T, name string, s Step, ops tracedList) {
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
		if s.Access == Sequential && s.Nominal() == 1 {
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
	if s.Threads > 1 && s.Access != Shared {
		return // each thread has an order of its own
	}
	checkSpread(t, s, times, n)
}

// checkTracedDepth: never more outstanding than nominal, and several at once if
// there were operations enough. Operations are submitted one by one, and each
// of those calls also posts what has completed meanwhile: on a fast device,
// and more so with a tracer, the kernel sees fewer than the program keeps
// outstanding until it collects them. checkTracedWaits is exact.
func checkTracedDepth(t *testing.T, name string, s Step, ops tracedList) {
	t.Helper()
	type edge struct {
		at   int64
		step int
	}
	var edges []edge
	n := 0
	for _, o := range ops {
		if !o.op.Durability() {
			edges = append(edges, edge{o.start, 1}, edge{o.end, -1})
			n++
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.step - b.step
	})
	depth, most := 0, 0
	for _, e := range edges {
		depth += e.step
		most = max(most, depth)
	}
	if most > s.Nominal() {
		t.Errorf("%s: %d operations outstanding, nominal %d", name, most, s.Nominal())
	}
	if n >= 4*s.Nominal() && most < min(s.Nominal(), max(2, s.Nominal()/8)) && s.Threads == 1 {
		t.Errorf("%s: at most %d of nominally %d operations outstanding in %d", name, most, s.Nominal(), n)
	}
}

// checkTracedWaits: a thread waits only when it has taken every completion, so
// whenever it does, as many operations as it keeps outstanding are in the
// kernel: exactly the depth, from its first wait to its last submission. A
// thread that never waits, because the device is faster, shows nothing here. It
// returns how many waits it has checked.
func checkTracedWaits(t *testing.T, name string, s Step, ops tracedList, waits map[uint32][]int64) (checked int) {
	t.Helper()
	if s.Burst != nil {
		return 0 // the depth runs down at the end of each burst
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
			if submitted == 0 || submitted == len(list) {
				continue // not of this run, or its end
			}
			checked++
			completed := sort.Search(len(ends), func(i int) bool { return ends[i] > at })
			if depth := submitted - completed; depth != s.Depth {
				t.Errorf("%s: a thread waits with %d operations outstanding after %d, its depth is %d", name, depth, submitted, s.Depth)
				break
			}
		}
	}
	return checked
}
