package flight

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDump(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	t.Setenv("RUNTIME_DIRECTORY", dir)
	ask := func(pid int, path, wrong string) {
		t.Helper()
		got, err := Dump(context.Background(), pid)
		if got != path || (err == nil) != (wrong == "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q, %v; want %q, %q", got, err, path, wrong)
		}
	}
	ask(0, "", "no flight recorder")
	var fails error
	s, err := ServeDumps(func() (string, error) { return "/traces/a", fails })
	if err != nil {
		t.Fatal(err)
	}
	ask(0, "/traces/a", "")
	ask(os.Getpid(), "/traces/a", "")
	ask(os.Getpid()+1, "", "is no flight recorder")
	fails = errors.New("the disk is full")
	ask(0, "", "the disk is full")
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}

	// Another one, and one that has died.
	other, err := net.Listen("unix", filepath.Join(dir, "1.sock"))
	if err != nil {
		t.Fatal(err)
	}
	ask(0, "", "several recorders run")
	other.(*net.UnixListener).SetUnlinkOnClose(false)
	other.Close()
	fails = nil
	ask(0, "/traces/a", "")
	if err := prepare(dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "1.sock")); err == nil {
		t.Error("the socket of the dead one is still there")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	ask(0, "", "no flight recorder")
}

// TestDirectory: no socket is made where others could put something in its place.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RUNTIME_DIRECTORY", dir)
	if s, err := ServeDumps(nil); err == nil {
		t.Errorf("%s was used", dir)
		s.Close()
	}
}
