//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestSubjects(t *testing.T) {
	for subject, good := range map[string]bool{
		"report: show the critical path":                   true,
		"Add make race":                                    true,
		"tracer, convert/strace: embed the table of calls": true,
		"Bring the time of a test to a second":             true,
		"Revert \"Add make race\"":                         true,
		"# a comment\n\nSay what is wrong":                 true,
		"Shorten " + strings.Repeat("ä", 64):               true,
		"Shorten " + strings.Repeat("a", 65):               false,
		"report: showed the critical path":                 false,
		"Adding make race":                                 false,
		"ebpf: Fixes a leak":                               false,
		"Add make race.":                                   false,
		"":                                                 false,
		"# only a comment":                                 false,
	} {
		file := filepath.Join(t.TempDir(), "message")
		if err := os.WriteFile(file, []byte(subject+"\n\nAdded because it was missing.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if subject == "" || strings.HasPrefix(subject, "# only") {
			_ = os.WriteFile(file, []byte(subject+"\n"), 0o600)
		}
		if out, err := exec.Command(top+"/scripts/hooks/commit-msg", file).CombinedOutput(); (err == nil) != good {
			t.Errorf("%q: %v: %s", subject, err, out)
		}
	}
}

// A change of what users see has an entry in the changelog, or a reason for having none.
func TestChangelogIsKept(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	script, err := filepath.Abs(top + "/scripts/commits")
	if err != nil {
		t.Fatal(err)
	}
	r := repository{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.commit("Begin", "README.md")
	for _, c := range []struct {
		about string
		make  func()
		good  bool
	}{
		{"nothing that users see", func() { r.commit("Mend it", "stats/a.go", "cmd/a_test.go", "report/testdata/b") }, true},
		{"the command", func() { r.commit("Mend it", "cmd/iotrace/a.go") }, false},
		{"what is printed", func() { r.commit("Mend it", "testdata/golden/cp.txt") }, false},
		{"a page", func() { r.commit("Mend it", "docs/json.md") }, false},
		{"measurements", func() { r.commit("Measure anew", "docs/performance.md") }, true},
		{"the entry in a later commit", func() { r.commit("Mend it", "cmd/a.go"); r.commit("Say so", "CHANGELOG.md") }, true},
		{"a reason", func() { r.commit("Mend a comment\n\nWhy.\n\nNo-changelog: a comment", "cmd/a.go") }, true},
		{"a trailer without a reason", func() { r.commit("Mend it\n\nNo-changelog:", "cmd/a.go") }, false},
		{"a reason of another commit", func() {
			r.commit("Mend it\n\nNo-changelog: x", "cmd/a.go")
			r.commit("Mend it", "cmd/b.go")
		}, false},
		{"a subject", func() { r.commit("Mended it", "analyzer/a.go") }, false},
	} {
		r.git("checkout", "-q", "-B", "change", "main")
		c.make()
		run := exec.Command(script, "main")
		run.Dir, run.Env = r.dir, append(os.Environ(), "GITHUB_BASE_REF=")
		if out, err := run.CombinedOutput(); (err == nil) != c.good {
			t.Errorf("%s: %v: %s", c.about, err, out)
		}
	}
}

type repository struct {
	t   *testing.T
	dir string
}

func (r repository) git(args ...string) {
	r.t.Helper()
	settings := []string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"}
	c := exec.Command("git", append(settings, args...)...)
	c.Dir = r.dir
	if out, err := c.CombinedOutput(); err != nil {
		r.t.Fatalf("git %q: %v: %s", args, err, out)
	}
}

// commit adds a line to each of some files.
func (r repository) commit(message string, files ...string) {
	r.t.Helper()
	for _, name := range files {
		name = filepath.Join(r.dir, name)
		was, _ := os.ReadFile(name)
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, append(was, "- a line\n"...), 0o600); err != nil {
			r.t.Fatal(err)
		}
	}
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}
