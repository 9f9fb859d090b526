package tracer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/trace"
)

// written makes n files of some size and says so as a source does.
func written(t *testing.T, dir string, n int, size int64) []trace.File {
	t.Helper()
	var list []trace.File
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("file%d", i))
		if err := os.WriteFile(path, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
		var st unix.Stat_t
		if err := unix.Stat(path, &st); err != nil {
			t.Fatal(err)
		}
		list = append(list, trace.File{Path: path, Inode: uint64(st.Ino)})
	}
	return list
}

func later() time.Time { return time.Now().Add(time.Minute) }

func TestDrainFewAndMany(t *testing.T) {
	for _, n := range []int{0, 1, syncEach, syncEach + 1} {
		if err := drain(written(t, t.TempDir(), n, 100_000), later(), nil); err != nil {
			t.Errorf("%d files: %v", n, err)
		}
	}
}

// A name that changed hands since must not be followed, waited for or taken for
// the file. Its file system is synced instead.
func TestDrainOfNamesThatChangedHands(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"renamed":  func(p string) error { return os.Rename(p, p+".new") },
		"replaced": func(p string) error { return errors.Join(os.WriteFile(p+".new", nil, 0o644), os.Rename(p+".new", p)) },
		"pipe":     func(p string) error { return errors.Join(os.Remove(p), unix.Mkfifo(p, 0o600)) },
		"link":     func(p string) error { return errors.Join(os.Remove(p), os.Symlink("/dev/tty", p)) },
		"folder":   func(p string) error { return errors.Join(os.Remove(p), os.Mkdir(p, 0o755)) },
	} {
		t.Run(name, func(t *testing.T) {
			files := written(t, t.TempDir(), 1, 10)
			if err := change(files[0].Path); err != nil {
				t.Fatal(err)
			}
			f, same, err := openWritten(&files[0])
			if err != nil || same {
				t.Fatalf("same %v, error %v", same, err)
			}
			f.Close()
			if err := drain(files, later(), nil); err != nil {
				t.Error(err)
			}
		})
	}
	gone := t.TempDir()
	files := written(t, gone, 1, 10)
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	if err := drain(files, later(), nil); err != nil {
		t.Errorf("the folder is gone, too: %v", err)
	}
}

func TestDrainEndsAtItsLimit(t *testing.T) {
	files := written(t, t.TempDir(), 3, 10)
	if err := drain(files, time.Now().Add(-time.Second), nil); !errors.Is(err, errDrainLimit) {
		t.Errorf("error %v, want the limit", err)
	}
	stop := make(chan struct{})
	close(stop)
	if err := drain(files, later(), stop); err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Errorf("error %v, want an interruption", err)
	}
}

func TestDrainSaysWhenDataIsDurable(t *testing.T) {
	f := newFake()
	f.written = written(t, t.TempDir(), 2, 1<<20)
	result, err := Record(options(t, f, "exit 0"))
	if err != nil || result.End.Durable < result.End.CommandEnd || len(result.End.Warnings) > 0 {
		t.Errorf("end %+v, error %v", result.End, err)
	}
}

// What was written to memory is written back nowhere: nothing takes time after the command.
func TestDrainOfMemory(t *testing.T) {
	f := newFake()
	f.written = []trace.File{{Path: "/dev/shm/x", FSType: "tmpfs"}, {Path: "/run/y", FSType: "ramfs"}}
	result, err := Record(options(t, f, "exit 0"))
	if err != nil || result.End.CommandEnd < 0 || result.End.Durable != result.End.CommandEnd {
		t.Errorf("end %+v, error %v", result.End, err)
	}
}

func TestDrainThatFailsIsNotCalledDurable(t *testing.T) {
	f := newFake()
	f.written = []trace.File{{Path: strings.Repeat("x", 300), Inode: 1}} // no name can be that long
	result, err := Record(options(t, f, "exit 0"))
	if err != nil || result.End.Durable != -1 || len(result.End.Warnings) != 1 || !strings.Contains(result.End.Warnings[0],
		"was given up: opening") {
		t.Errorf("end %+v, error %v", result.End, err)
	}
}
