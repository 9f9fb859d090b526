package output

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// kind is that of bench.
var kind = WorkspaceKind{
	Name: "iotrace-bench", Maker: "iotrace bench",
	Files: regexp.MustCompile(`^(data|set)-[0-9]{5}$`),
	Dirs:  regexp.MustCompile(`^dir-[0-9]+$`),
}

// data is a file of a run.
func data(s *Workspace) string { return filepath.Join(s.Path(), "data-00001") }

func set(s *Workspace) string { return filepath.Join(s.Path(), "set-00002") }

func mustOpen(t *testing.T, dir string) *Workspace {
	t.Helper()
	ws, err := OpenWorkspace(dir, &kind)
	if err != nil {
		t.Fatal(err)
	}
	return ws
}

func mustClose(t *testing.T, ws *Workspace) {
	t.Helper()
	if err := ws.Close(); err != nil {
		t.Error(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWorkspaceLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data-00001"), "the user's")
	ws := mustOpen(t, dir)
	write(t, data(ws), "ours")
	write(t, set(ws), "ours")
	if err := ws.Check(); err != nil {
		t.Error(err)
	}
	mustClose(t, ws)
	if got := testenv.Listing(t, dir); got != "data-00001" {
		t.Errorf("after the run the directory holds %q", got)
	}
}

// On FUSE and NFS a file that was removed while it was open stays under another name
// for a moment.
func TestWorkspaceWaitsForHiddenFiles(t *testing.T) {
	dir := t.TempDir()
	ws := mustOpen(t, dir)
	write(t, data(ws), "ours")
	hidden := filepath.Join(ws.Path(), ".fuse_hidden0000000100000001")
	write(t, hidden, "the file system's")
	gone := make(chan error)
	go func() {
		time.Sleep(50 * time.Millisecond)
		gone <- os.Remove(hidden)
	}()
	mustClose(t, ws)
	if err := <-gone; err != nil {
		t.Error(err)
	}
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("after the run the directory holds %q", got)
	}
}

func TestTwoRunsInOneDirectory(t *testing.T) {
	dir := t.TempDir()
	ws := mustOpen(t, dir)
	file := data(ws)
	write(t, file, "in use")
	_, err := OpenWorkspace(dir, &kind)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("a second run in the same directory: %v; want an error that names the process of the first", err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("the second run touched the first one's file: %v", err)
	}
	mustClose(t, ws)
	mustClose(t, mustOpen(t, dir))
}

// abandon leaves a workspace as a crash does: the lock is gone, the files stay.
func abandon(t *testing.T, ws *Workspace) {
	t.Helper()
	if err := ws.owner.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLeftoversOfACrashAreRemoved(t *testing.T) {
	dir := t.TempDir()
	ws := mustOpen(t, dir)
	write(t, data(ws), "left")
	write(t, set(ws), "left")
	abandon(t, ws)
	ws = mustOpen(t, dir)
	if ws.Removed != 2 {
		t.Errorf("%d leftovers were removed, not 2", ws.Removed)
	}
	if got := testenv.Listing(t, ws.Path()); got != OwnerName {
		t.Errorf("the taken-over directory holds %q", got)
	}
	mustClose(t, ws)
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("the directory still holds %q", got)
	}
}

func TestCrashBeforeTheFirstFile(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, kind.Name), 0o700); err != nil {
		t.Fatal(err)
	}
	mustClose(t, mustOpen(t, dir))
	// The owner file was created, but nothing written to it.
	if err := os.Mkdir(filepath.Join(dir, kind.Name), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, kind.Name, OwnerName), "")
	mustClose(t, mustOpen(t, dir))
}

// What bench did not make stays, whatever it looks like.
func TestForeignThingsAreNotTouched(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, path string){
		"a file of that name": func(t *testing.T, path string) { write(t, path, "foreign") },
		"a directory without owner": func(t *testing.T, path string) {
			os.Mkdir(path, 0o700)
			write(t, filepath.Join(path, "data-00001"), "foreign")
		},
		"a directory with another owner file": func(t *testing.T, path string) {
			os.Mkdir(path, 0o700)
			write(t, filepath.Join(path, OwnerName), "mine\n")
			write(t, filepath.Join(path, "data-00001"), "foreign")
		},
		"a link to a directory": func(t *testing.T, path string) {
			other := t.TempDir()
			write(t, filepath.Join(other, "data-00001"), "foreign")
			if err := os.Symlink(other, path); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, kind.Name)
			prepare(t, path)
			before := tree(t, path)
			if ws, err := OpenWorkspace(dir, &kind); err == nil || !strings.Contains(err.Error(), "not made by iotrace bench") {
				t.Errorf("got %v; want an error that says whose it is", err)
				if err == nil {
					mustClose(t, ws)
				}
			}
			if after := tree(t, path); after != before {
				t.Errorf("before: %s\nafter: %s", before, after)
			}
		})
	}
}

func tree(t *testing.T, path string) string {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	text := info.Mode().String()
	if info.Mode().IsRegular() {
		return text
	}
	return text + " " + testenv.Listing(t, path)
}

// A file of another name in a leftover is left there, and said so.
func TestUnknownFileInALeftover(t *testing.T) {
	dir := t.TempDir()
	ws := mustOpen(t, dir)
	foreign := filepath.Join(ws.Path(), "precious")
	write(t, foreign, "the user's")
	abandon(t, ws)
	if _, err := OpenWorkspace(dir, &kind); err == nil || !strings.Contains(err.Error(), "precious") {
		t.Errorf("taking over a directory with an unknown file: %v; want an error that names it", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Error(err)
	}
}

func TestVanishedDirectoryIsNoticed(t *testing.T) {
	dir := t.TempDir()
	ws := mustOpen(t, dir)
	if err := os.RemoveAll(ws.Path()); err != nil {
		t.Fatal(err)
	}
	if err := ws.Check(); !errors.Is(err, ErrVanished) {
		t.Errorf("check after removal: %v", err)
	}
	// Somebody else's directory in its place is not ours to clean.
	if err := os.Mkdir(ws.Path(), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(ws.Path(), "data-00001"), "foreign")
	if err := ws.Check(); !errors.Is(err, ErrVanished) {
		t.Errorf("check after replacement: %v", err)
	}
	mustClose(t, ws)
	if got := testenv.Listing(t, ws.Path()); got != "data-00001" {
		t.Errorf("cleaning up took %q from a directory that is not ours", got)
	}
}

func TestOwnerWithoutLocks(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	text := func(pid int, host string) string { return fmt.Sprintf("%s\npid %d\nhost %s\n", kind.line(), pid, host) }
	for _, c := range []struct {
		text         string
		valid, alive bool
	}{
		{text(os.Getpid(), host), true, true},
		{text(1<<30, host), true, false}, // no such process
		{text(1<<30, "elsewhere"), true, true},
		{"", false, false},
		{"something else\npid 1\n", false, true},
	} {
		if o := kind.parse(c.text); o.valid != c.valid || o.alive() != c.alive {
			t.Errorf("%q: valid %v, alive %v", c.text, o.valid, o.alive())
		}
	}
}
