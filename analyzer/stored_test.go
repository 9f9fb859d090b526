package analyzer

import (
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// stores are of a program that maps a file and waits for what it stores there to be written now and then; what calls
// write is written as well.
func stores(t *testing.T, shared trace.IOFlags, calls bool) *scene {
	s := newScene(t, "engine")
	f := s.file("/srv/state", 32*MiB)
	s.call(trace.Syscall{Op: trace.OpMmap, File: f, Requested: 32 * MiB, Flags: shared | trace.FlagWrite,
		Offset: 0}, us)
	for range 3 {
		if calls {
			s.write(f, 0, 32*MiB, ms)
		}
		s.request(trace.ReqWrite, f, 0, 32*MiB, s.now, s.now+100*ms)
		s.think(100 * ms)
	}
	s.returns()
	return s
}

// TestStoresWrittenBack: a mapped file that is written again and again as a program stores to it is told of; one that
// calls write is not.
func TestStoresWrittenBack(t *testing.T) {
	want := "101 MB of stores to state (33.6 MB and mapped) went to the drive"
	if found := kindsOf(t, stores(t, trace.FlagShared, false))["mapped_written"]; len(found) < len(want) ||
		found[:len(want)] != want {
		t.Errorf("%q, want %q", found, want)
	}
	if found := kindsOf(t, stores(t, trace.FlagShared, true))["mapped_written"]; found != "" {
		t.Error(found)
	}
}
