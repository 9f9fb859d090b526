package strace

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/convert"
	"github.com/iotrace/iotrace/convert/internal/trial"
	"github.com/iotrace/iotrace/internal/linux"
	"github.com/iotrace/iotrace/internal/testenv"
	"github.com/iotrace/iotrace/trace"
)

const logText = `100 1700000000.000000 execve("/bin/sh", ["sh", "-c", "x \"y\""], 0x7ff /* 3 vars */) = 0 <0.000400>
100 1700000000.001000 openat(AT_FDCWD</w>, "a, (b)\n", O_RDWR|O_CREAT|O_TRUNC, 0644) = 3</w/a, (b)\n> <0.000010>
100 1700000000.002000 write(3</w/a, (b)\n>, "\"(,\\"..., 100) = 100 <0.000020>
100 1700000000.003000 clone(child_stack=NULL, flags=CLONE_VM|CLONE_THREAD|CLONE_FILES <unfinished ...>
101 1700000000.003500 read(3</w/a, (b)\n>,  <unfinished ...>
100 1700000000.003600 <... clone resumed>, child_tidptr=0x7f) = 101 <0.000600>
100 1700000000.003700 pwritev2(3</w/a, (b)\n>, [{iov_base=""..., iov_len=10}, {iov_base=""..., iov_len=5}], 2, 4096, 0) = 15 <0.000005>
101 1700000000.003800 <... read resumed>""..., 50) = 50 <0.000300>
100 1700000000.004000 --- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED} ---
100 1700000000.005000 copy_file_range(3</w/a, (b)\n>, [0] => [10], 9</out>, NULL, 10, 0) = 10 <0.000007>
100 1700000000.006000 lseek(3</w/a, (b)\n>, 7, SEEK_SET) = 7 <0.000001>
100 1700000000.007000 mmap(NULL, 4096, PROT_READ, MAP_SHARED, 3</w/a, (b)\n>, 0x1000) = 0x7f0000000000 <0.000002>
100 1700000000.008000 openat(AT_FDCWD</w>, "none", O_RDONLY) = -1 ENOENT (No such file or directory) <0.000003>
not a line of strace
100 1700000000.009000 renameat2(AT_FDCWD</w>, "a, (b)\n", AT_FDCWD</w>, "c", RENAME_NOREPLACE) = 0 <0.000004>
100 1700000000.009500 getpid() = 100 <0.000001>
100 1700000000.010000 vfork() = 102 <0.000500>
102 1700000000.011000 exit_group(3) = ?
102 1700000000.011500 +++ exited with 3 +++
101 1700000000.012000 +++ exited with 0 +++
100 1700000000.013000 +++ killed by SIGTERM +++
`

func TestStraceText(t *testing.T) {
	log, c := trial.Import(t, &Importer, logText)
	trial.Calls(t, &Importer, log, []string{
		"100 openat fd=3 /w/a, (b)\n at -1 req 0 = 3, 1000000+10000",
		"100 write fd=3 /w/a, (b)\n at 0 req 100 = 100, 2000000+20000",
		"100 clone fd=-1  at -1 req 0 = 101, 3000000+600000",
		"100 pwritev2 fd=3 /w/a, (b)\n at 4096 req 15 = 15, 3700000+5000",
		"100 read fd=3 /w/a, (b)\n at 100 req 50 = 50, 3500000+300000", // by its second thread
		"100 copy_file_range fd=3 /w/a, (b)\n at 0 req 10 = 10, 5000000+7000",
		"100 lseek fd=3 /w/a, (b)\n at 7 req 0 = 7, 6000000+1000",
		"100 mmap fd=3 /w/a, (b)\n at 4096 req 4096 = 0, 7000000+2000",
		"100 openat fd=-1 /w/none at -1 req 0 = -2, 8000000+3000",
		"100 renameat2 fd=-1 /w/a, (b)\n at -1 req 0 = 0, 9000000+4000",
		"100 vfork fd=-1  at -1 req 0 = 102, 10000000+500000",
	})
	if c.Damaged != 1 || c.First != 14 || c.Skipped != 2 || c.Lines != 21 {
		t.Errorf("%+v", c)
	}
	var got []string
	for _, p := range log.Processes {
		got = append(got, fmt.Sprintf("%d %d/%d of %d %q %q %d", p.Action, p.PID, p.TID, p.Parent, p.Exe, p.Args, p.Status))
	}
	if want := []string{`4 100/100 of 0 "" "" 0`, `2 100/100 of 0 "/bin/sh" "sh\x00-c\x00x \"y\"\x00" 0`,
		`1 100/101 of 100 "" "" 0`, `1 102/102 of 100 "" "" 0`, `3 102/102 of 0 "" "" 768`,
		`3 100/100 of 0 "" "" 15`}; !slices.Equal(got, want) {
		t.Errorf("processes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if e := log.Syscalls[5]; log.Path(e.File2) != "/out" || e.FD2 != 9 || e.Offset2 != trace.NoOffset {
		t.Errorf("the copy goes to %+v", e)
	}
}

// An exec by a second thread goes on under the number of the first (a log of
// strace 6.1, shortened).
func TestStraceOfAnExecByAThread(t *testing.T) {
	log, c := trial.Import(t, &Importer, `70 1700000000.000000 clone3({flags=CLONE_VM|CLONE_FILES|CLONE_THREAD}, 88) = 71 <0.000100>
71 1700000000.001000 execve("/bin/sh", ["sh"], 0x7ff /* 39 vars */ <unfinished ...>
70 1700000000.001800 +++ superseded by execve in pid 71 +++
70 1700000000.001900 <... execve resumed>) = 0 <0.000900>
70 1700000000.002000 write(1</out>, ""..., 5) = 5 <0.000010>
70 1700000000.003000 +++ exited with 3 +++
`)
	var got []string
	for _, p := range log.Processes {
		got = append(got, fmt.Sprintf("%d %d/%d %q %d at %d", p.Action, p.PID, p.TID, p.Command, p.Status, p.Time))
	}
	if want := []string{`4 70/70 "" 0 at 0`, `1 70/71 "" 0 at 100000`, `2 70/70 "sh" 0 at 1900000`,
		`3 70/70 "sh" 768 at 3000000`}; !slices.Equal(got, want) {
		t.Errorf("processes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if c.Damaged != 0 || len(log.Syscalls) != 2 {
		t.Errorf("%+v, %d calls", c, len(log.Syscalls))
	}
}

// Which calls copy page tables is told by their flags.
func TestStraceOfForks(t *testing.T) {
	log, _ := trial.Import(t, &Importer, `70 1700000000.001000 fork() = 71 <0.000100>
70 1700000000.002000 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD) = 72 <0.000100>
70 1700000000.003000 clone(child_stack=0x7f, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 73 <0.000100>
70 1700000000.004000 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD, exit_signal=0}, 88) = 74 <0.000100>
70 1700000000.005000 clone3({flags=CLONE_INTO_CGROUP, exit_signal=SIGCHLD}, 88) = 75 <0.000100>
70 1700000000.006000 vfork() = 76 <0.000100>
70 1700000000.007000 clone(child_stack=0x7f, flags=0x4111) = 77 <0.000100>
70 1700000000.008000 clone(child_stack=NULL, flags=0x1200011) = 78 <0.000100>
`)
	var got []trace.Op
	for _, e := range log.Syscalls {
		got = append(got, e.Op)
	}
	if want := []trace.Op{trace.OpFork, trace.OpFork, trace.OpSpawn, trace.OpSpawn, trace.OpFork,
		trace.OpSpawn, trace.OpSpawn, trace.OpFork}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A process that a killed thread was about to make is not the next that turns up.
func TestStraceOfAKilledFork(t *testing.T) {
	log, _ := trial.Import(t, &Importer, `70 1700000000.000000 getpid() = 70 <0.000001>
70 1700000000.001000 vfork( <unfinished ...>
70 1700000000.002000 +++ killed by SIGKILL +++
90 1700000000.003000 getpid() = 90 <0.000001>
90 1700000000.004000 close(3</a>) = 0 <0.000001>
`)
	if last := log.Processes[len(log.Processes)-1]; last.PID != 90 || last.Action != trace.ProcessPresent {
		t.Errorf("process 90 is told as %+v", last)
	}
}

// A thread that was killed as a call began leaves a line without a name (a log of strace 6.1, while two other programs
// kept the CPUs busy). Nothing is lost: the call did nothing. What cannot be read otherwise is still damaged.
func TestStraceOfACallWithoutName(t *testing.T) {
	log, c := trial.Import(t, &Importer, `70 1700000000.000000 read(3</a>, ""..., 5) = 5 <0.000001>
71 1700000000.001000 ????( <unfinished ...>
70 1700000000.001500 ???( <unfinished ...>
70 1700000000.001600 <... ??? resumed>) = ?
71 1700000000.002000 +++ killed by SIGINT +++
70 1700000000.003000 ??? what
`)
	if c.Damaged != 1 || c.First != 6 || len(log.Syscalls) != 1 {
		t.Errorf("%+v, %d calls", c, len(log.Syscalls))
	}
}

// What strace itself writes of programs whose calls are known.
func TestStraceOfRealPrograms(t *testing.T) {
	for _, tool := range []string{"strace", "dd", "cp"} {
		if _, err := exec.LookPath(tool); err != nil {
			testenv.Missing(t, "%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/in", make([]byte, 6500), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("strace", "-f", "-ttt", "-T", "-y", "-o", "log", "sh", "-c",
		"dd if=in of=out bs=1000 conv=fsync status=none; cp --reflink=never --sparse=never in 'c<o>p, y'; mv out moved; "+
			"(cat <moved) >/dev/null; exit 4")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 4 {
		testenv.Missing(t, "strace cannot trace here: %v: %s", err, out)
	}
	log, c := trial.Import(t, &Importer, trial.File(t, dir+"/log"))
	if c.Damaged > 0 {
		t.Errorf("%d lines could not be read, the first is %d", c.Damaged, c.First)
	}
	written, read := map[string]string{}, map[string]int64{}
	for i := range log.Syscalls {
		e := &log.Syscalls[i]
		name := strings.TrimPrefix(log.Path(e.File), dir+"/")
		switch {
		case e.Op == trace.OpWrite && e.Result > 0:
			written[name] += fmt.Sprintf("%d+%d ", e.Offset, e.Result)
		case e.Op == trace.OpRead && e.Result > 0:
			read[name] += e.Result
		case e.Op == trace.OpSync:
			written[name] += "sync "
		case e.Op == trace.OpRename && e.Result == 0:
			written["moved"] += log.Path(e.File) + " → " + log.Path(e.File2)
		}
	}
	want := map[string]string{"out": "0+1000 1000+1000 2000+1000 3000+1000 4000+1000 5000+1000 6000+500 sync ",
		"c<o>p, y": "0+6500 ",
		"moved":    dir + "/out → " + dir + "/moved"}
	for name, w := range want {
		if written[name] != w {
			t.Errorf("%s was written as %q, want %q", name, written[name], w)
		}
	}
	if read["in"] != 2*6500 || read["moved"] != 6500 {
		t.Errorf("read %v", read)
	}
	processesOf(t, log)
}

// processesOf: all are descendants of one, which ended with status 4.
func processesOf(t *testing.T, log *trace.Log) {
	t.Helper()
	first, ended := uint32(0), 0
	for _, p := range log.Processes {
		if p.Action == trace.ProcessPresent {
			if first != 0 {
				t.Errorf("process %d is nobody's child", p.PID)
			}
			first = p.PID
		}
		if p.Action == trace.ProcessExit {
			if ended++; (p.Status == 4<<8) != (p.PID == first) {
				t.Errorf("process %d ended with status %#x", p.PID, p.Status)
			}
		}
	}
	if ended < 4 {
		t.Errorf("%d processes ended", ended)
	}
}

func FuzzStrace(f *testing.F) {
	f.Add(logText)
	for line := range strings.Lines(logText) {
		f.Add(line)
	}
	for _, l := range lineCases {
		f.Add(l.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := &trace.Log{}
		_, _ = Importer.Import(strings.NewReader(text), log)
		first, second, _ := strings.Cut(text, "\n\n")
		_, _ = Importer.Read([]convert.Input{{Reader: strings.NewReader(first), Name: "log.7"},
			{Reader: strings.NewReader(second), Name: "log.8"}}, log)
		for _, e := range log.Syscalls {
			if e.Duration < 0 || e.Start < 0 || e.Requested < 0 || e.Offset < trace.NoOffset || int(e.Call) >= len(linux.Calls) {
				t.Fatalf("impossible event %+v", e)
			}
		}
	})
}
