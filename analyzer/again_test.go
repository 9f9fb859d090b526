package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/answer"
	"github.com/iotrace/iotrace/trace"
)

// TestLookedAgain: a server asks of each template whether it has changed, at each request. Who looks at each file once
// before and once after its work is not told to do less.
func TestLookedAgain(t *testing.T) {
	looks := func(times int) *scene {
		s := newScene(t, "server")
		for i := range 200 {
			f := s.file(fmt.Sprintf("/srv/templates/%d.html", i), 100)
			for range times {
				s.look(f, trace.OpStat, 0, 0)
			}
		}
		s.returns()
		return s
	}
	named(t, looks(60), "looked_again", "200 files below templates were only looked at, 60 times each")
	if got := advised(looks(60)); !strings.HasPrefix(got, "be told of changes") {
		t.Error(got)
	}
	named(t, looks(6), "")
}

// TestRenamedAgain: a backup renames all before it for a new one, each time; each name is free then, and looked for.
func TestRenamedAgain(t *testing.T) {
	s := newScene(t, "rotate")
	const kept = 100
	at := make([]trace.FileID, kept+1)
	for i := range at {
		at[i] = s.file(fmt.Sprintf("/backup/data.%d", i), 100)
	}
	for range 30 {
		for i := kept - 1; i >= 0; i-- {
			to := s.name(fmt.Sprintf("/backup/data.%d", i+1))
			s.look(to, trace.OpStat, trace.ErrNoEntry, 0)
			s.rename(at[i], to)
			at[i+1] = at[i]
		}
		at[0] = s.create("/backup/data.0")
	}
	s.returns()
	found := kindsOf(t, s)
	if text := found["renamed_again"]; !strings.Contains(text, "files below backup were renamed") {
		t.Errorf("%v", found)
	}
	if text := found["looked_for"]; text != "" { // what is renamed there
		t.Error(text)
	}
}

// TestReread: a compiler reads the same headers for each of its sources. Who reads each twice, and other files more,
// does so for little of it.
func TestReread(t *testing.T) {
	reads := func(times int, beside int64) *scene {
		s := newScene(t, "cc")
		for i := range 40 {
			f := s.file(fmt.Sprintf("/usr/include/h%d.h", i), 100*KiB)
			s.open(f, trace.FlagRead)
			for range times {
				s.read(f, 0, 100*KiB, us)
			}
		}
		if beside > 0 {
			s.read(s.file("/src/film", beside), 0, beside, us)
		}
		s.returns()
		return s
	}
	named(t, reads(12, 0), "reread", "40 files below include were read over and over, 49.2 MB of 4.10 MB; read each once")
	named(t, reads(1, 0), "")
	named(t, reads(12, 64*MiB), "")
	mapped := newScene(t, "fonts") // the same through mappings, which a server does not keep
	for i := range 40 {
		f := mapped.file(fmt.Sprintf("/net/fonts/h%d.otf", i), 100*KiB)
		mapped.open(f, trace.FlagRead)
		for range 12 {
			mapped.now += ms
			mapped.put(mapped.now, &trace.Fault{Start: mapped.now - ms, Duration: ms, PID: mapped.pid, TID: mapped.tid, File: f,
				Filled: 100 * KiB})
		}
	}
	mapped.returns()
	named(t, mapped, "reread", "40 files below fonts were read over and over, 49.2 MB of 4.10 MB")
}

// TestSyncedOver: a table of all jobs is written before each sync, within a file that has room for far more.
func TestSyncedOver(t *testing.T) {
	writes := func(syncs, turns int64) *scene {
		s := newScene(t, "queue")
		f := s.file("/var/jobs", 256*MiB)
		s.open(f, trace.FlagWrite)
		for i := range syncs {
			s.write(f, i%turns*MiB, MiB, us)
			s.call(trace.Syscall{Op: trace.OpDataSync, Call: 5, File: f, Offset: trace.NoOffset}, 5*ms)
		}
		s.returns()
		return s
	}
	const code = "synced_over"
	if text := kindsOf(t, writes(100, 2))[code]; !strings.Contains(text, "2.10 MB of jobs was written over: "+
		"105 MB between 100 syncs; more changes per sync") {
		t.Error(text)
	}
	if text := kindsOf(t, writes(100, 100))[code]; text != "" {
		t.Error(text)
	}
	for _, l := range writes(100, 2).profile().Verdict.Lines { // what the cause and the note have in common, once
		if l.Label == answer.Try && !strings.HasPrefix(l.Text, "more changes per sync (one transaction for many), and only "+
			"what has changed") || strings.Count(l.Text, "per sync") > 1 {
			t.Error(l.Text)
		}
	}
	if text := kindsOf(t, writes(8, 1))[code]; text != "" {
		t.Error(text)
	}
}
