package kdebug

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

func fakeSource(k *fakeKernel) (*Source, *fakeMachine) {
	m := &fakeMachine{}
	s := newSource(Options{Buffer: 4096 * RecordSize}, k, m, Timebase{125, 3}, k.self, k.model)
	s.clock = func() time.Time { return time.Unix(0, s.tick.ns(int64(k.now))) }
	return s, m
}

func finder() tracer.Scope { return tracer.Scope{Names: []string{"Finder"}} }

// record runs a source until wait number n, at which it is cancelled.
func record(t *testing.T, k *fakeKernel, s *Source, n int, each func(i int)) *trace.Log {
	t.Helper()
	if err := s.Attach(finder()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	i := 0
	k.onWait = func() {
		if i++; i >= n {
			cancel()
		}
		each(i)
	}
	var log trace.Log
	if err := s.Record(ctx, &log); err != nil {
		t.Fatal(err)
	}
	return &log
}

func TestSessionSetsUpInOrderAndCleansUp(t *testing.T) {
	k := newFake(t)
	s, m := fakeSource(k)
	log := record(t, k, s, 5, func(int) { k.someCall() })
	want := []int32{7, 4, 6, 22, 5, 3, 21, 10}
	if got := k.history[:len(want)]; !slices.Equal(got, want) {
		t.Errorf("operations %v, want %v", got, want)
	}
	if k.owned || k.enabled || k.ready {
		t.Error("the trace buffer was not given back")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if last := k.history[len(k.history)-1]; last != 7 || countOf(k.history, 7) != 2 {
		t.Errorf("%d removals, the last operation is %d: want one at each end", countOf(k.history, 7), last)
	}
	if len(log.Syscalls) != 5 {
		t.Fatalf("%d calls recorded, want 5", len(log.Syscalls))
	}
	for _, e := range log.Syscalls {
		if e.PID != 500 || log.Path(e.File) != "/Users/u/movie.mov" || e.Result != 4096 {
			t.Errorf("recorded %+v of %q", e, log.Path(e.File))
		}
	}
	if !slices.Contains(m.identified, "/Users/u/movie.mov") {
		t.Error("the file that was open before was not looked up: its disk requests would have no name")
	}
	if len(log.Devices) != 1 || len(log.Processes) != 2 {
		t.Errorf("%d devices and %d processes, want 1 and 2 (Finder and its child)", len(log.Devices), len(log.Processes))
	}
}

func countOf(list []int32, op int32) (n int) {
	for _, o := range list {
		if o == op {
			n++
		}
	}
	return n
}

func TestEveryFailureGivesTheBufferBack(t *testing.T) {
	for _, op := range []int32{4, 6, 22, 5, 3, 21, 10} {
		k := newFake(t)
		k.fail[op] = syscall.ENOMEM
		s, _ := fakeSource(k)
		err := s.Attach(finder())
		if err == nil {
			t.Errorf("operation %d failed and nobody noticed", op)
		}
		if k.owned || k.ready {
			t.Errorf("after operation %d failed the buffer is still taken", op)
		}
	}
}

func TestFailureWhileRecording(t *testing.T) {
	for _, op := range []int32{10, 23} {
		k := newFake(t)
		s, _ := fakeSource(k)
		if err := s.Attach(finder()); err != nil {
			t.Fatal(err)
		}
		k.fail[op] = syscall.EIO
		err := s.Record(context.Background(), &trace.Log{})
		if !errors.Is(err, syscall.EIO) {
			t.Errorf("operation %d: %v", op, err)
		}
		delete(k.fail, op)
		if err := s.Close(); err != nil || k.owned {
			t.Errorf("operation %d: closing: %v, still owned: %t", op, err, k.owned)
		}
	}
}

func TestRefusals(t *testing.T) {
	k := newFake(t)
	k.root = false
	s, _ := fakeSource(k)
	if err := s.Attach(finder()); !errors.Is(err, tracer.ErrPermission) || !strings.Contains(err.Error(), "sudo") {
		t.Errorf("without root: %v", err)
	}
	k = newFake(t)
	k.owner = 99
	s, _ = fakeSource(k)
	err := s.Attach(finder())
	if !errors.Is(err, tracer.ErrUnsupported) || !strings.Contains(err.Error(), "fs_usage (process 99)") {
		t.Errorf("with another owner: %v", err)
	}
	if countOf(k.history, 7) != 1 {
		t.Errorf("%d removals: nothing may be removed that somebody else owns", countOf(k.history, 7))
	}
	k = newFake(t)
	k.limit = 0
	s, _ = fakeSource(k)
	if err := s.Attach(finder()); err == nil || !strings.Contains(err.Error(), "memory") {
		t.Errorf("without a buffer: %v", err)
	}
	k = newFake(t)
	k.dead = true
	s, _ = fakeSource(k)
	if err := s.Attach(finder()); !errors.Is(err, tracer.ErrUnsupported) || k.owned {
		t.Errorf("a kernel that logs nothing: %v", err)
	}
}

// The kernel stops by itself when its buffer fills up while it is being read,
// and says nothing: our own calls are missing from the records then.
func TestSilentStopIsNoticed(t *testing.T) {
	k := newFake(t)
	s, _ := fakeSource(k)
	var stopped uint64
	log := record(t, k, s, 20, func(i int) {
		if i == 5 {
			k.enabled = false
			stopped = k.now
		}
		k.someCall()
	})
	if !k.historyHas(3, 3) {
		t.Fatalf("tracing was not started again: %v", k.history)
	}
	if len(log.Losses) != 1 {
		t.Fatalf("%d losses, want the gap", len(log.Losses))
	}
	gap := log.Losses[0]
	if at := s.tick.ns(int64(stopped - s.start)); gap.From > at || gap.To < gap.From {
		t.Errorf("gap %d…%d does not begin before the stop at %d", gap.From, gap.To, at)
	}
	if n := len(log.Syscalls); n < 15 || n >= 20 {
		t.Errorf("%d calls recorded: a few of 20 must be missing", n)
	}
	if s.Stats().Lost[trace.KindSyscall] != 1 {
		t.Errorf("stats %+v", s.Stats())
	}
}

// historyHas reports whether an operation was used at least n times.
func (k *fakeKernel) historyHas(op int32, n int) bool { return countOf(k.history, op) >= n }

func TestOverflowIsReported(t *testing.T) {
	k := newFake(t)
	s, _ := fakeSource(k)
	log := record(t, k, s, 3, func(i int) {
		if i == 2 {
			for range 5000 {
				k.someCall()
			}
		}
	})
	if len(log.Losses) != 1 || s.Stats().Lost[trace.KindSyscall] != 1 {
		t.Errorf("losses %v, stats %v", log.Losses, s.Stats().Lost)
	}
	if n := len(log.Syscalls); n == 0 || n >= 5000 {
		t.Errorf("%d of 5000 calls", n)
	}
	if st := s.Stats().Cost; st.BufferSize != 4096*RecordSize || st.BufferPeak < st.BufferSize/2 ||
		st.BufferPeak > st.BufferSize {
		t.Errorf("buffer of %d bytes, peak %d", st.BufferSize, st.BufferPeak)
	}
}

// A child whose beginning was in a gap is recognised by its parent.
func TestLostChildrenAreAdopted(t *testing.T) {
	k := newFake(t)
	s, m := fakeSource(k)
	child := func(pid uint64) {
		k.log(Record{DebugID: CallID(3) | FuncStart, Thread: 5000 + pid, Arg: [4]uint64{5, 0, 4096}})
		k.log(Record{DebugID: CallID(3) | FuncEnd, Thread: 5000 + pid, Arg: [4]uint64{0, 4096, 0, pid}})
	}
	log := record(t, k, s, 5, func(i int) {
		if i == 2 {
			m.late = []machine.Process{{PID: 600, Parent: 501, Name: "grandchild"}, {PID: 601, Parent: 99, Name: "other"}}
			for range 3000 {
				k.someCall() // an overflow
			}
		}
		for range 2 {
			child(600)
			child(601)
		}
	})
	seen := map[uint32]int{}
	for _, e := range log.Syscalls {
		seen[e.PID]++
	}
	if seen[600] == 0 || seen[601] != 0 {
		t.Errorf("calls by process: %v", seen)
	}
}

func TestTheFilterLetsThePointsPass(t *testing.T) {
	k := newFake(t)
	s, _ := fakeSource(k)
	if err := s.Attach(finder()); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pass := func(id uint32) bool {
		before := len(k.ring)
		k.log(Record{DebugID: id})
		return len(k.ring) > before
	}
	for _, id := range []uint32{CallID(3), 0x040E0264, 0x040F0314, Lookup, GroupDisk, SpecIoctl, ProcExit, NewThread,
		ExecName, LostEvents, Switch, MakeRunnable} {
		if !pass(id) {
			t.Errorf("%#08x is filtered out", id)
		}
	}
	for _, id := range []uint32{0x01300000, 0x010C0000, 0x03050000, 0x05000000} {
		if pass(id) {
			t.Errorf("%#08x is not filtered out", id)
		}
	}
}

// sinkError fails at a call.
type sinkError struct {
	trace.Log
	left int
}

var errFull = errors.New("disk full")

func (s *sinkError) Syscall(e *trace.Syscall) error {
	if s.left--; s.left < 0 {
		return errFull
	}
	return s.Log.Syscall(e)
}

func TestSinkErrorsEndTheRecording(t *testing.T) {
	k := newFake(t)
	s, _ := fakeSource(k)
	if err := s.Attach(finder()); err != nil {
		t.Fatal(err)
	}
	k.onWait = k.someCall
	if err := s.Record(context.Background(), &sinkError{left: 3}); !errors.Is(err, errFull) {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil || k.owned {
		t.Errorf("close: %v; owned %t", err, k.owned)
	}
}

func TestWrittenWhileRecording(t *testing.T) {
	k := newFake(t)
	s, _ := fakeSource(k)
	if s.Written() != nil {
		t.Error("files written before the recording")
	}
	record(t, k, s, 3, func(int) {
		k.log(Record{DebugID: CallID(4) | FuncStart, Thread: 9000, Arg: [4]uint64{5, 0, 10}})
		k.log(Record{DebugID: CallID(4) | FuncEnd, Thread: 9000, Arg: [4]uint64{0, 10, 0, 500}})
	})
	if got, want := s.Written(), []trace.File{{Path: "/Users/u/movie.mov"}}; !slices.Equal(got, want) {
		t.Errorf("written %+v, want %+v", got, want)
	}
	if len(s.Limits()) == 0 || s.Name() != "kdebug" || len(s.Calls()) < 100 {
		t.Error("the source does not describe itself")
	}
}

func TestProbe(t *testing.T) {
	for _, mac := range []macos.Model{macos.Intel, macos.AppleSilicon} {
		t.Run(mac.String(), func(t *testing.T) { probeFinds(t, mac) })
	}
}

func probeFinds(t *testing.T, mac macos.Model) {
	find := func(checks []tracer.Check, name string) tracer.Check {
		for _, c := range checks {
			if c.Name == name {
				return c
			}
		}
		t.Fatalf("no check %s", name)
		return tracer.Check{}
	}
	k := newFake(t)
	k.model = mac
	k.least = 24 << 20 / 2 / RecordSize // 8 processors
	s, _ := fakeSource(k)
	checks := probe(s, "25.1.0")
	if c := find(checks, "trace buffer"); !strings.HasPrefix(c.Found, "12 MiB") {
		t.Errorf("%+v", c)
	}
	for _, code := range []string{"no_flushes", "mmap_files", "guarded_offsets"} {
		if said := slices.ContainsFunc(checks, func(c tracer.Check) bool {
			return c.Name == "not seen: "+code &&
				c.Remedy != ""
		}); said != (mac == macos.AppleSilicon) {
			t.Errorf("on %s not seen: %s is %t", mac, code, said)
		}
	}
	if c := find(checks, "kernel"); c.Found != "Darwin 25.1.0, "+mac.String() {
		t.Errorf("%+v", c)
	}
	if c := find(checks, "trace buffer"); !c.OK || !c.Required || k.owned {
		t.Errorf("%+v, still owned: %t", c, k.owned)
	}
	if c := find(checks, "whole paths"); !c.OK {
		t.Errorf("%+v", c)
	}
	if c := find(checks, "not seen: network_requests"); c.OK || c.Required {
		t.Errorf("%+v", c)
	}
	k = newFake(t)
	k.owner = 99
	s, _ = fakeSource(k)
	checks = probe(s, "24.3.0")
	if c := find(checks, "trace buffer"); c.OK || !strings.Contains(c.Found, "fs_usage (process 99)") {
		t.Errorf("%+v", c)
	}
	if c := find(checks, "whole paths"); c.OK || c.Required {
		t.Errorf("%+v", c)
	}
}

var _ tracer.Source = (*Source)(nil)
