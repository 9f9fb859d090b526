package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// delivered makes a file for each letter and syncs it; it computes for longer than that. Or it changes one file after
// the other that was there, or syncs one again and again.
func delivered(t *testing.T, fresh, again bool) *scene {
	s := newScene(t, "mailer")
	one := s.file("/var/spool/all", 4*KiB)
	for i := range 40 {
		f := one
		switch {
		case again:
		case fresh:
			f = s.create(fmt.Sprintf("/var/spool/letter%d", i))
		default:
			f = s.file(fmt.Sprintf("/var/spool/box%d", i), 4*KiB)
		}
		s.write(f, 0, 4*KiB, 20*us)
		s.call(trace.Syscall{Op: trace.OpSync, Call: 4, File: f, Offset: trace.NoOffset}, 300*us)
		s.now += 2 * ms
	}
	s.returns()
	return s
}

// TestSyncedOnce: new files that are synced one by one are told of though the program computed for longer; not files
// that were there, nor one that is synced again and again.
func TestSyncedOnce(t *testing.T) {
	named(t, delivered(t, true, false), "synced_new", "40 new files, each synced once: 12.0 ms in ")
	for _, s := range []*scene{delivered(t, false, false), delivered(t, true, true)} {
		if found := kindsOf(t, s); found["synced_new"] != "" {
			t.Error(found)
		}
	}
	if got := advised(delivered(t, true, false)); strings.Contains(got, "syncfs") {
		t.Errorf("a program that computes is told %q", got)
	}
}
