package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func environment(kv map[string]string) func(string) string {
	return func(k string) string { return kv[k] }
}

func TestAFileIsNoTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := file{f, environment(map[string]string{"TERM": "xterm"})}
	if s.IsTerminal() || s.Color() || s.Width() != 80 {
		t.Errorf("terminal %v, colour %v, width %d; want a plain 80 columns", s.IsTerminal(), s.Color(), s.Width())
	}
	s.getenv = environment(map[string]string{"COLUMNS": "132"})
	if s.Width() != 132 {
		t.Errorf("width %d, want COLUMNS", s.Width())
	}
}

func TestATerminalHasColorUnlessToldOtherwise(t *testing.T) {
	s := file{openTerminal(t), environment(map[string]string{"TERM": "xterm"})}
	if !s.IsTerminal() || !s.Color() {
		t.Errorf("terminal %v, colour %v; want both", s.IsTerminal(), s.Color())
	}
	for _, kv := range []map[string]string{{"NO_COLOR": "1"}, {"TERM": "dumb"}} {
		s.getenv = environment(kv)
		if s.Color() {
			t.Errorf("colour in spite of %v", kv)
		}
	}
}

// Looking at a stream must not change it: the open file is shared with the
// workload and with whoever started us.
func TestLookingDoesNotChangeTheStream(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	s := file{w, environment(nil)}
	fd := s.descriptor()
	before, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil {
		t.Fatal(err)
	}
	s.IsTerminal()
	s.Width()
	after, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || before != after || before&syscall.O_NONBLOCK == 0 {
		t.Errorf("flags were %#x, are %#x (%v)", before, after, err)
	}
}

func TestProgressOnATerminal(t *testing.T) {
	out := &Fake{Terminal: true, Columns: 12}
	called := make(chan struct{}, 100)
	p := NewProgress(out, nil, func(bool) (string, bool) {
		called <- struct{}{}
		return "reading\n9 of 10 events", false
	})
	<-called
	<-called // the first line has been drawn
	p.Println("note")
	p.Stop()
	got := out.String()
	if !strings.Contains(got, "\rreading 9 …\x1b[K") {
		t.Errorf("no line of 11 columns in %q", got)
	}
	if !strings.Contains(got, "\r\x1b[Knote\n") || !strings.HasSuffix(strings.TrimSuffix(got, "note\n"), "\r\x1b[K") {
		t.Errorf("the line is not cleared: %q", got)
	}
}

// A line beneath leaves the cursor where it was, and what removes it removes nothing before the cursor.
func TestProgressBeneath(t *testing.T) {
	out := &Fake{Terminal: true}
	called := make(chan struct{}, 100)
	idle := true
	p := NewProgress(out, nil, func(bool) (string, bool) {
		called <- struct{}{}
		if idle {
			idle = false
			return "9 of 10", true
		}
		return "", true
	})
	for range 3 {
		<-called
	}
	p.Stop()
	if got, want := out.String(), "\n\r9 of 10\x1b[K\r\x1b[A\x1b[J"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestProgressElsewhereIsSilentButAnswers(t *testing.T) {
	out := &Fake{}
	requests := make(chan struct{})
	p := NewProgress(out, requests, func(bool) (string, bool) { return "9 of 10", true })
	requests <- struct{}{}
	requests <- struct{}{} // the first was answered once the second is taken
	close(requests)
	p.Stop()
	if got := strings.ReplaceAll(out.String(), "9 of 10\n", ""); got != "" || out.String() == "" {
		t.Errorf("got %q, want status lines only", out.String())
	}
}

func TestStatusRequests(t *testing.T) {
	requests, stop := StatusRequests()
	defer stop()
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	<-requests
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöü", 3, "äöü"}, {"a\x1b[2Jb", 9, "a [2Jb"}, {"abc", 1, ""},
		{"abc", -1, ""}} {
		if got := cut(c.in, c.width); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}
