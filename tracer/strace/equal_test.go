//go:build linux

package strace

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/internal/workload"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/ebpf"
)

const (
	bigFile  = "head -c 10485883 /dev/urandom >in"
	someTree = `for d in 1 2 3 4 5; do mkdir -p tree/$d
for f in 1 2 3 4 5 6 7 8 9; do head -c $d$f"0" /dev/zero >tree/$d/$f; done; done`
	someRows = `seq 1 3000 | awk 'BEGIN{print "create table t(a integer primary key, b text);"}
NR%500==1{print "begin;"} {print "insert into t(b) values(\"row "$1"\");"} NR%500==0{print "commit;"}' >in`
)

// The same command on equal files, recorded with the probes in the kernel and through strace, has made the same calls
// on the same files, moved the same bytes and made the same copies.
func TestSameAsTheProbes(t *testing.T) {
	testenv.NeedBPF(t)
	testenv.NeedTools(t, "strace", "rsync", "tar", "sqlite3", "python3", "awk")
	for _, w := range []struct {
		name, setup string
		args        func(dir string) []string
	}{
		{"cp", bigFile, shell("cp in out")},
		{"cp without reflink", bigFile, shell("cp --reflink=never --sparse=never in out")},
		{"cp -r", someTree, shell("cp -r tree out")},
		{"rsync -a", someTree, shell("rsync -a tree/ out")},
		{"tar", someTree, shell("tar cf out.tar tree && mkdir x && tar xf out.tar -C x")},
		{"dd buffered", bigFile, shell("dd if=in of=out bs=64k conv=fsync status=none")},
		{"dd direct", "head -c 10485760 /dev/zero >in", shell("dd if=in of=out bs=1M iflag=direct oflag=direct status=none")},
		{"sqlite", someRows, shell("sqlite3 db <in")},
		{"python", bigFile, python("import shutil; shutil.copyfile('in', 'out')")},
		{goThreads, "", func(dir string) []string { return workload.Args("threads", dir) }},
	} {
		t.Run(w.name, func(t *testing.T) {
			dir := testenv.WorkDir(t) + "/w"
			want := recorded(t, dir, w.setup, w.args(dir), func() (tracer.Source, error) { return ebpf.New(ebpf.Options{}) })
			got := recorded(t, dir, w.setup, w.args(dir), func() (tracer.Source, error) { return New() })
			for _, r := range []map[string]int{want, got} {
				maps.DeleteFunc(r, func(k string, _ int) bool {
					return chance(w.name, k) || strings.HasPrefix(k, `madvise("",`) // the probes leave out that of no file
				})
			}
			compare(t, want, got)
		})
	}
}

// goThreads is the workload whose program is in Go.
const goThreads = "Go, 8 threads"

// chance tells calls that differ from run to run: how much goes into a message of rsync's depends on who runs when, the
// C library asks for the number of processors when threads get in each other's way, and Go's runtime for the quota of
// its control group once a second, and it makes as many threads as it finds work for.
func chance(workload, call string) bool {
	return workload == "rsync -a" && strings.Contains(call, "socket") ||
		workload == goThreads && strings.HasPrefix(call, "clone") ||
		workload == goThreads && strings.Contains(call, `"/sys/fs/cgroup/`) && strings.Contains(call, "/cpu.") ||
		strings.Contains(call, `"/sys/devices/system/cpu/online"`)
}

func shell(command string) func(string) []string {
	return func(string) []string { return []string{"/bin/sh", "-c", command} }
}

// python runs a program by the interpreter itself: python3 may be a shell script that looks for one.
func python(program string) func(string) []string {
	return func(string) []string {
		exe, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
		return []string{strings.TrimSpace(string(exe)), "-I", "-S", "-c", program}
	}
}

// recorded is what a recording says: how often each call was made, and the copies.
func recorded(t *testing.T, dir, setup string, args []string, open func() (tracer.Source, error)) map[string]int {
	t.Helper()
	if err := errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	setup += "\nfind . -exec touch -d @1000000000 {} +"
	if out, err := exec.Command("/bin/sh", "-c", setup).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	name := filepath.Join(t.TempDir(), "t.iotrace")
	r, err := tracer.Record(tracer.Options{Command: args, Open: open, Output: name, Contents: true, Tool: "test"})
	if err != nil || r.ExitCode != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if len(r.End.Lost) > 0 {
		t.Errorf("lost: %v", r.End.Lost)
	}
	says := calls(t, name)
	p, err := analyzer.Analyze(name, analyzer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Copies {
		says[fmt.Sprintf("copy %s %s → %s: %d bytes", c.Method, c.Source, c.Destination, c.Bytes)]++
	}
	return says
}

// varying are the parts of names that differ between runs.
var varying = regexp.MustCompile(`(^/proc/|^pipe:\[|^socket:\[|/\.\d+\.|/\.tree\.|etilqs_)[0-9A-Za-z]+`)

// calls counts the calls of a trace by name, files, bytes asked for, offsets and result.
func calls(t *testing.T, name string) map[string]int {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := tracefile.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	paths, counts := map[trace.FileID]string{}, map[string]int{}
	header := r.Header()
	var b trace.Batch
	for err = r.Next(&b); err == nil; err = r.Next(&b) {
		for i := range b.Files {
			paths[b.Files[i].ID] = varying.ReplaceAllString(b.Files[i].Path, "$1*")
		}
		for i := range b.Syscalls {
			counts[signature(&header, &b.Syscalls[i], paths)]++
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return counts
}

func signature(h *trace.Header, e *trace.Syscall, paths map[trace.FileID]string) string {
	result, requested := strconv.FormatInt(e.Result, 10), ""
	switch {
	case e.Op == trace.OpOpen && e.Result >= 0:
		result = "opened"
	case e.Op == trace.OpFork && e.Result >= 0, e.Op == trace.OpSpawn && e.Result >= 0:
		result = "made by " + e.Op.String()
	case e.Result > 0 && strings.HasPrefix(paths[e.File], "/proc/"):
		result = "what was there" // a list of mounts is longer once somebody has mounted something
	}
	switch e.Op {
	case trace.OpRead, trace.OpWrite, trace.OpCopyRange, trace.OpSendfile, trace.OpTruncate:
		requested = fmt.Sprintf("%d at %d", e.Requested, e.Offset)
	}
	return fmt.Sprintf("%s(%q, %q, %s) = %s", h.CallName(e.Call), paths[e.File], paths[e.File2], requested, result)
}

func compare(t *testing.T, want, got map[string]int) {
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
				t.Errorf("probes %d, strace %d: %s", want[k], got[k], k)
			}
		}
	}
	t.Logf("%d calls and copies of %d kinds compared, %d differ", total, len(want), different)
	if total < 50 {
		t.Errorf("only %d calls: the comparison proves nothing", total)
	}
}
