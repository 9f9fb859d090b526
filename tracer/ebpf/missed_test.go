//go:build linux

package ebpf

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cilium/ebpf/link"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// The kernel skips a run of a probe now and then. These tests skip all runs of
// one: they take it off its hook.

// programs lists the programs of a hook, its copies included, with their places among the links.
func (s *session) programs(hook string) map[int]string {
	found := map[int]string{}
	for i, name := range s.programNames() {
		if strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(name, "_2"), "_3"), "_") == hook {
			found[i] = name
		}
	}
	if len(found) == 0 {
		s.t.Fatalf("no program is for %s", hook)
	}
	return found
}

func (s *session) unhook(hooks ...string) {
	s.t.Helper()
	for _, hook := range hooks {
		for i := range s.programs(hook) {
			if err := s.links[i].Close(); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

func (s *session) hook(hook string) {
	s.t.Helper()
	of := s.programs(hook)
	for _, i := range slices.Sorted(maps.Keys(of)) {
		l, err := link.AttachTracing(link.TracingOptions{Program: s.collection.Programs[of[i]]})
		if err != nil {
			s.t.Fatal(err)
		}
		s.links[i] = l
	}
}

// begunAt sets when all probes were in place.
func (s *session) begunAt(ns uint64) {
	s.t.Helper()
	if err := s.collection.Variables["begun"].Set(ns); err != nil {
		s.t.Fatal(err)
	}
}

const diskWrites = 1000

// ddTo writes to a disk with dd, one request after the other.
func ddTo(t *testing.T, d *disk) {
	t.Helper()
	run(t, "dd", "if=/dev/zero", "of="+d.path(), "bs=4k", fmt.Sprint("count=", diskWrites), "oflag=direct", "status=none")
}

// writeBack writes to a disk in this process, which is not recorded. The bios
// come from the pool that all buffered writes share.
func writeBack(t *testing.T, d *disk) {
	t.Helper()
	f, err := os.OpenFile(d.path(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for i := range diskWrites {
		if _, err := f.WriteAt(page, int64(i)*32<<10); err != nil { // apart, lest they are merged
			t.Fatal(err)
		}
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
}

// Linux 6.18 skips completions while probes are attached. What was issued before all were in place is no loss.
func TestMissedBeforeItBegins(t *testing.T) {
	needBPF(t)
	for again := range 2 { // of the requests' addresses all come back, or none
		d := newDisk(t, 64<<20)
		s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{uint32(os.Getppid())}})
		s.begunAt(math.MaxUint64)
		s.unhook("block_rq_complete")
		ddTo(t, d)
		s.hook("block_rq_complete")
		s.begunAt(uint64(monotonic()))
		for range again * 3 {
			ddTo(t, d)
		}
		if lost := s.finish().stats.Lost[trace.KindRequest]; lost != 0 {
			t.Errorf("%d requests count as lost, as there were %d more", lost, again*3*diskWrites)
		}
	}
}

// What is known of a bio is not said of another that has its address later, on
// another device, and whose own beginning was missed.
func TestMissedBioIsNotTheOneBefore(t *testing.T) {
	needBPF(t)
	ours, foreign := newDisk(t, 64<<20), newDisk(t, 64<<20)
	s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{uint32(os.Getppid())}})
	s.unhook("block_bio_complete", "block_rq_complete") // what is known of bios stays
	writeBack(t, ours)
	s.unhook("block_bio_queue")
	s.hook("block_rq_complete")
	for range 3 { // an address comes back sooner or later
		writeBack(t, foreign)
	}
	rec := s.finish()
	n, wrong := 0, 0
	for _, q := range rec.requests(foreign.id) {
		if q.Op != trace.ReqWrite {
			continue
		}
		n++
		if q.File != 0 || q.Queued >= 0 || q.PID != 0 {
			if wrong++; wrong == 1 {
				t.Errorf("a request of which nothing but its issue and completion was seen: %+v on %s", q, rec.path(q.File))
			}
		}
	}
	if n != 3*diskWrites || wrong > 0 {
		t.Errorf("%d writes of %d recorded, %d with what belongs to others", n, 3*diskWrites, wrong)
	}
}

// What is known of a bio goes with its request, even where its own completion is missed.
func TestBioGoesWithItsRequest(t *testing.T) {
	needBPF(t)
	d := newDisk(t, 64<<20)
	s := begin(t, Options{}, tracer.Scope{Names: []string{"dd"}})
	s.unhook("block_bio_complete")
	ddTo(t, d)
	left := s.biosOf(d)
	rec := s.finish()
	for _, q := range rec.requests(d.id) {
		if q.Op == trace.ReqWrite && rec.path(q.File) != d.path() {
			t.Fatalf("a write of dd is attributed to %q", rec.path(q.File))
		}
	}
	if left > 0 {
		t.Errorf("%d of %d bios are still known after their requests", left, diskWrites)
	}
}

// A request of which only the beginning or only the end is seen is counted as lost.
func TestMissedRequestsAreCounted(t *testing.T) {
	needBPF(t)
	for _, hook := range []string{"block_rq_issue", "block_rq_complete"} {
		t.Run(hook, func(t *testing.T) {
			d := newDisk(t, 64<<20)
			s := begin(t, Options{}, tracer.Scope{Names: []string{"dd"}})
			s.unhook(hook)
			ddTo(t, d)
			d.idle()
			rec := s.finish()
			if n := len(rec.requests(d.id)); n > 0 {
				t.Errorf("%d requests recorded: the test proves nothing", n)
			}
			if lost := rec.stats.Lost[trace.KindRequest]; lost < diskWrites {
				t.Errorf("%d requests lost on all devices, at least %d on one", lost, diskWrites)
			}
			checkSlices(t, rec)
		})
	}
}

// A task that is not recorded gets the stack of one that was, and whose end was missed: its calls are its own.
func TestMissedExitIsNotTheNextTask(t *testing.T) {
	needBPF(t)
	needTools(t, "sh", "cat")
	if legacyProbes {
		t.Skip("the probes for old kernels do not look at stacks")
	}
	const programs = 100
	path := filepath.Join(workDir(t), "others")
	if err := os.WriteFile(path, []byte("not recorded"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, w := launch(t, Options{}, "sh", "-c", fmt.Sprintf("for i in $(seq %d); do /bin/true; done", programs))
	s.unhook("sched_process_exit", "sched_process_free")
	wait(t, w)
	if taken, _ := s.slots(t); taken == 0 {
		t.Error("the ends of no tasks were missed: the test proves nothing")
	}
	for range programs {
		run(t, "cat", path)
	}
	rec := s.finish()
	if n := len(rec.calls("read", path)); n > 0 {
		t.Errorf("%d reads of a program that was not recorded", n)
	}
}
