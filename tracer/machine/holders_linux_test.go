package machine

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

func TestMain(m *testing.M) { os.Exit(testenv.Suite{M: m}.Run()) }

func TestLocks(t *testing.T) {
	const text = "1: POSIX  ADVISORY  WRITE 3568 fd:00:2531452 0 EOF\n" +
		"1: -> POSIX  ADVISORY  WRITE 4000 fd:00:2531452 0 EOF\n" +
		"1: -> POSIX  ADVISORY  READ 4001 fd:00:2531452 0 99\n" +
		"2: FLOCK  ADVISORY  WRITE 5 00:1a:7 0 EOF\n" +
		"3: OFDLCK ADVISORY  WRITE -1 00:1a:8 0 EOF\n" +
		"3: -> OFDLCK ADVISORY  WRITE -1 00:1a:8 0 EOF\n" +
		"4: -> FLOCK ADVISORY WRITE 9 00:1a:7 0 EOF\nshort\n5: ->\n"
	want := []lock{{0, 3568, 2531452}, {4000, 3568, 2531452}, {4001, 3568, 2531452}, {0, 5, 7}}
	if got := locks(text); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func FuzzLocks(f *testing.F) {
	f.Add("1: POSIX ADVISORY WRITE 3 fd:00:2 0 EOF\n1: -> POSIX ADVISORY WRITE 4 fd:00:2 0 EOF\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, w := range locks(text) {
			if w.holder == 0 {
				t.Errorf("%+v", w)
			}
		}
	})
}

// started is a program that runs until the test ends.
func started(t *testing.T, c *exec.Cmd) uint32 {
	t.Helper()
	if err := c.Start(); err != nil {
		testenv.Missing(t, "%v", err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return uint32(c.Process.Pid)
}

// around is what a search finds that has looked once at the descriptors of some recorded processes.
func around(recorded ...uint32) []trace.Holder {
	asked := make(chan struct{})
	once := sync.OnceFunc(func() { close(asked) })
	s := OpenHolders(nil, func() []uint32 { once(); return recorded },
		func(pid uint32) bool { return slices.Contains(recorded, pid) })
	<-asked
	return s.Close()
}

// flocked is a new file on which this process has a lock.
func flocked(t *testing.T, path string) (inode uint64) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	var info unix.Stat_t
	if err := errors.Join(unix.Flock(int(f.Fd()), unix.LOCK_EX), unix.Fstat(int(f.Fd()), &info)); err != nil {
		t.Fatal(err)
	}
	return info.Ino
}

// Locks that this process holds, one that flock(1) waits for and one on a file that another process has open, and may
// have asked for in vain, and a pipe from this process to cat: all are found.
func TestHolders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	held := uint32(os.Getpid())
	waitedFor, asked := flocked(t, path), flocked(t, path+"-2")
	file, err := os.Open(path + "-2")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	poller := exec.Command("sleep", "60")
	poller.Stdin = file
	polling := started(t, poller)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	waiter := started(t, exec.Command("flock", path, "true"))
	tail := exec.Command("cat")
	tail.Stdin = r
	cat := started(t, tail)
	source := exec.Command("sleep", "60")
	source.Stdout = w
	writer := started(t, source)

	waits := func() bool {
		text, _ := os.ReadFile("/proc/locks")
		return slices.ContainsFunc(locks(string(text)), func(l lock) bool { return l.waiter == waiter })
	}
	for range 1000 {
		if waits() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	found := around(waiter, cat, polling)
	for _, inode := range []uint64{waitedFor, asked} {
		if !slices.ContainsFunc(found, func(h trace.Holder) bool {
			return h.What == trace.HeldLock && h.PID == held && h.Inode == inode && h.Command != ""
		}) {
			t.Errorf("the holder of the lock on inode %d, %d, is not in %+v", inode, held, found)
		}
	}
	if !slices.ContainsFunc(found, func(h trace.Holder) bool {
		return h.What == trace.HeldPipe && h.PID == writer && h.Command == "sleep"
	}) {
		t.Errorf("the writer of the pipe, %d, is not in %+v", writer, found)
	}
}
