package analyzer

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/trace"
)

// lock is a call for a lock on a file, which lasts no time to speak of.
func (s *scene) lock(f trace.FileID, result int64) {
	s.call(trace.Syscall{Op: trace.OpLock, Call: 8, File: f, Offset: trace.NoOffset, Result: result}, us)
}

// sleeps is a pause of the acting thread.
func (s *scene) sleeps(d int64) {
	s.wait(trace.WaitSleep, s.now, s.now+d)
	s.think(d)
}

func retries(t *testing.T, do func(s *scene, f trace.FileID)) *profile.Profile {
	t.Helper()
	s := newScene(t, "tries")
	s.header.Calls = append(s.header.Calls, "fcntl")
	f := s.file("/srv/lockfile", MiB)
	do(s, f)
	s.end.Holders = []trace.Holder{{What: "lock", Inode: s.files[f-1].Inode, PID: 77, Command: "backup"}}
	s.returns()
	return s.profile()
}

// What a thread sleeps after it was refused a lock is time in which it waits for that, however few tries it makes, and
// whatever part of the lock it gives back before it sleeps.
func TestRetries(t *testing.T) {
	p := retries(t, func(s *scene, f trace.FileID) {
		for range 3 {
			s.lock(f, 0)
			s.read(f, 0, 16, us)
			s.lock(f, -13)
			s.lock(f, 0) // the part that it had
			s.sleeps(400 * ms)
		}
		s.lock(f, 0)
		s.sleeps(100 * ms) // with the lock: that is its own
	})
	if got := p.Files[0].RetriesNS; got != 1200*ms {
		t.Errorf("slept between tries for %d ns", got)
	}
	c := p.Verdict.Causes[0]
	if c.Code != cause.ThinkTime || !strings.Contains(c.Text, "held a lock on lockfile; between tries to get it the "+
		"program slept, 1.20 s in all") || !strings.Contains(c.Text, "backup") ||
		!strings.Contains(c.Remedy, "under the lock") {
		t.Errorf("%+v", c)
	}
}

// A program that goes on with something else after it was refused sleeps for reasons of its own.
func TestNoRetries(t *testing.T) {
	p := retries(t, func(s *scene, f trace.FileID) {
		other := s.file("/srv/other", MiB)
		for i := range int64(20) {
			s.lock(f, -11)
			s.read(other, i*4096, 4096, us)
			s.sleeps(50 * ms)
		}
	})
	for i := range p.Files {
		if p.Files[i].RetriesNS != 0 {
			t.Errorf("%+v", p.Files[i])
		}
	}
	if c := p.Verdict.Causes[0]; c.Code != cause.ThinkTime || strings.Contains(c.Text, "lock") {
		t.Errorf("%+v", c)
	}
}

// One that gives up after it was refused sleeps for reasons of its own as well.
func TestNoFurtherTry(t *testing.T) {
	for _, op := range []trace.Op{trace.OpLock, trace.OpMkdir} {
		p := retries(t, func(s *scene, f trace.FileID) {
			result := map[trace.Op]int64{trace.OpLock: -11, trace.OpMkdir: -17}[op]
			s.call(trace.Syscall{Op: op, Call: 8, File: f, Offset: trace.NoOffset, Result: result}, us)
			s.sleeps(900 * ms)
			s.read(f, 0, 4096, us)
		})
		if got, text := p.Files[0].RetriesNS, p.Verdict.Causes[0].Text; got != 0 || strings.Contains(text, "lock") {
			t.Errorf("%s: %d ns, %q", op, got, text)
		}
	}
}

// A file or a directory that is there when a program wants to make it is a lock, too, if it sleeps and tries again.
func TestLockFiles(t *testing.T) {
	for _, op := range []trace.Op{trace.OpOpen, trace.OpMkdir} {
		p := retries(t, func(s *scene, f trace.FileID) {
			for range 4 {
				s.call(trace.Syscall{Op: op, Call: 8, File: f, Offset: trace.NoOffset, Result: -17}, us)
				s.sleeps(300 * ms)
			}
			s.call(trace.Syscall{Op: op, Call: 8, File: f, Offset: trace.NoOffset}, us)
		})
		c := p.Verdict.Causes[0]
		if got := p.Files[0].RetriesNS; got != 1200*ms || c.Code != cause.ThinkTime ||
			!strings.Contains(c.Text, "lockfile was there, as a lock file is while another program works; between tries "+
				"to make it the program slept, 1.20 s in all") || !strings.Contains(c.Remedy, "who made lockfile") {
			t.Errorf("%s: %d ns, %+v", op, got, c)
		}
	}
}

// Of a lock file that is made by a link, or a symbolic one, it is the new name that is there, not what it leads to.
func TestRetriesOfLinks(t *testing.T) {
	for _, op := range []trace.Op{trace.OpLink, trace.OpSymlink} {
		p := retries(t, func(s *scene, f trace.FileID) {
			own := s.file("/srv/own", 10)
			for range 12 {
				c := trace.Syscall{Op: op, File: f, Offset: trace.NoOffset, Result: -17}
				if op == trace.OpLink {
					c.File, c.File2 = own, f
				}
				s.call(c, us)
				s.sleeps(50 * ms)
			}
		})
		if text := p.Verdict.Text(); !strings.Contains(text, "lockfile, a lock file, was there 12 times") {
			t.Errorf("%s: %s", op, text)
		}
	}
}

// Who links what may be there already, and is off the CPU for a moment now and then, holds to no lock.
func TestNamesThatMayBeThere(t *testing.T) {
	for every, want := range map[int]bool{1: true, 20: false} {
		p := retries(t, func(s *scene, f trace.FileID) {
			for i := range 200 {
				s.call(trace.Syscall{Op: trace.OpSymlink, File: f, Offset: trace.NoOffset, Result: -17}, us)
				if i%every == 0 {
					s.sleeps(20 * us)
				}
			}
		})
		said := false
		for _, o := range p.Observations {
			said = said || o.Code == "lock_polling"
		}
		if said != want {
			t.Errorf("a sleep every %d tries: lock told: %t", every, said)
		}
	}
}
