//go:build linux

package corpus

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/testenv"
)

// device is a directory on a device that takes as long as a model says, with a
// file of so many MiB that is not in memory.
func device(t testing.TB, m *testenv.Model, mebibytes int) string {
	m.Size = 512 << 20
	dir, end, err := testenv.StartModel(workDir(t), m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	if *every {
		keepTo(t, source(t, dir))
	}
	fill(t, filepath.Join(dir, "file"), mebibytes<<20)
	remount(t, dir)
	return dir
}

// slowDir is one on which each request takes 10 ms, however many there are.
func slowDir(t testing.TB) string {
	return device(t, &testenv.Model{Read: 10 * time.Millisecond, Write: 10 * time.Millisecond}, 16)
}

// rated is one of so many bytes per second.
func rated(t testing.TB, rate int64, mebibytes int) string {
	return device(t, &testenv.Model{Rate: rate, Alone: true}, mebibytes)
}

// remount makes a file system forget what it holds in memory.
func remount(t testing.TB, dir string) {
	from := source(t, dir)
	run(t, "umount", dir)
	run(t, "mount", "-o", "noatime", from, dir)
}

// source is the device of a mounted directory.
func source(t testing.TB, dir string) string {
	return run(t, "findmnt", "--noheadings", "--output", "SOURCE", dir)
}

// warmFile is a file that is in memory and stays there.
func warmFile(t testing.TB, size int) string {
	path := filepath.Join("/dev/shm", fmt.Sprintf("iotrace-corpus-%d", os.Getpid()))
	fill(t, path, size)
	t.Cleanup(func() { os.Remove(path) })
	return path
}

// fragmented writes a file "pieces" into holes of so many KiB, the only free ones.
func fragmented(t testing.TB, dir string, mebibytes, piece int) {
	run(t, "sh", "-c", strings.TrimPrefix(python(`os.chdir(%q)
f = os.open("filler", os.O_RDWR | os.O_CREAT)
v = os.statvfs("."); size = v.f_bfree * v.f_bsize
while True:
    try: os.posix_fallocate(f, 0, size); break
    except OSError: size -= 1 << 20
os.ftruncate(f, size); os.sync()
try:
    while True: open("rest%%d" %% random.randrange(10**12), "ab", 0).write(bytes(65536))
except OSError: pass
import ctypes
punch = ctypes.CDLL(None).fallocate
for i in range(%d): punch(f, 3, ctypes.c_long(i * 2 * %d), ctypes.c_long(%[3]d))
os.sync()
p = os.open("pieces", os.O_WRONLY | os.O_CREAT)
for i in range(%[2]d - 8): os.write(p, os.urandom(%[3]d))
os.fsync(p)`, dir, mebibytes<<10/piece, piece<<10), " "))
	remount(t, dir)
}

// background runs a shell's command in a directory until the test ends, or stop is called.
func background(t testing.TB, dir, script string) (stop func()) {
	c := exec.Command("sh", "-c", "exec >/dev/null 2>&1; cd "+dir+" && "+script)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		_ = c.Wait()
		// What the shell started is this process's child now (testenv.Suite). It holds dir until it has ended.
		for _, err := syscall.Wait4(-c.Process.Pid, nil, 0, nil); err == nil || err == syscall.EINTR; {
			_, err = syscall.Wait4(-c.Process.Pid, nil, 0, nil)
		}
	})
	t.Cleanup(stop)
	return stop
}

// firstServed has a program go before all others of the machine: what it computes takes as long as on an idle one.
const firstServed = "chrt -f 1 "

// begun is how a recorded shell says to what is in the background, by a file, that it has begun.
const begun = ": > begun; "

// afterBegun is the shell's command that waits for that, and then for so many seconds.
func afterBegun(seconds int) string {
	return fmt.Sprintf("until [ -e begun ]; do sleep .02; done; sleep %d", seconds)
}

// lockedBase has another process hold a transaction of the database "base" until so many seconds after the recorded one
// has begun.
func lockedBase(t testing.TB, dir, transaction string, seconds int) {
	background(t, dir, fmt.Sprintf(`(echo "begin %s;"; echo .shell touch held; %s; echo "commit;") | sqlite3 base`,
		transaction, afterBegun(seconds)))
	exists(t, dir+"/held")
}

// exists waits until a file is there, which a program in the background makes when it is ready.
func exists(t testing.TB, file string) {
	t.Helper()
	wait(t, file, func() bool { _, err := os.Stat(file); return err == nil })
}

// limitedDevice is a directory on a device with a limit of a control group (version 1).
func limitedDevice(t testing.TB, file string, limit int64) string {
	path := groups(t, "blkio") + "/blkio.throttle." + file
	dir := mount(t, "ext4", 256<<20)
	number := run(t, "lsblk", "--noheadings", "--nodeps", "--output", "MAJ:MIN", source(t, dir))
	set := func(limit int64) {
		if err := os.WriteFile(path, fmt.Appendf(nil, "%s %d", number, limit), 0o644); err != nil {
			t.Error(err)
		}
	}
	set(limit)
	t.Cleanup(func() { set(0) })
	return dir
}

// control makes a control group (version 1) with a limit.
func control(t testing.TB, controller, file string, limit int) string {
	group := filepath.Join(groups(t, controller), "iotrace-corpus-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		cannot(t)("no control group (version 1): %v", err)
	}
	t.Cleanup(func() { os.Remove(group) })
	if err := os.WriteFile(filepath.Join(group, file), []byte(strconv.Itoa(limit)), 0o644); err != nil {
		t.Fatal(err)
	}
	return group
}

// quota makes one with so many percent of one processor.
func quota(t testing.TB, percent int) string {
	return control(t, "cpu", "cpu.cfs_quota_us", percent*1000)
}

// dirtyBytes sets how much written data may be in memory alone.
func dirtyBytes(t testing.TB, bytes int) {
	const file = "/proc/sys/vm/dirty_bytes"
	old, err := os.ReadFile("/proc/sys/vm/dirty_ratio")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strconv.Itoa(bytes)), 0o644); err != nil {
		cannot(t)("%v", err)
	}
	t.Cleanup(func() {
		if err := os.WriteFile("/proc/sys/vm/dirty_ratio", old, 0o644); err != nil {
			t.Error(err)
		}
	})
}
