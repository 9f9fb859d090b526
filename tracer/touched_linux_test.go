package tracer

import (
	"os"
	"testing"
	"time"
)

// TestStatusChangedLater: of the files that were only read those are listed whose status was changed after their
// contents.
func TestStatusChangedLater(t *testing.T) {
	u := newUsed(t)
	u.file("as written", random(10), false)
	u.file("written by the workload", random(10), true)
	later := u.file("with another mode", random(10), false)
	gone := u.file("gone", random(10), false)
	for _, name := range []string{"written by the workload", "with another mode", "gone"} {
		if err := os.Chtimes(u.path(name), time.Time{}, time.Now().Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(u.path("gone")); err != nil {
		t.Fatal(err)
	}
	touched := contents(u.list, nil, int64(time.Minute)).touched
	if len(touched) != 1 || touched[0].File != later || touched[0].File == gone || touched[0].Changed < 0 ||
		touched[0].Modified > -int64(time.Minute) {
		t.Errorf("%+v", touched)
	}
}

// TestWhenAFileWasChanged: the time of the last change is told on the clock of the trace,
// and never lies in its future.
func TestWhenAFileWasChanged(t *testing.T) {
	u := newUsed(t)
	old, future := u.file("old", random(9000), false), u.file("future", random(9000), true)
	now := time.Now()
	for name, at := range map[string]time.Time{"old": now.Add(-time.Hour), "future": now.Add(time.Hour)} {
		if err := os.Chtimes(u.path(name), time.Time{}, at); err != nil {
			t.Fatal(err)
		}
	}
	found := u.sampled() // the trace began a minute ago
	if got := time.Duration(found[old].Changed).Round(time.Minute); got != -59*time.Minute {
		t.Errorf("changed an hour ago, in a trace of a minute: at %s", got)
	}
	if got := time.Duration(found[future].Changed); got < time.Minute || got > 30*time.Minute {
		t.Errorf("dated in the future: at %s", got)
	}
}
