package generator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/baseline"
	"github.com/iotrace/iotrace/baseline/storage"
	"github.com/iotrace/iotrace/internal/testenv"
)

// mounted mounts a small file system in memory, which needs root.
func mounted(t *testing.T, options string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		testenv.Missing(t, "mounting needs root")
	}
	dir := t.TempDir()
	if err := unix.Mount("none", dir, "tmpfs", 0, options); err != nil {
		testenv.Missing(t, "mounting a file system in memory: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// once runs f when the benchmark has come to its second run.
func once(b *Bench, f func()) {
	go func() {
		for {
			if b.Activity().Run > 1 {
				f()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
}

// fillUp takes all the space that is left, and what becomes free, until stop is
// closed.
func fillUp(t *testing.T, path string, stop <-chan struct{}) {
	f, err := os.Create(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	block := make([]byte, mib)
	for {
		select {
		case <-stop:
			return
		default:
		}
		for err = nil; err == nil; {
			_, err = f.Write(block)
		}
	}
}

func TestDiskFullWhileRunning(t *testing.T) {
	for _, name := range []string{"dd/zero-buffered", "dd/zero-direct", "copy/loop-128k", "copy/copy_file_range"} {
		t.Run(name, func(t *testing.T) {
			dir := mounted(t, "size=160m")
			p := straced(t, name, 8*mib)
			p.Runs = 100_000
			b, err := New(Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}, KeepCaches: true})
			if err != nil {
				t.Fatal(err)
			}
			stop, filled := make(chan struct{}), make(chan struct{})
			once(b, func() { fillUp(t, filepath.Join(dir, "filler"), stop); close(filled) })
			r, err := b.Run(context.Background())
			close(stop)
			<-filled
			if r != nil && len(r.Patterns) == 1 && r.Patterns[0].Places[0].Steps[0].Skipped != "" {
				testenv.Missing(t, "%s", r.Patterns[0].Places[0].Steps[0].Skipped)
			}
			if !errors.Is(err, unix.ENOSPC) || !strings.Contains(err.Error(), "is full") ||
				!strings.Contains(err.Error(), "--size") {
				t.Errorf("a full disk: %v", err)
			}
			if !r.Interrupted || r.Patterns[0].Places[0].Steps[0].Rate.N == 0 {
				t.Error("the runs before the error were not kept")
			}
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			if got := testenv.Listing(t, dir); got != "filler" {
				t.Errorf("after the error the directory holds %q, not only the file of others", got)
			}
		})
	}
}

func TestNoSpaceToBeginWith(t *testing.T) {
	dir := mounted(t, "size=32m")
	if _, err := New(Config{Patterns: []baseline.Pattern{straced(t, "dd/zero-buffered", 64*mib)},
		Dirs: []string{dir}}); err == nil || !strings.Contains(err.Error(), "free space") {
		t.Errorf("a disk that is too small: %v", err)
	}
	if _, err := NewSustained(SustainedConfig{Dir: dir, Total: gib}); err == nil ||
		!strings.Contains(err.Error(), "--total") {
		t.Errorf("a disk that is too small for a sustained run: %v", err)
	}
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}

// Two directories on one file system share its space.
func TestSpaceIsSharedByDirectories(t *testing.T) {
	dir := mounted(t, "size=200m")
	var dirs []string
	for _, name := range []string{"a", "b"} {
		dirs = append(dirs, filepath.Join(dir, name))
		if err := os.Mkdir(dirs[len(dirs)-1], 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := straced(t, "dd/zero-buffered", 90*mib)
	b, err := New(Config{Patterns: []baseline.Pattern{p}, Dirs: dirs[:1]})
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if _, err := New(Config{Patterns: []baseline.Pattern{p}, Dirs: dirs}); err == nil || !strings.Contains(err.Error(),
		"free space") {
		t.Errorf("two directories that need 90 MiB each of 200: %v", err)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	dir := mounted(t, "size=32m,ro")
	_, err := New(Config{Patterns: []baseline.Pattern{straced(t, "dd/zero-buffered", mib)}, Dirs: []string{dir}})
	if !errors.Is(err, unix.EROFS) || !strings.Contains(err.Error(), dir) {
		t.Errorf("a read-only file system: %v", err)
	}
}

// TestCrashedRun kills a run and starts another in the same directory.
func TestCrashedRun(t *testing.T) {
	if dir := os.Getenv("IOTRACE_TEST_CRASH"); dir != "" {
		p := straced(t, "dd/zero-buffered", mib)
		p.Runs = 1_000_000
		runBench(t, Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}})
		return
	}
	dir := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run=^TestCrashedRun$")
	c.Env = append(os.Environ(), "IOTRACE_TEST_CRASH="+dir)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, storage.WorkName, "data-*")
	for found := []string(nil); len(found) == 0; found, _ = filepath.Glob(data) {
		time.Sleep(time.Millisecond)
	}
	p := straced(t, "dd/zero-buffered", mib)
	_, err := New(Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}})
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d", c.Process.Pid)) {
		t.Errorf("a second run while process %d runs: %v", c.Process.Pid, err)
	}
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	b, err := New(Config{Patterns: []baseline.Pattern{p}, Dirs: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if got := testenv.Listing(t, dir); got != "" {
		t.Errorf("left behind: %s", got)
	}
}
