//go:build linux

package ebpf

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// A helper that has ended makes room for others. Where there is none, the recording says so, and has the wake itself.
func TestHelpersAreBounded(t *testing.T) {
	needBPF(t)
	needTools(t, "mkfifo")
	fifo := workDir(t) + "/fifo" // one for each writer, so that none can end the turn of another
	run(t, "mkfifo", fifo+"1", fifo+"2", fifo+"3")
	s, w := launch(t, Options{}, "sh", "-c", `for i in 1 2 3; do read x < "$0$i"; done`, fifo)
	followed := s.collection.Variables["helper_count"]
	count := func() (n uint32) {
		if err := followed.Get(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const writes = `sleep .1; echo x > "$0"; sleep .2`
	first := start(t, "sh", "-c", writes, fifo+"1")
	await(t, "the first one that writes", func() bool { return count() > 0 })
	if err := first.Wait(); err != nil {
		t.Fatal(err)
	}
	// The kernel frees a task some time after its end; kernel threads may have become helpers meanwhile.
	await(t, "its end", func() bool { return !isHelper(t, s, uint32(first.Process.Pid)) })
	kept := count()
	// Kernel threads that were helpers may end meanwhile, which makes room.
	if err := followed.Set(uint32(iotraceBoundMAX_HELPERS) + kept); err != nil {
		t.Fatal(err)
	}
	second := start(t, "sh", "-c", writes, fifo+"2")
	if err := second.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := followed.Set(kept); err != nil {
		t.Fatal(err)
	}
	third := start(t, "sh", "-c", writes, fifo+"3")
	if err := third.Wait(); err != nil {
		t.Fatal(err)
	}
	wait(t, w)
	rec := s.end()
	for n, c := range []uint32{uint32(first.Process.Pid), uint32(second.Process.Pid), uint32(third.Process.Pid)} {
		if _, ok := rec.helper(c); ok != (n != 1) {
			t.Errorf("writer %d is a helper: %t", n+1, ok)
		}
		woke := false
		for _, w := range rec.Waits {
			woke = woke || w.By == trace.WokenByThread && w.Waker == c
		}
		if !woke {
			t.Errorf("writer %d woke nobody", n+1)
		}
	}
	if notes := s.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "512 were followed") {
		t.Errorf("notes: %q", notes)
	}
}

// isHelper tells whether the probes follow a thread.
func isHelper(t *testing.T, s *session, tid uint32) bool {
	t.Helper()
	entries, err := kept[iotraceHelperInfo](s.collection.Maps["helper_slots"], s.collection.Maps["helpers"])
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range entries {
		if h.Tid == tid {
			return true
		}
	}
	return false
}
