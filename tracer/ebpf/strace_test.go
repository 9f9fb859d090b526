//go:build linux

package ebpf

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
)

// Two runs of the same command on equal inputs, one under strace and one
// recorded, have to consist of the same calls: same names, same files, same
// lengths asked for, same results.
func TestCallsEqualStrace(t *testing.T) {
	needBPF(t)
	needTools(t, "strace", "rsync", "tar", "sqlite3", "python3")
	for _, test := range []struct {
		name  string
		setup func(t *testing.T, dir string)
		args  func(t *testing.T, dir string) []string
	}{
		{"cp", file(10<<20 + 123), shell("cp in out")},
		{"cp --reflink=never --sparse=never", file(10<<20 + 123), shell("cp --reflink=never --sparse=never in out")},
		{"cp -r", tree(2000), shell("cp -r tree out")},
		{"rsync -a", tree(200), shell("rsync -a tree/ out")},
		{"tar", tree(500), shell("tar cf out.tar tree && mkdir x && tar xf out.tar -C x")},
		{"dd buffered", file(10 << 20), shell("dd if=in of=out bs=64k conv=fsync status=none")},
		{"dd direct", file(10 << 20), shell("dd if=in of=out bs=1M iflag=direct oflag=direct status=none")},
		{"sqlite", rows(10000), shell("sqlite3 db <in")},
		{"python shutil.copyfile", file(10<<20 + 5), python("import shutil; shutil.copyfile('in', 'out')")},
		{"Go, 8 threads", nothing, func(_ *testing.T, dir string) []string { return workload.Args("threads", dir) }},
		{"C, 8 threads", nothing, cThreads},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, log := workDir(t)+"/w", workDir(t)+"/log"
			args := test.args(t, dir)

			fresh(t, dir, test.setup)
			strace := exec.Command("strace", append([]string{"-f", "-y", "-xx", "-s", "0", "-o", log, "--"}, args...)...)
			strace.Dir, strace.Stdout, strace.Stderr = dir, os.Stderr, os.Stderr
			if err := strace.Run(); err != nil {
				t.Fatalf("strace: %v", err)
			}
			fresh(t, dir, test.setup)
			t.Chdir(dir)
			rec := recordCommand(t, Options{}, nil, args...)

			want, got := straceCalls(rec, readStrace(t, log, dir)), recordedCalls(rec)
			// Advice on memory of no file is not recorded.
			maps.DeleteFunc(want, func(call string, _ int) bool { return strings.HasPrefix(call, "madvise() ") })
			for _, calls := range []map[string]int{want, got} {
				dropMounts(calls)
				dropQuota(calls)
			}
			if strings.HasPrefix(test.name, "Go") {
				dropThreads(want)
				dropThreads(got)
			}
			if test.name == "rsync -a" {
				dropSockets(want)
				dropSockets(got)
			}
			compareCalls(t, want, got)
		})
	}
}

// dropMounts leaves out how the list of mounts is read, as others may mount something between the two runs.
func dropMounts(calls map[string]int) {
	maps.DeleteFunc(calls, func(k string, _ int) bool { return strings.HasPrefix(k, `read("/proc/*/mountinfo")`) })
}

// dropQuota leaves out how Go's runtime looks once a second what CPUs it has: that tells how long a run took.
func dropQuota(calls map[string]int) {
	maps.DeleteFunc(calls, func(k string, _ int) bool {
		return strings.HasPrefix(k, `pread64("/sys/fs/cgroup/`) && strings.Contains(k, `/cpu.`)
	})
}

// dropThreads leaves out how Go's runtime makes threads: how many it needs depends on who runs when.
func dropThreads(calls map[string]int) {
	maps.DeleteFunc(calls, func(k string, _ int) bool { return strings.HasPrefix(k, "clone") })
}

// dropSockets leaves out what rsync's three processes say to each other: how
// much of it goes into one message depends on who runs when, and each message
// has a header, so that even the sum of bytes differs from run to run.
func dropSockets(calls map[string]int) {
	maps.DeleteFunc(calls, func(k string, _ int) bool { return strings.Contains(k, `("socket:[*]"`) })
}

func nothing(*testing.T, string) {}

func file(size int) func(*testing.T, string) {
	return func(t *testing.T, dir string) { writeFile(t, dir+"/in", size) }
}

func tree(files int) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		for i := range files {
			name := fmt.Sprintf("%s/tree/d%02d/f%d", dir, i%20, i)
			if err := os.MkdirAll(name[:strings.LastIndexByte(name, '/')], 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, name, 100+i*7%9000)
		}
	}
}

func rows(n int) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		var b strings.Builder
		b.WriteString("create table t(a integer primary key, b text);\nbegin;\n")
		for i := range n {
			fmt.Fprintf(&b, "insert into t(b) values('row %d of many');\n", i)
			if i%1000 == 999 {
				b.WriteString("commit;\nbegin;\n")
			}
		}
		b.WriteString("commit;\nselect count(*) from t;\n")
		if err := os.WriteFile(dir+"/in", []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func shell(command string) func(*testing.T, string) []string {
	return func(*testing.T, string) []string { return []string{"/bin/sh", "-c", command} }
}

// python runs a program by the interpreter itself: python3 may be a shell script that looks for one.
func python(program string) func(*testing.T, string) []string {
	return func(t *testing.T, _ string) []string {
		exe := strings.TrimSpace(run(t, "python3", "-c", "import sys; print(sys.executable)"))
		return []string{exe, "-I", "-S", "-c", program}
	}
}

func cThreads(t *testing.T, dir string) []string {
	return []string{compile(t, "threads", "-pthread"), dir}
}

// fresh makes an empty directory and fills it. Everything in it is of the same
// age, long ago: rsync sets the time of a directory only if it differs by a second.
func fresh(t *testing.T, dir string, fill func(*testing.T, string)) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fill(t, dir)
	old := time.Unix(1e9, 0)
	err := filepath.WalkDir(dir, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chtimes(name, old, old))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// writeFile writes bytes that are the same in every run.
func writeFile(t testing.TB, name string, size int) {
	t.Helper()
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i * 7)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A signature is what has to be equal: name, files, bytes asked for, result.
func signature(name string, paths []string, requested, result string) string {
	for i, p := range paths {
		paths[i] = strconv.Quote(varying.ReplaceAllString(p, "$1*"))
	}
	return fmt.Sprintf("%s(%s) %s = %s", name, strings.Join(paths, ", "), requested, result)
}

// varying are the parts of names that differ between runs: process IDs, numbers of
// pipes and sockets, and the random part of temporary names.
var varying = regexp.MustCompile(`(^/proc/|^pipe:\[|^socket:\[|/\.f\d+\.|/\.tree\.|etilqs_)[0-9A-Za-z]+`)

func compareCalls(t *testing.T, want, got map[string]int) {
	t.Helper()
	total, different := 0, 0
	for _, n := range want {
		total += n
	}
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if want[k] != got[k] {
			if different++; different <= 40 {
				t.Errorf("strace %d, recorded %d: %s", want[k], got[k], k)
			}
		}
	}
	if different > 40 {
		t.Errorf("and %d more differences", different-40)
	}
	t.Logf("%d calls of %d kinds compared", total, len(want))
	if total < 50 {
		t.Errorf("only %d calls: the comparison proves nothing", total)
	}
}

// straceCalls counts the calls of a log that a recording has to contain.
func straceCalls(rec *recording, calls []straceCall) map[string]int {
	recorded := map[string]bool{}
	for _, name := range rec.names {
		recorded[name] = true
	}
	counts := map[string]int{}
	for _, c := range calls {
		if !recorded[c.name] || !wanted(&c) {
			continue
		}
		paths, result := c.paths(), c.result
		switch {
		case straceFork.MatchString(c.name) && !strings.HasPrefix(result, "E"):
			result = "child"
		case c.opened != "":
			paths, result = []string{c.opened}, "0"
		case c.name == "mmap" && !strings.HasPrefix(result, "E"):
			result = "0"
		case c.name == "readlink" || c.name == "readlinkat" || strings.HasSuffix(c.name, "xattr"):
			paths = paths[:1] // the other string is what was read, or an attribute
		case (c.name == "symlink" || c.name == "symlinkat") && len(paths) == 2:
			paths = paths[1:] // the target is a text
		}
		counts[signature(c.name, paths, requestedOf(&c), result)]++
	}
	return counts
}

// wanted leaves out the calls that a recording does not contain by design: they do no I/O.
func wanted(c *straceCall) bool {
	switch c.name {
	case "mmap":
		return !strings.Contains(c.args[3], "MAP_ANONYMOUS") && c.args[4] != "-1"
	case "fcntl":
		return strings.Contains(c.args[1], "LK")
	case "ioctl":
		switch c.args[1] {
		case "BTRFS_IOC_CLONE or FICLONE", "FICLONE", "FICLONERANGE", "FIDEDUPERANGE", "FITRIM", "BLKDISCARD", "BLKZEROOUT":
			return true
		}
		return false
	}
	return true
}

func requestedOf(c *straceCall) string {
	switch c.name {
	case "read", "write", "pread64", "pwrite64", "getdents64":
		return c.args[2]
	case "copy_file_range":
		return c.args[4]
	case "sendfile":
		return c.args[3]
	case "ftruncate", "truncate":
		return c.args[1]
	}
	return ""
}

// errorName is an error's name as strace prints it: unix.ErrnoName calls 95 ENOTSUP.
func errorName(errno int64) string {
	if unix.Errno(errno) == unix.EOPNOTSUPP {
		return "EOPNOTSUPP"
	}
	return unix.ErrnoName(unix.Errno(errno))
}

func recordedCalls(rec *recording) map[string]int {
	counts := map[string]int{}
	for i := range rec.Syscalls {
		s := &rec.Syscalls[i]
		name := rec.call(s)
		var paths []string
		for _, id := range []trace.FileID{s.File, s.File2} {
			if id != 0 {
				paths = append(paths, rec.path(id))
			}
		}
		if name == "ioctl" && len(paths) == 2 { // strace does not take the source of FICLONE for a descriptor
			paths = paths[1:]
		}
		if name == "sendfile" && len(paths) == 2 { // its arguments are the other way round
			slices.Reverse(paths)
		}
		result := strconv.FormatInt(s.Result, 10)
		if s.Result < 0 {
			result = errorName(s.Errno())
		} else if s.Op == trace.OpOpen {
			result = "0"
		} else if s.Op == trace.OpFork || s.Op == trace.OpSpawn {
			result = "child"
		}
		requested := ""
		switch name {
		case "read", "write", "pread64", "pwrite64", "getdents64", "copy_file_range", "sendfile", "ftruncate", "truncate":
			requested = strconv.FormatInt(s.Requested, 10)
		}
		counts[signature(name, paths, requested, result)]++
	}
	return counts
}
