package analyzer

import (
	"fmt"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// TestComputed: what is computed between reading a file and writing another one is told by the extensions of both.
// Waits are no computing, nor is what comes after the file was written.
func TestComputed(t *testing.T) {
	s := newScene(t, "convert")
	for i := range 20 {
		from := s.file(fmt.Sprintf("/src/%d.png", i), 64*KiB)
		s.read(from, 0, 32*KiB, us)
		s.think(3 * ms)
		s.read(from, 32*KiB, 32*KiB, us)
		s.wait(trace.WaitSleep, s.now, s.now+2*ms)
		s.think(6 * ms) // of which it slept 2 ms
		to := s.create(fmt.Sprintf("/dst/%d.webp", i))
		s.write(to, 0, 4*KiB, us)
		s.think(ms)
		s.write(to, 4*KiB, 4*KiB, us)
		s.think(5 * ms)
	}
	s.returns()
	want := profile.Computed{From: ".png", To: ".webp", Files: 20, NS: 20 * 8 * ms}
	got := s.profile().Computed
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestComputedByAnother: a process that gets the number of one that has ended has not read what that one read.
func TestComputedByAnother(t *testing.T) {
	s := newScene(t, "convert")
	main, from, to := s.pid, s.file("/src/a.png", 64*KiB), s.file("/dst/a.webp", 0)
	s.fork(200, "reads")
	s.act(200)
	s.read(from, 0, 64*KiB, us)
	s.exit(0)
	s.act(main)
	s.think(1000 * ms)
	s.fork(200, "writes")
	s.act(200)
	s.write(to, 0, 64*KiB, us)
	s.exit(0)
	s.act(main)
	s.returns()
	if got := s.profile().Computed; got != nil {
		t.Errorf("%+v was computed by nobody", got)
	}
}

// TestComputedBesideALock: what little is read of other files, such as a lock or settings, is not what something is
// made out of.
func TestComputedBesideALock(t *testing.T) {
	s := newScene(t, "convert")
	lock, settings := s.file("/src/.convert.lock", 20), s.file("/etc/convert.conf", 2*KiB)
	for i := range 20 {
		s.read(lock, 0, 20, us)
		from := s.file(fmt.Sprintf("/src/%d.flac", i), 64*KiB)
		s.read(from, 0, 64*KiB, us)
		s.think(3 * ms)
		s.read(settings, 0, 2*KiB, us)
		s.think(3 * ms)
		s.write(s.create(fmt.Sprintf("/dst/%d.opus", i)), 0, 4*KiB, us)
	}
	s.returns()
	want := profile.Computed{From: ".flac", To: ".opus", Files: 20, NS: 20 * 6 * ms}
	if got := s.profile().Computed; len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
