package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// look asks what there is of a name; errno 0 finds it.
func (s *scene) look(f trace.FileID, op trace.Op, errno trace.Errno, flags trace.IOFlags) {
	s.call(trace.Syscall{Op: op, Call: 4, File: f, Result: -int64(errno), Flags: flags, Offset: trace.NoOffset}, 5*us)
}

// advised is what the answer says to try.
func advised(s *scene) string {
	for _, l := range s.profile().Verdict.Lines {
		if l.Label == "Try" {
			return l.Text
		}
	}
	return ""
}

// TestSearchedNames: an interpreter looks for modules in every directory of its path, and finds each in the last.
func TestSearchedNames(t *testing.T) {
	s := newScene(t, "node")
	for module := range 60 {
		for dir := range 30 {
			s.look(s.name(fmt.Sprintf("/app/%d/node_modules/m%d", dir, module)), trace.OpStat, trace.ErrNoEntry, 0)
		}
		s.look(s.file(fmt.Sprintf("/node_modules/m%d", module), 100), trace.OpStat, 0, 0)
	}
	s.returns()
	named(t, s, "looked_for", "1,800 lookups found nothing, in 30 places for each name (on average)")
	if got := advised(s); !strings.HasPrefix(got, "fewer places to look in") {
		t.Error(got)
	}
}

// TestMissingThenMade: whoever unpacks asks for each name before it makes a file of that. The same names lie in many
// directories, and are searched for in none.
func TestMissingThenMade(t *testing.T) {
	for _, makes := range []bool{true, false} {
		s := newScene(t, "cpio")
		for dir := range 60 {
			for i := range 30 {
				name := fmt.Sprintf("/backup/%d/index%d.html", dir, i)
				s.look(s.name(name), trace.OpStat, trace.ErrNoEntry, 0)
				if f := s.file(name, 0); makes {
					s.open(f, trace.FlagWrite|trace.FlagCreate|trace.FlagExcl)
					s.write(f, 0, 100, 5*us)
					s.close(f)
				}
			}
		}
		s.returns()
		if got := kindsOf(t, s)["looked_for"]; (got == "") != makes {
			t.Errorf("made %v: %q", makes, got)
		}
	}
}

// TestMissingAgain: a configuration that is not there is asked for before each piece of work.
func TestMissingAgain(t *testing.T) {
	s := newScene(t, "httpd")
	config := s.name("/srv/www/.htaccess")
	for range 25_000 {
		s.look(config, trace.OpOpen, trace.ErrNoEntry, trace.FlagRead)
		s.think(50 * us)
	}
	s.returns()
	named(t, s, "looked_for", "/srv/www/.htaccess was looked for 25,000 times and is not there")
	if got := advised(s); !strings.HasPrefix(got, "keep in mind what was not there") {
		t.Error(got)
	}
}

// TestPathsAgain: a program looks at each part of each path that it is given. What others lie in is no file.
func TestPathsAgain(t *testing.T) {
	s := newScene(t, "mailer")
	parts := []trace.FileID{s.name("/srv"), s.name("/srv/mail"), s.name("/srv/mail/templates")}
	for i := range 700 {
		for _, f := range append(parts, s.file(fmt.Sprintf("/srv/mail/templates/%d", i), 100)) {
			s.look(f, trace.OpStat, 0, 0)
		}
	}
	s.returns()
	named(t, s, "resolved_again", "2,100 lookups asked for 3 directories, 700 times each")
	if got := advised(s); !strings.HasPrefix(got, "keep what paths lead to") {
		t.Error(got)
	}
}

// TestMissingBesideOne: many names that are not there are not what a workload waits for that waits in one call.
func TestMissingBesideOne(t *testing.T) {
	s := newScene(t, "find")
	config := s.name("/etc/find.conf")
	for range 1200 {
		s.look(config, trace.OpStat, trace.ErrNoEntry, 0)
	}
	s.call(trace.Syscall{Op: trace.OpStat, Call: 4, File: s.file("/mnt/share/a", 10), Offset: trace.NoOffset}, 5000*ms)
	s.returns()
	named(t, s, "")
}

// TestOnlyLookedAt: who looks at all files and uses few of them, as an indexer, is told where they lie.
func TestOnlyLookedAt(t *testing.T) {
	s := newScene(t, "indexer")
	for i := range 1500 {
		s.look(s.file(fmt.Sprintf("/home/me/build/%d/o%d", i%10, i), 100), trace.OpStat, 0, 0)
	}
	for i := range 20 {
		f := s.file(fmt.Sprintf("/home/me/texts/%d", i), 100)
		s.look(f, trace.OpStat, 0, 0)
		s.open(f, trace.FlagRead)
		s.read(f, 0, 100, 5*us)
		s.close(f)
	}
	s.returns()
	named(t, s, "looked_at", "1,500 files below build were only looked at, neither read nor changed")
	if l := s.profile().Lookups.Looked; l.Others != 20 || l.Under != "/home/me/build" {
		t.Errorf("%+v", l)
	}
}

// TestChangedFiles: files that are changed without their data being used are more than looked at.
func TestChangedFiles(t *testing.T) {
	s := newScene(t, "chmod")
	for i := range 1500 {
		f := s.file(fmt.Sprintf("/home/me/%d", i), 100)
		s.look(f, trace.OpStat, 0, 0)
		s.look(f, trace.OpAttr, 0, 0)
	}
	s.returns()
	named(t, s, "")
}

// TestNotKept: an interpreter that may not write down what it has compiled compiles it each time.
func TestNotKept(t *testing.T) {
	s := newScene(t, "python3")
	dir := s.directory("/opt/app/__pycache__")
	for i := range 12 {
		source := s.file(fmt.Sprintf("/opt/app/m%d.py", i), 5000)
		s.look(s.name(fmt.Sprintf("/opt/app/__pycache__/m%d.pyc", i)), trace.OpOpen, trace.ErrNoEntry, trace.FlagRead)
		s.open(source, trace.FlagRead)
		s.read(source, 0, 5000, 5*us)
		s.think(100 * ms)
		s.look(s.name(fmt.Sprintf("/opt/app/__pycache__/m%d.pyc.1234", i)), trace.OpOpen, trace.ErrAccess,
			trace.FlagWrite|trace.FlagCreate)
	}
	s.look(dir, trace.OpStat, 0, 0)
	s.returns()
	named(t, s, "not_kept",
		"Nothing could be kept in /opt/app/__pycache__ (no permission), where 12 names were looked for")
	if got := advised(s); !strings.HasPrefix(got, "let it write to /opt/app/__pycache__") {
		t.Error(got)
	}
}

// TestNotMade: an interpreter looks for what it has compiled of each source, and keeps nothing of that. One that keeps
// it, or that looks for sources in several places, is another thing.
func TestNotMade(t *testing.T) {
	for _, test := range []struct {
		name  string
		to    string
		keeps bool
		want  string
	}{
		{"nothing is kept", "cache/m%d.v2.elc", false,
			"40 .el files were read, as no .elc of them was there, and none was made"},
		{"it is kept", "cache/m%d.v2.elc", true, ""},
		{"a further place", "local/m%d.el", false, ""},
		{"another tree", "a/b/c/m%d.elc", false, ""},
	} {
		s := newScene(t, "emacs")
		for i := range 40 {
			made := fmt.Sprintf("/app/lisp/"+test.to, i)
			s.look(s.name(made), trace.OpOpen, trace.ErrNoEntry, trace.FlagRead)
			f := s.file(fmt.Sprintf("/app/lisp/m%d.el", i), 5000)
			s.open(f, trace.FlagRead)
			s.read(f, 0, 5000, 5*us)
			s.think(10 * ms)
			if test.keeps {
				s.write(s.create(made), 0, 9000, 5*us)
			}
		}
		s.returns()
		if got := kindsOf(t, s)["not_made"]; (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q", test.name, got)
		}
		if got := advised(s); test.want != "" && !strings.HasPrefix(got, "let it keep what it compiles") {
			t.Error(got)
		}
	}
}

// TestRefusedElsewhere: who may not read a directory, or write where nothing was missing, does no work again for it.
func TestRefusedElsewhere(t *testing.T) {
	s := newScene(t, "find")
	for i := range 30 {
		s.look(s.name(fmt.Sprintf("/root/%d", i)), trace.OpOpen, trace.ErrAccess, trace.FlagRead)
		s.look(s.name(fmt.Sprintf("/usr/%d", i)), trace.OpOpen, trace.ErrReadOnly, trace.FlagWrite|trace.FlagCreate)
		s.look(s.name(fmt.Sprintf("/etc/%d", i)), trace.OpOpen, trace.ErrNoEntry, trace.FlagRead)
	}
	s.returns()
	named(t, s, "")
}
