//go:build linux

package corpus

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/internal/testenv"
)

// remedies are programs, and words of what helps them.
var remedies = []struct {
	name string
	make func(testing.TB) []string
	want string
}{
	{"a queue that is opened for each job", func(t testing.TB) []string {
		return in(workDir(t), python(`for i in range(30000):
    f = os.open("queue", os.O_RDWR | os.O_CREAT); os.pwrite(f, b"job %%8d" %% i, i * 12); os.close(f)`))
	}, "queue was opened 30,000 times"},
	{"a mapped table copied in order, said to be read at random", func(t testing.TB) []string {
		return in(device(t, &testenv.Model{Read: time.Millisecond}, 4), python(`f = open("file", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ); m.madvise(mmap.MADV_RANDOM); b = bytes(m)`))
	}, "leave out MADV_RANDOM"},
	{"many small files, read one by one", func(t testing.TB) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond}, 1)
		run(t, "sh", "-c", "cd "+dir+" && for i in $(seq 400); do head -c 3000 /dev/zero > $i; done")
		remount(t, dir)
		return in(dir, "cat [0-9]* > /dev/null")
	}, " files below "},
	{"a mail for each file, more than are listed", func(t testing.TB) []string {
		return in(smallFiles(t, 2500), "find . -type f | xargs cat > /dev/null")
	}, parallel},
	{"small files in an archive", func(t testing.TB) []string {
		return in(smallFiles(t, 1500), "tar cf - . | wc -c")
	}, parallel},
	{"icons, each mapped", func(t testing.TB) []string {
		return in(smallFiles(t, 1200), python(`for f in os.listdir("."):
    if os.path.isfile(f): m = mmap.mmap(os.open(f, os.O_RDONLY), 0, prot=mmap.PROT_READ); sum(m[::4096]); m.close()`))
	}, parallel},
	{"more threads than processors, after a pause", func(t testing.TB) []string {
		return in("/", "sleep 2; xz -1 -T8 --block-size=256KiB -c "+warmFile(t, 24<<20)+" > /dev/null")
	}, "more CPUs"},
	{"small files, each synced when it is written", func(t testing.TB) []string {
		return in(device(t, &testenv.Model{Write: 3 * time.Millisecond}, 1), python(`for i in range(100):
    f = os.open(str(i), os.O_WRONLY | os.O_CREAT); os.write(f, b"x" * 700); os.fsync(f); os.close(f)`))
	}, "then sync once (syncfs)"},
	{"files that are renamed, each with a sync of their directory", func(t testing.TB) []string {
		return in(device(t, &testenv.Model{Write: 3 * time.Millisecond}, 1), python(`d = os.open(".", os.O_RDONLY)
for i in range(80):
    open("new", "w").write("x" * 700); os.rename("new", str(i)); os.fsync(d)`))
	}, "one sync of their directory"},
	{"small files of many sizes, written back to a drive that takes as long for each", func(t testing.TB) []string {
		return in(device(t, &testenv.Model{Write: 3 * time.Millisecond, Rate: 40_000_000, Alone: true}, 1),
			python(`for i in range(700): open(f"{i}.svg", "wb").write(bytes(range(256)) * (4 + i * 37 %% 90))`))
	}, "one archive of them"},
	{"threads at places of many sizes, on a drive that takes as long for each", func(t testing.TB) []string {
		return in(device(t, &testenv.Model{Read: 3 * time.Millisecond, Rate: 400_000_000, Alone: true}, 256),
			python(`import random
from concurrent.futures import ThreadPoolExecutor
f = os.open("file", os.O_RDONLY); os.posix_fadvise(f, 0, 0, os.POSIX_FADV_RANDOM); random.seed(5)
at = [(random.randrange(65000) << 12, random.randrange(1, 25) << 12) for i in range(800)]
with ThreadPoolExecutor(8) as e: list(e.map(lambda x: os.pread(f, x[1], x[0]), at))`))
	}, "fewer, larger requests"},
	{"a tree that one thread looks through", func(t testing.TB) []string {
		dir := device(t, &testenv.Model{Read: 3 * time.Millisecond}, 1)
		run(t, "sh", "-c", "cd "+dir+" && for i in $(seq 200); do mkdir $i && echo > $i/file; done")
		remount(t, dir)
		return in(dir, "ls -lR > /dev/null")
	}, "look up several in parallel"},
	{"a directory that was full once", func(t testing.TB) []string {
		return in(onceFull(t), "ls -l spool")
	}, "make the directory anew"},
	{"a directory that was full once, removed", func(t testing.TB) []string {
		dir := onceFull(t)
		run(t, "sh", "-c", "rm "+dir+"/spool/* && sync -f "+dir)
		remount(t, dir)
		return in(dir, "rmdir spool")
	}, "read to see that it is empty: blocks left from files that are gone"},
	{"threads at a file system whose process serves one at a time", func(t testing.TB) []string {
		return byThreads(t, device(t, &testenv.Model{Read: 20 * time.Millisecond}, 1), 200_000, true)
	}, "let it serve several in parallel"},
	{"threads at such a process that computes", func(t testing.TB) []string {
		return byThreads(t, workDir(t), 20_000_000, false)
	}, "one request at a time, to"},
	{"a file system in an image on a drive, through the page cache", func(t testing.TB) []string {
		return in(inImage(t, "off"), "cat file > /dev/null")
	}, "losetup --direct-io=on"},
	{"a file system in an image on a drive, past the page cache", func(t testing.TB) []string {
		return in(inImage(t, "on"), "cat file > /dev/null")
	}, "put the file on a faster drive"},
	{"a clock server that does not answer", func(t testing.TB) []string {
		dir := workDir(t)
		background(t, dir, `exec python3 -c 'import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 18123))
open("ready", "w"); time.sleep(60)'`)
		exists(t, dir+"/ready")
		return in("/", python(`import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(("127.0.0.1", 18123)); s.settimeout(1.5)
for i in range(2):
    s.send(bytes(48))
    try: s.recv(48)
    except TimeoutError: pass`))
	}, "not answered"},
	{"spooled files that are copied and then removed", func(t testing.TB) []string {
		dir := rated(t, 40_000_000, 48)
		return in(dir, python(`import shutil
shutil.copyfile("file", "archived"); os.unlink("file")`))
	}, "a rename"},
}

// TestRemedies: some causes are one and the same, and yet another thing helps. What is said of the first one, or what
// is to be tried, tells these apart.
func TestRemedies(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "python3")
	for _, c := range remedies {
		t.Run(c.name, func(t *testing.T) {
			v := attempt(t, c.make(t)...).Verdict
			if c.want == parallel {
				neverLarger(t, &v)
			}
			for _, r := range v.Causes { // the first one, but for others that have the processors
				if strings.Contains(r.Text+" "+r.Remedy, c.want) {
					return
				}
			}
			t.Errorf("%q is not in %s\n%s", c.want, v.Text(), causes(v))
		})
	}
}

// parallel is what helps where files are small.
const parallel = "several files in parallel"

// neverLarger holds the verdict to that no larger pieces help where these are whole files.
func neverLarger(t *testing.T, v *profile.Verdict) {
	for _, r := range v.Causes {
		if strings.Contains(r.Remedy, "larger requests") || strings.Contains(r.Remedy, "larger block") ||
			strings.Contains(r.Remedy, "larger calls") {
			t.Errorf("%+v", r)
		}
	}
}

// inImage is a directory in an image that lies on a drive. direct says whether its loop device passes the page cache
// by.
func inImage(t testing.TB, direct string) string {
	drive, dir := device(t, &testenv.Model{Read: 2 * time.Millisecond, Rate: 400_000_000, Alone: true}, 1), workDir(t)
	image := filepath.Join(drive, "image")
	run(t, "truncate", "-s", "192M", image)
	format(t, "ext4", image)
	loop := strings.TrimSpace(run(t, "losetup", "--find", "--show", "--direct-io="+direct, image))
	t.Cleanup(func() { run(t, "losetup", "--detach", loop) })
	if err := testenv.ResetQueue(loop); err != nil {
		t.Fatal(err)
	}
	mountAt := filepath.Join(dir, "in")
	run(t, "mkdir", mountAt)
	run(t, "mount", "-o", "noatime", loop, mountAt)
	t.Cleanup(func() { run(t, "umount", mountAt) })
	fill(t, filepath.Join(mountAt, "file"), 96<<20)
	run(t, "sync", "-f", mountAt)
	run(t, "sh", "-c", "sync; echo 3 > /proc/sys/vm/drop_caches")
	return mountAt
}

// TestRunnersAreNamed: who had the processors while a program waited for one.
func TestRunnersAreNamed(t *testing.T) {
	needPrivilege(t)
	needPrograms(t, "dd", "taskset")
	for range 2 {
		background(t, "/", "exec nice -n -10 taskset -c 1 dd if=/dev/zero of=/dev/null bs=512")
	}
	p := attempt(t, "taskset", "-c", "1", "sha256sum", warmFile(t, 32<<20))
	if !strings.Contains(p.Verdict.Text(), "dd") {
		t.Errorf("%s\n%+v", p.Verdict.Text(), p.Trace.Processors)
	}
}

// smallFiles is a directory of so many on a device that takes 1 ms for each read.
func smallFiles(t testing.TB, count int) string {
	dir := device(t, &testenv.Model{Read: time.Millisecond}, 1)
	run(t, "sh", "-c", fmt.Sprintf("cd %s && rm -f file && %s", dir, python(`for i in range(%d):
    open("mail%%d" %% i, "wb").write(b"x" * (500 + i * 997 %% 15000))`, count)))
	remount(t, dir)
	return dir
}

// onceFull has a directory spool, of ten files, which once held 12,000, on a device that takes 3 ms for each read.
func onceFull(t testing.TB) string {
	dir := device(t, &testenv.Model{Read: 3 * time.Millisecond}, 1)
	const name = `"a message with a long name %d" % i`
	run(t, "sh", "-c", "mkdir "+dir+"/spool && cd "+dir+"/spool && "+python(`for i in range(12000):
    open(%[1]s, "w").close()
for i in range(12000):
    if i %% 1200: os.unlink(%[1]s)`, name))
	remount(t, dir)
	return dir
}

// byThreads shows a directory with files of a size once more, through a process of one thread, and has eight threads
// read them there.
func byThreads(t testing.TB, dir string, size int, cold bool) []string {
	needPrograms(t, "bindfs")
	run(t, "mkdir", dir+"/src")
	for i := range 40 {
		fill(t, fmt.Sprintf("%s/src/f%d", dir, i), size)
	}
	if cold {
		remount(t, dir)
	}
	at := workDir(t)
	run(t, "bindfs", dir+"/src", at)
	t.Cleanup(func() { run(t, "umount", at) })
	return in(at, python(`import threading
def work(k):
    for i in range(k, 40, 8): open("f%%d" %% i, "rb").read()
all = [threading.Thread(target=work, args=(k,)) for k in range(8)]
for t in all: t.start()
for t in all: t.join()`))
}
