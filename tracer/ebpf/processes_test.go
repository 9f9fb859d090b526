//go:build linux

package ebpf

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

// compile makes a program of testdata/NAME.c.
func compile(t *testing.T, name string, flags ...string) string {
	t.Helper()
	needTools(t, "gcc")
	exe := filepath.Join(workDir(t), name)
	run(t, append([]string{"gcc", "-O1", "-Wall", "-o", exe, "testdata/" + name + ".c"}, flags...)...)
	return exe
}

// buildProcesses compiles the program that makes processes in many ways.
func buildProcesses(t *testing.T) string { return compile(t, "processes", "-pthread") }

// await waits for something that another process does.
func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// gone reports whether every process that runs a program has ended, as the kernel tells its tracepoints before it
// makes what is left of it a zombie. One that has given up its memory already can be told by its name alone.
func gone(exe string) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, _ := os.ReadFile(path) // none if it has ended meanwhile
		_, state, ok := strings.Cut(string(text), " ("+filepath.Base(exe)+") ")
		if !ok || strings.ContainsAny(state[:1], "ZX") {
			continue
		}
		if runs, err := os.Readlink(filepath.Join(filepath.Dir(path), "exe")); err != nil || runs == exe {
			return false
		}
	}
	return true
}

func size(name string) int64 {
	st, err := os.Stat(name)
	if err != nil {
		return -1
	}
	return st.Size()
}

// processes lists the events of a kind, by process.
func (r *recording) processes(action trace.ProcessAction) map[uint32]trace.Process {
	list := map[uint32]trace.Process{}
	for _, p := range r.Processes {
		if p.Action == action {
			list[p.PID] = p
		}
	}
	return list
}

// Whoever descends from the command is recorded, however it came to be.
func TestDescendantsAreRecorded(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	for _, test := range []struct {
		way          string
		forks, execs int // of processes, the command itself included for execs
	}{
		{"fork", 1, 1}, {"vfork", 1, 2}, {"clone3", 1, 1}, {"thread", 0, 1}, {"exec from a thread", 0, 2},
		{"daemon", 2, 1}, {"thread outlives main", 0, 1},
	} {
		t.Run(test.way, func(t *testing.T) {
			file := filepath.Join(workDir(t), "out")
			s, w := launch(t, Options{}, exe, test.way, file)
			wait(t, w)
			if err := os.WriteFile(file+".go", nil, 0o600); err != nil { // the daemon waits for it
				t.Fatal(err)
			}
			await(t, "the byte to be written", func() bool { return size(file) == 1 })
			await(t, "the writer to end", func() bool { return gone(exe) })
			command := uint32(w.PID())
			rec := s.end()
			writes := rec.calls("write", file)
			if len(writes) != 1 || writes[0].Result != 1 {
				t.Fatalf("recorded writes: %+v", writes)
			}
			forks, execs, exits := rec.processes(trace.ProcessFork), rec.processes(trace.ProcessExec),
				rec.processes(trace.ProcessExit)
			if len(forks) != test.forks+boolInt(hasThreadForks(rec, command)) {
				t.Errorf("forks: %+v", forks)
			}
			n := 0
			for _, p := range rec.Processes {
				if p.Action == trace.ProcessExec {
					n++
				}
			}
			if n != test.execs {
				t.Errorf("%d execs, want %d: %+v", n, test.execs, execs)
			}
			for pid, f := range forks {
				if _, ok := exits[pid]; !ok {
					t.Errorf("no exit of %+v", f)
				}
			}
			ancestor := writes[0].PID
			for ancestor != command {
				f, ok := forks[ancestor]
				if !ok {
					t.Fatalf("the writer %d does not descend from the command %d: %+v", ancestor, command, rec.Processes)
				}
				ancestor = f.Parent
			}
		})
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// hasThreadForks tells whether the command itself started threads.
func hasThreadForks(rec *recording, command uint32) bool {
	return slices.ContainsFunc(rec.Processes, func(p trace.Process) bool {
		return p.Action == trace.ProcessFork && p.PID == command && p.TID != command
	})
}

// burn is the CPU time that a thread of the program uses if it is told to.
const burn = 60 * time.Millisecond

// A process has one exit, with the status that waitpid reports and the CPU time
// of all its threads.
func TestExits(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	for _, test := range []struct {
		name   string
		args   []string
		status int32
	}{
		{"success", []string{exe, "write", "out"}, 0},
		{"failure", []string{exe, "write", "out", "7"}, 7 << 8},
		{"of a thread", []string{exe, "thread outlives main", "out", "5"}, 5 << 8},
		{"signal", []string{"/bin/sh", "-c", "kill -9 $$"}, 9},
		{"after threads", []string{exe, "burn", "out", "3"}, 3 << 8},
		// of the thread that was last, since Linux 5.17
		{"main first", []string{exe, "main burns and exits first", "out", "6"}, 1 << 8},
		{"with threads", []string{exe, "exit with threads running", "out", "4"}, 4 << 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(workDir(t))
			s, w := launch(t, Options{}, test.args...)
			<-w.Exited()
			rec := s.end()
			var exits []trace.Process
			for _, p := range rec.Processes {
				if p.Action == trace.ProcessExit && p.PID == uint32(w.PID()) {
					exits = append(exits, p)
				}
			}
			if len(exits) != 1 || exits[0].Status != test.status {
				t.Fatalf("exits %+v, want one with status %#x", exits, test.status)
			}
			if status := unix.WaitStatus(test.status); status.Exited() && status.ExitStatus() != w.ExitCode() {
				t.Fatalf("the command ended with %d and not as expected", w.ExitCode())
			}
			burnt := map[string]time.Duration{"after threads": 4 * burn, "with threads": 3 * burn,
				"main first": 2 * burn}[test.name]
			if cpu := time.Duration(exits[0].CPU); cpu < burnt {
				t.Errorf("CPU time %v, the threads used %v", cpu, burnt)
			}
		})
	}
}

// start runs a program that nobody records yet. When the test ends, so do the program and its children, which may
// still wait for what a test that failed did not get to.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Stderr = os.Stderr
	c.SysProcAttr = &unix.SysProcAttr{Setpgid: true, Pdeathsig: unix.SIGKILL}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Kill(-c.Process.Pid, unix.SIGKILL); c.Wait() })
	return c
}

// A running process is recorded from now on, with its threads and the children
// it has and will have; so is one that is selected by its name.
func TestAttach(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	for _, by := range []string{"pid", "name", "pid of the parent", "all"} {
		t.Run(by, func(t *testing.T) {
			file := filepath.Join(workDir(t), "out")
			args := []string{exe, "wait, then fork", file}
			if by == "pid of the parent" {
				args = append([]string{"/bin/sh", "-c", `"$0" "$@"; true`}, args...)
			}
			c := start(t, args...)
			if by == "pid of the parent" {
				await(t, "the child to run", func() bool { return childOf(c.Process.Pid) != 0 })
			}
			scope := map[string]tracer.Scope{
				"pid": {PIDs: []uint32{uint32(c.Process.Pid)}}, "name": {Names: []string{"processes"}},
				"pid of the parent": {PIDs: []uint32{uint32(c.Process.Pid)}}, "all": {All: true},
			}[by]
			s := begin(t, Options{}, scope)
			if err := os.WriteFile(file+".go", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := c.Wait(); err != nil {
				t.Fatal(err)
			}
			rec := s.end()
			writes := rec.calls("write", file)
			pids, tids := map[uint32]bool{}, map[uint32]bool{}
			for _, w := range writes {
				pids[w.PID] = true
				tids[w.TID] = true
			}
			if len(writes) != 3 || len(pids) != 2 || len(tids) != 3 {
				t.Errorf("%d writes by %d processes and %d threads, want 3, 2, 3", len(writes), len(pids), len(tids))
			}
			present := rec.processes(trace.ProcessPresent)
			if p, ok := present[uint32(c.Process.Pid)]; !ok || !strings.Contains(p.Args, "wait, then fork") || p.Command == "" ||
				p.Parent != uint32(os.Getpid()) || p.CPU <= 0 || p.CPU > int64(time.Minute) {
				t.Errorf("the process that was attached to is not described: %+v", present)
			}
		})
	}
}

// A process that only computes, and makes no call from the beginning of its recording to the signal that ends it, has
// an exit all the same.
func TestExitWithoutACall(t *testing.T) {
	needBPF(t)
	for name, all := range map[string]bool{"pid": false, "all": true} {
		t.Run(name, func(t *testing.T) {
			c := start(t, "/bin/sh", "-c", "while :; do :; done")
			pid := uint32(c.Process.Pid)
			await(t, "the shell to compute", func() bool {
				cpu, _ := host.ProcessCPU(c.Process.Pid)
				return cpu > 20*time.Millisecond
			})
			scope := tracer.Scope{PIDs: []uint32{pid}}
			if all {
				scope = tracer.Scope{All: true}
			}
			s := begin(t, Options{}, scope)
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			c.Wait()
			rec := s.finish()
			before, exit := rec.processes(trace.ProcessPresent)[pid], rec.processes(trace.ProcessExit)[pid]
			if exit.Status != int32(unix.SIGKILL) || before.CPU <= 0 || exit.CPU < before.CPU {
				t.Errorf("present %+v, exit %+v", before, exit)
			}
		})
	}
}

// childOf finds a child of a process.
func childOf(pid int) uint32 {
	running, err := readProcesses()
	if err != nil {
		return 0
	}
	for child, p := range running {
		if p.Parent == uint32(pid) {
			return child
		}
	}
	return 0
}

// A program that runs later is recorded if it has the name, and one that has not is not.
func TestAttachByNameLater(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	dir := workDir(t)
	long := filepath.Join(dir, "a-name-of-more-than-15-bytes")
	run(t, "cp", exe, long)
	s := begin(t, Options{}, tracer.Scope{Names: []string{"processes", filepath.Base(long)}})
	for i, args := range [][]string{
		{exe, "fork", dir + "/yes"}, {"/bin/sh", "-c", "echo > " + dir + "/no"},
		{long, "write", dir + "/long"}, {"/bin/sh", "-c", `"` + exe + `" write "` + dir + `/nested"`},
	} {
		run(t, args...)
		_ = i
	}
	rec := s.end()
	for name, want := range map[string]int{"yes": 1, "no": 0, "long": 1, "nested": 1} {
		if got := len(rec.calls("write", dir+"/"+name)); got != want {
			t.Errorf("%d writes to %s recorded, want %d", got, name, want)
		}
	}
}

// Processes end while they are being attached to.
func TestAttachToAProcessThatEnds(t *testing.T) {
	needBPF(t)
	c := exec.Command("true")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	tr, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	err = tr.Attach(tracer.Scope{PIDs: []uint32{uint32(c.Process.Pid)}})
	if err == nil || !strings.Contains(err.Error(), "it may have ended") {
		t.Errorf("attaching to a process that is gone: %v", err)
	}
	for range 3 { // at some moment of attaching
		c := start(t, "sleep", "0.2")
		time.Sleep(time.Duration(50) * time.Millisecond)
		tr, err := New(Options{})
		if err != nil {
			t.Fatal(err)
		}
		err = tr.Attach(tracer.Scope{PIDs: []uint32{uint32(c.Process.Pid)}})
		if err != nil && !strings.Contains(err.Error(), "it may have ended") {
			t.Errorf("attaching to a process that ends: %v", err)
		}
		tr.Close()
		c.Wait()
	}
}

// No child is missed that is born while its parent is being attached to.
func TestAttachToAProcessThatForks(t *testing.T) {
	needBPF(t)
	exe := buildProcesses(t)
	file := filepath.Join(workDir(t), "out")
	c := start(t, exe, "breed", file)
	await(t, "the first child", func() bool { return childOf(c.Process.Pid) != 0 })
	s := begin(t, Options{}, tracer.Scope{PIDs: []uint32{uint32(c.Process.Pid)}})
	gate, err := os.OpenFile(file+".go", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	if err := c.Wait(); err != nil {
		t.Fatal(err)
	}
	rec := s.end()
	if got, want := len(rec.calls("write", file)), int(size(file)); got != want || want != 1500 {
		t.Errorf("%d of the writes of %d children were recorded", got, want)
	}
	t.Logf("%d children were there when recording began", len(rec.processes(trace.ProcessPresent))-1)
}
