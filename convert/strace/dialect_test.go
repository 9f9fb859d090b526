package strace

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

// traced is a program of several processes whose calls are the same in each run.
const traced = `dd if=in of=out bs=1000 conv=fsync status=none; cp --reflink=never --sparse=never in 'c<o>p, y'; ` +
	`mv out moved; (cat <moved) >/dev/null; exit 4`

// What strace prints of one program, with every flag that changes its text, is read as the same calls: by name, result
// and bytes; with -y of the same files as well.
func TestEveryDialect(t *testing.T) {
	testenv.NeedTools(t, "strace", "dd", "cp")
	want := dialect(t, "-f -ttt -T -y -o log", true)
	for _, flags := range []string{
		"-f -o log", "-f -t -o log", "-f -tt -o log", "-f -ttt -o log", "-f -r -o log", "-f -T -o log",
		"-f -r -T -o log", "-f -t -r -o log", "-f -ttt -r -T -o log", "-f -tt -T -v -o log",
		"-f --syscall-times=ns --absolute-timestamps=format:unix,precision:ns -o log",
		"-f --absolute-timestamps=format:unix,precision:s -o log",
		"-f -ttt -x -o log", "-f -ttt -xx -o log", "-f -ttt -s 0 -o log", "-f -ttt -s 5000 -o log", "-f -ttt -n -o log",
		"-f -ttt -i -o log", "-f -n -i -t -o log", "-f -Y -o log", "-f -Y -ttt -T -o log", "-f -ttt -Y -y -o log",
		"-f --decode-pids=pidns -ttt -o log", "-f -ttt -k -o log", "-f -ttt -a 1 -o log", "-f -ttt -C -o log",
		"-f -ttt -q -o log", "-f -ttt -qq -o log", "-f -X raw -ttt -o log", "-f -X verbose -ttt -o log",
		"-f -ttt -e read=all -e write=all -o log",
		"-f", "-f -ttt -T", "-f -r", "-f -t -Y", "-f -n", "-f -i -ttt",
		"-f -ttt -y -o log", "-f -ttt -T -yy -o log", "-f -y -xx -ttt -o log", "-f -yy -X raw -o log", "-f -y",
		"-f -yy -Y -ttt -n -i", "-f -yy -X verbose -ttt",
		"-ff -ttt -T -y -o log", "-ff -tt -y -o log", "-ff -y -o log", "-ff -ttt -xx -yy -o log",
	} {
		t.Run(flags, func(t *testing.T) {
			files := strings.Contains(flags, "-y")
			compareCounts(t, withFiles(want, files), withFiles(dialect(t, flags, false), files))
		})
	}
}

// dialect is how often strace with some flags tells of each call.
func dialect(t *testing.T, flags string, reference bool) map[string]int {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/in", make([]byte, 6500), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("strace", append(strings.Fields(flags), "sh", "-c", traced)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 4 {
		if reference {
			testenv.Missing(t, "strace cannot trace here: %v: %s", err, out)
		}
		testenv.Missing(t, "this strace does not know %s: %s", flags, out)
	}
	log, c := &trace.Log{}, convert.Counts{}
	if !strings.Contains(flags, "-o log") {
		c, err = Importer.Import(strings.NewReader(string(out)), log)
	} else {
		c, err = Importer.Read(inputs(t, dir), log)
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.Damaged > 0 {
		t.Errorf("%d lines could not be read, the first is %d", c.Damaged, c.First)
	}
	return counted(log, dir)
}

func inputs(t *testing.T, dir string) (list []convert.Input) {
	t.Helper()
	names, err := filepath.Glob(dir + "/log*")
	if err != nil || len(names) == 0 {
		t.Fatal("no log", err)
	}
	for _, name := range names {
		list = append(list, convert.Input{Reader: strings.NewReader(trial.File(t, name)), Name: name})
	}
	return list
}

// counted counts calls by what has to be the same in every run.
func counted(log *trace.Log, dir string) map[string]int {
	counts := map[string]int{}
	named := func(path string) string {
		label, _, pipe := strings.Cut(strings.TrimPrefix(path, dir), ":[")
		if pipe {
			return label
		}
		return strings.TrimPrefix(path, dir)
	}
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		result := e.Result
		switch e.Op {
		case trace.OpOpen, trace.OpFork, trace.OpSpawn: // a descriptor, or a process
			result = min(result, 0)
		}
		counts[fmt.Sprintf("%s asked %d = %d, %x at %d of %s, %s", Importer.Header.Calls[e.Call], e.Requested, result,
			e.Flags, e.Offset, named(log.Path(e.File)), named(log.Path(e.File2)))]++
	}
	exits := 0
	for _, p := range log.Processes {
		if p.Action == trace.ProcessExec {
			exits++
		}
	}
	counts["programs"] = exits
	return counts
}

// withFiles leaves the files and offsets out unless they are known.
func withFiles(counts map[string]int, files bool) map[string]int {
	if files {
		return counts
	}
	sums := map[string]int{}
	for k, n := range counts {
		what, _, _ := strings.Cut(k, ",")
		sums[what] += n
	}
	return sums
}

func compareCounts(t *testing.T, want, got map[string]int) {
	t.Helper()
	keys := maps.Clone(want)
	maps.Copy(keys, got)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if want[k] != got[k] {
			t.Errorf("%d, want %d: %s", got[k], want[k], k)
		}
	}
}
