package analyzer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// A file that is saved as a whole is told of: where new files take its name, and where it is emptied first.
func TestSaved(t *testing.T) {
	save := func(times int, size, beside int64, inPlace bool) *scene {
		s := newScene(t, "editor")
		state := s.file("/home/state.json", size)
		for i := range times {
			if inPlace {
				s.open(state, trace.FlagWrite|trace.FlagTrunc)
				s.write(state, 0, size, us)
				continue
			}
			next := s.create(fmt.Sprintf("/home/.state.%d", i))
			s.write(next, 0, size, us)
			s.close(next)
			s.rename(next, s.name("/home/state.json"))
		}
		if beside > 0 {
			s.write(s.create("/home/video"), 0, beside, us)
		}
		s.returns()
		return s
	}
	for _, inPlace := range []bool{false, true} {
		named(t, save(40, 100_000, 0, inPlace), "saved",
			"state.json was saved as a whole 40 times, 4.00 MB for a file of 100 kB")
		for name, s := range map[string]*scene{
			"too few": save(8, 100_000, 0, inPlace), "too small": save(40, 1000, 0, inPlace),
			"beside a large file": save(40, 100_000, 64*MiB, inPlace),
		} {
			if text := kindsOf(t, s)["saved"]; text != "" {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// Reads that begin within what the one before has brought are told as such; those that skip or go back are not.
func TestReadWithin(t *testing.T) {
	read := func(step int64, times int) *scene {
		s := newScene(t, "parser")
		a := s.file("/srv/table", 2*MiB)
		s.open(a, trace.FlagRead)
		for range times {
			for at := int64(0); at+16*KiB <= 2*MiB; at += step {
				s.read(a, at, 16*KiB, us)
			}
		}
		s.returns()
		return s
	}
	named(t, read(4*KiB, 1), "read_within", "table was read over and over, 8.34 MB of 2.10 MB, as each read begins within")
	named(t, read(16*KiB, 4), "rewound", "table was read over and over")
	named(t, read(64*KiB, 1), "")
}

// What helps with a file that is read over and over depends on the order: a cache where it is read at random.
func TestReadOverAndOver(t *testing.T) {
	for random, want := range map[bool]string{false: "go through it once", true: "a larger cache in the program"} {
		s := newScene(t, "query")
		s.header.Calls = append(s.header.Calls, "madvise")
		a := s.file("/srv/index", 2*MiB)
		s.open(a, trace.FlagRead)
		s.call(trace.Syscall{Op: trace.OpAdvise, Call: uint16(len(s.header.Calls) - 1), File: a, Offset2: 1}, us)
		for i := range int64(2048) { // 4 times
			at := i * 4 * KiB
			if random {
				at = i * i * i % 1021 * 4 * KiB
			}
			s.read(a, at%(2*MiB), 4*KiB, us)
		}
		s.returns()
		p := s.profile()
		i := slices.IndexFunc(p.Observations, func(o profile.Sentence) bool { return o.Code == "rewound" })
		if i < 0 || !strings.HasPrefix(p.Observations[i].Instead, want) {
			t.Errorf("random %v: %+v", random, p.Observations)
		}
		if n := p.Files[0].Advice["random"]; n != 1 {
			t.Errorf("advised %d times: %+v", n, p.Files[0])
		}
	}
}

// Several copies of one file, or of one directory, are told of with what they have in common.
func TestCopiedAgain(t *testing.T) {
	files := func(sources, times int) *scene {
		s := newScene(t, "release")
		for i := range times {
			for k := range sources {
				a := s.file(fmt.Sprintf("/src/base%d.img", k), 4*MiB)
				s.open(a, trace.FlagRead)
				s.loop(a, s.create(fmt.Sprintf("/vm%d/disk%d.img", i, k)), 4*MiB, 256*KiB)
			}
		}
		s.returns()
		return s
	}
	named(t, files(1, 5), "copied_again", "base0.img was copied 5 times, 21.0 MB for 4.19 MB: hard links")
	named(t, files(1, 2), "")
	named(t, files(5, 1), "")
	layers := newScene(t, "layers") // each begins as a copy of the one before
	last := layers.file("/layer0/app", 4*MiB)
	for i := range 5 {
		layers.open(last, trace.FlagRead)
		next := layers.create(fmt.Sprintf("/layer%d/app", i+1))
		layers.loop(last, next, 4*MiB, 256*KiB)
		last = next
	}
	layers.returns()
	named(t, layers, "copied_again", "app was copied 5 times, 21.0 MB for 4.19 MB: hard links")
	p := files(1, 5).profile()
	for _, l := range p.Verdict.Lines {
		if l.Label == "Copied" && !strings.Contains(l.Text, "one source 5 times") {
			t.Errorf("%s", l.Text)
		}
	}
}

// What syncs were for is counted over all files, listed or not, and so is what had nothing to make safe.
func TestSyncedFiles(t *testing.T) {
	s := newScene(t, "restore")
	const files, changed = 40, 10
	for i := range files {
		f := s.file(fmt.Sprintf("/data/%d", i), 64*KiB)
		s.open(f, trace.FlagRead|trace.FlagWrite)
		if i < changed {
			s.write(f, 0, 4*KiB, us)
		}
		s.call(trace.Syscall{Op: trace.OpSync, Call: 5, File: f, Offset: trace.NoOffset}, ms)
	}
	s.returns()
	p := s.profile()
	if len(p.Synced) != 1 {
		t.Fatalf("%+v", p.Synced)
	}
	if x := p.Synced[0]; x.Files != files || x.Syncs != files || x.Unchanged != files-changed || x.Directories != 0 {
		t.Errorf("%+v", x)
	}
	c := p.Verdict.Causes[0]
	if !strings.Contains(c.Text, "(one for each of 40 files), 30 of them of files of which nothing was changed") ||
		!strings.Contains(c.Remedy, "syncfs") {
		t.Errorf("%+v", c)
	}
}

// A file that is removed in the end was synced for nothing; one that another replaced was not.
func TestSyncedAndRemoved(t *testing.T) {
	s := newScene(t, "work")
	const files = 20
	for i := range files {
		f := s.file(fmt.Sprintf("/data/%d.tmp", i), 0)
		s.open(f, trace.FlagRead|trace.FlagWrite|trace.FlagCreate)
		s.write(f, 0, 4*KiB, us)
		s.call(trace.Syscall{Op: trace.OpSync, Call: 5, File: f, Offset: trace.NoOffset}, ms)
		if i%2 == 0 {
			s.call(trace.Syscall{Op: trace.OpUnlink, Call: 6, File: f, Offset: trace.NoOffset}, us)
			continue
		}
		to := s.file("/data/state", 0)
		s.call(trace.Syscall{Op: trace.OpRename, Call: 7, File: f, File2: to, Offset: trace.NoOffset}, us)
	}
	s.returns()
	p := s.profile()
	if len(p.Synced) != 1 || p.Synced[0].Syncs != files || p.Synced[0].Removed != files/2 {
		t.Errorf("%+v", p.Synced)
	}
}

// A journal is removed when the file that it is for was synced with what it holds: its syncs were needed.
func TestSyncedJournal(t *testing.T) {
	s := newScene(t, "database")
	db := s.file("/data/db", 64*KiB)
	s.open(db, trace.FlagRead|trace.FlagWrite)
	sync := func(f trace.FileID) {
		s.write(f, 0, 4*KiB, us)
		s.call(trace.Syscall{Op: trace.OpSync, Call: 5, File: f, Offset: trace.NoOffset}, ms)
	}
	const commits = 20
	for range commits {
		journal := s.file("/data/db-journal", 0)
		s.open(journal, trace.FlagRead|trace.FlagWrite|trace.FlagCreate)
		sync(journal)
		sync(db)
		s.call(trace.Syscall{Op: trace.OpUnlink, Call: 6, File: journal, Offset: trace.NoOffset}, us)
	}
	s.returns()
	p := s.profile()
	if len(p.Synced) != 1 || p.Synced[0].Syncs != 2*commits || p.Synced[0].Removed != 0 {
		t.Errorf("%+v", p.Synced)
	}
}
