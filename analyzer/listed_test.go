package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/trace"
)

// directory is one that was there before.
func (s *scene) directory(path string) trace.FileID {
	return s.identify(trace.File{Path: path, Device: ext4, Inode: uint64(1000 + len(s.files)), Type: trace.FileDirectory,
		FSType: "ext4", Mount: "/"})
}

// list opens a directory and lists it, in calls that return these many bytes; short leaves out the last one.
func (s *scene) list(dir trace.FileID, short bool, calls ...int64) {
	s.open(dir, trace.FlagRead)
	if !short {
		calls = append(calls, 0)
	}
	for _, n := range calls {
		s.call(trace.Syscall{Op: trace.OpReaddir, File: dir, FD: 3, Requested: 32 * KiB, Result: n, Offset: trace.NoOffset},
			10*us)
	}
	s.call(trace.Syscall{Op: trace.OpClose, Call: 5, File: dir, FD: 3, Offset: trace.NoOffset}, us)
}

// TestListedAgain: a directory that is listed again and again while nothing changes in it is told of, with how often,
// and so is what to do instead, where these calls took the time.
func TestListedAgain(t *testing.T) {
	s := newScene(t, "watcher")
	dir := s.directory("/srv/spool")
	s.list(dir, false, 9000)
	for range 1199 {
		s.list(dir, false, 9000, 600)
	}
	s.list(dir, true, 9000)
	s.list(dir, true)
	s.returns()
	named(t, s, "listed_again", "spool was listed 1,200 times, and had not changed 1,198 times (9.60 kB of entries)")
	p := s.profile()
	if c := p.Verdict.Causes[0]; c.Code != cause.Names || c.Remedy != "fewer files in one directory" {
		t.Errorf("%s: %s", c.Code, c.Remedy)
	}
	for label, want := range map[string]string{
		"Note": "spool was listed 1,200 times", "Try": "list it once and keep the names (inotify tells of changes)",
	} {
		said := ""
		for _, l := range p.Verdict.Lines {
			if l.Label == label {
				said = l.Text
			}
		}
		if !strings.HasPrefix(said, want) {
			t.Errorf("%s: %q, want %q", label, said, want)
		}
	}
}

// TestListedMeanwhile: listings that take hardly any of the time are told of, but fewer of them would not help.
func TestListedMeanwhile(t *testing.T) {
	s := newScene(t, "simulation")
	dir := s.directory("/srv/spool")
	for range 200 {
		s.list(dir, false, 9000)
		s.think(10 * ms)
	}
	s.returns()
	named(t, s, "listed_again", "spool was listed 200 times")
	for _, l := range s.profile().Verdict.Lines {
		if l.Label == "Try" && strings.Contains(l.Text, "list it once") {
			t.Error(l.Text)
		}
	}
}

// TestListedBesideOthers: a look at each file for each listing is a part of it; what else is done to files is not.
func TestListedBesideOthers(t *testing.T) {
	for op, want := range map[trace.Op]string{trace.OpStat: "listed_again", trace.OpAttr: ""} {
		s := newScene(t, "manager")
		dir := s.directory("/home/photos")
		var files []trace.FileID
		for i := range 20 {
			files = append(files, s.file(fmt.Sprint("/home/photos/", i), MiB))
		}
		for range 150 {
			s.list(dir, false, 640)
			for _, f := range files {
				s.call(trace.Syscall{Op: op, File: f, Offset: trace.NoOffset}, 10*us)
			}
		}
		s.returns()
		named(t, s, want, "photos was listed 150 times, and had not changed 149 times")
	}
}

// TestListedWithReason: who goes through a tree, who looks for what has come, and who reads of what the kernel makes up
// is not told to list a directory once.
func TestListedWithReason(t *testing.T) {
	tree := newScene(t, "find")
	for i := range 400 {
		dir := tree.directory(fmt.Sprint("/usr/share/", i))
		for range 2 { // as rm and du do
			tree.list(dir, false, 320)
		}
	}
	grows := newScene(t, "mail")
	box := grows.directory("/srv/new")
	for i := range int64(400) {
		grows.list(box, false, 48+32*i)
	}
	kernel := newScene(t, "top")
	proc := kernel.identify(trace.File{Path: "/proc", Device: trace.MakeDeviceID(0, 5), Inode: 1,
		Type: trace.FileDirectory, FSType: "proc", Mount: "/proc"})
	for range 400 {
		kernel.list(proc, false, 9000)
	}
	few := newScene(t, "make")
	for dir, n := few.directory("/src"), 0; n < 90; n++ {
		few.list(dir, false, 9000)
	}
	cut := newScene(t, "empty?") // one entry is enough for it
	for dir, n := cut.directory("/srv/queue"), 0; n < 400; n++ {
		cut.list(dir, true, 9000)
	}
	for _, s := range []*scene{tree, grows, kernel, few, cut} {
		s.returns()
		named(t, s, "")
	}
}
