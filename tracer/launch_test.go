package tracer

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
)

// both runs a shell script with and without us in between and compares what it
// prints, to either stream, and its status.
func both(t *testing.T, prepare func(*exec.Cmd), args ...string) string {
	t.Helper()
	run := func(c *exec.Cmd) string {
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if prepare != nil {
			prepare(c)
		}
		err := c.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return out.String() + "status " + strconv.Itoa(c.ProcessState.ExitCode()) + "\n"
	}
	want, got := run(direct(args...)), run(launched(args...))
	if got != want {
		t.Errorf("%q\n--- without\n%s--- with\n%s", args, want, got)
	}
	return got
}

func TestTheCommandFindsItsSurroundingsUnchanged(t *testing.T) {
	dir := t.TempDir()
	prepare := func(c *exec.Cmd) {
		c.Dir = dir
		c.Env = append(c.Env, "PWD="+dir, "EMPTY=", "ODD=a\nb\xff=c")
		c.Stdin = strings.NewReader("from standard input\n")
	}
	for name, script := range map[string]string{
		"environment": "env -0 | tr '\\0' '|'",
		"directory":   "pwd -P",
		"umask":       "umask 027; exec \"$0\" \"$@\"; umask",
		"input":       "cat",
		"output":      "echo out; echo err >&2; exit 7",
		"limits":      "ulimit -a; ulimit -H -a",
		"priority":    "nice",
		"group":       "ps -o pgid= -o sid= -o tty= -p $$ | sed \"s/$(ps -o pgid= -p $$ | tr -d ' ')/GROUP/\"",
	} {
		t.Run(name, func(t *testing.T) { both(t, prepare, "sh", "-c", script) })
	}
}

// The kernel's own list of what a process is: credentials, capabilities, signal
// dispositions and masks, allowed CPUs, seccomp mode and more.
func TestTheKernelSeesNoDifference(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	const look = "grep -Ev '^(Pid|Tgid|NStgid|NSpid|PPid|Ngid|SigQ|FDSize|Vm|Rss|HugetlbPages|.*ctxt_switches)' " +
		"/proc/self/status; " +
		"cat /proc/self/oom_score_adj /proc/self/personality /proc/self/cgroup /proc/self/timerslack_ns; ls -l " +
		"/proc/self/fd | wc -l"
	got := both(t, nil, "sh", "-c", look)
	contains(t, got, "SigIgn:", "CapEff:")

	launcher := withSymbols(t)
	for _, option := range []string{"--ignore-signal=PIPE", "--ignore-signal=TERM,QUIT,CHLD,USR1,TSTP",
		"--ignore-signal=INT,HUP", "--block-signal=USR1,WINCH"} {
		run := func(args ...string) string {
			c := exec.Command("env", append([]string{option}, args...)...)
			c.Env = append(os.Environ(), launchVariable+"=launch")
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%s: %v", option, err)
			}
			return string(out)
		}
		if want, got := run("sh", "-c", look), run(launcher, "sh", "-c", look); got != want {
			t.Errorf("%s\n--- without\n%s--- with\n%s", option, want, got)
		}
	}
}

// withSymbols builds this test as go build builds programs. go test and go run
// leave out the symbol table, in which the ignored signals are looked up.
func withSymbols(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "launcher")
	if out, err := exec.Command("go", "test", "-c", "-o", file, ".").CombinedOutput(); err != nil {
		t.Fatalf("building the launcher: %v\n%s", err, out)
	}
	return file
}

func TestChangedSurroundingsReachTheCommand(t *testing.T) {
	// What the shell changes before it starts us, the command must find.
	for name, c := range map[string]struct{ change, look, want string }{
		"limit of open files": {"ulimit -S -n 100; ulimit -H -n 200", "ulimit -S -n; ulimit -H -n", "100\n200\n"},
		"umask":               {"umask 0127", "umask", "0127\n"},
		"priority":            {"renice -n 5 -p $$ >/dev/null", "nice", "5\n"},
		"descriptor 3":        {"exec 3<<-EOF\nthree\nEOF\n", "cat <&3", "three\n"},
		"descriptor 9":        {"exec 9>&1", "echo nine >&9", "nine\n"},
		"closed descriptor":   {"exec 4>&-", "[ -e /dev/fd/4 ] || echo closed", "closed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := launchedFrom(c.change, "sh", "-c", c.look)
			if err != nil || out != c.want {
				t.Errorf("got %q (%v), want %q", out, err, c.want)
			}
		})
	}
}

// launchedFrom runs args as a workload, started by a shell that made some
// changes before.
func launchedFrom(change string, args ...string) (string, error) {
	c := launched(args...)
	shell := exec.Command("bash", append([]string{"-c", change + "\nexec \"$0\" \"$@\"", c.Path}, args...)...)
	shell.Env = c.Env
	out, err := shell.Output()
	return string(out), err
}

func TestTheCommandsStatusIsReturned(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 42": 42, "kill -TERM $$": 128 + 15,
		"kill -KILL $$": 128 + 9} {
		c := launched("sh", "-c", script)
		_ = c.Run()
		if got := c.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: status %d, want %d", script, got, want)
		}
	}
}

func TestCommandsThatCannotRun(t *testing.T) {
	plain := script(t, "plain", "#!/bin/sh\n", 0o644)
	noInterpreter := script(t, "lost", "#!/no/such/shell\n", 0o755)
	noFormat := script(t, "garbage", "\x7fELF garbage", 0o755)
	for _, c := range []struct {
		command string
		want    int
		text    string
	}{
		{"no-such-command-at-all", 127, "command not found"},
		{"/no/such/file", 127, "no such file"},
		{plain + "/below", 127, "not a directory"},
		{plain, 126, "permission denied"},
		{filepath.Dir(plain), 126, "is a directory"},
		{noInterpreter, 127, "no such file"},
		{"", 127, "not found"},
	} {
		out, _ := launched(c.command).CombinedOutput()
		cmd := launched(c.command)
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.want || !strings.Contains(string(out), c.text) {
			t.Errorf("%q: status %d, %q; want %d, %q", c.command, got, out, c.want, c.text)
		}
	}
	// The kernel refuses it, the shell then too: as env(1) has it.
	both(t, nil, "env", noFormat)
}

func TestAScriptWithoutInterpreterLineRuns(t *testing.T) {
	path := script(t, "bare", "echo \"$0 $1\"\n", 0o755)
	out, err := launched(path, "argument").Output()
	if want := path + " argument\n"; err != nil || string(out) != want {
		t.Errorf("got %q, %v; want %q", out, err, want)
	}
}

func TestFind(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	write := func(dir, name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(first, "both", 0o644) // not executable: passed over
	both := write(second, "both", 0o755)
	write(first, "plain", 0o644)
	if err := os.Mkdir(filepath.Join(first, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := first + ":" + second
	if got, err := Find("both", path); got != both || err != nil {
		t.Errorf("got %q, %v; want %q", got, err, both)
	}
	for command, status := range map[string]int{"plain": 126, "folder": 127, "absent": 127, "": 127} {
		_, err := Find(command, path)
		if e := (*ExecError)(nil); !errors.As(err, &e) || e.Status != status {
			t.Errorf("%q: %v, want status %d", command, err, status)
		}
	}
	t.Chdir(second)
	if got, err := Find("both", first+":"); got != "./both" || err != nil {
		t.Errorf("an empty element is the current directory: got %q, %v", got, err)
	}
}

// A script is there, and what runs it is not.
func TestNoInterpreter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script")
	if err := os.WriteFile(path, []byte("#!/no/such/interpreter\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(path))
	w, err := Launch(Command{Args: []string{"script"}})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Release()
	if e := (*ExecError)(nil); !errors.As(err, &e) || e.Status != ExitNotFound ||
		!strings.Contains(err.Error(), "interpreter") {
		t.Error(err)
	}
}

func TestTheAnnouncedProcessIsTheCommand(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	w, err := Launch(Command{Args: []string{"sh", "-c", "echo $$ >" + file}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it ran before it was released")
	}
	if err := w.Release(); err != nil || w.ExitCode() != 0 {
		t.Fatal(err, w.ExitCode())
	}
	got, err := os.ReadFile(file)
	if want := strconv.Itoa(w.PID()) + "\n"; err != nil || string(got) != want {
		t.Errorf("the command's process ID is %q, announced was %q (%v)", got, want, err)
	}
	if err := w.Signal(unix.SIGTERM); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("signal after the end: %v", err)
	}
}

func TestAnAbandonedCommandNeverRuns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ran")
	w, err := Launch(Command{Args: []string{"touch", file}})
	if err != nil {
		t.Fatal(err)
	}
	w.Abandon()
	if _, err := os.Stat(file); err == nil {
		t.Error("it ran")
	}
	if host.Running(uint32(w.PID())) {
		t.Error("the held process is still there")
	}
	w.Abandon() // a second time is harmless
}

func TestAHeldCommandThatIsKilledIsReported(t *testing.T) {
	w, err := Launch(Command{Args: []string{"true"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Signal(unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-w.Exited()
	if err := w.Release(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("got %v", err)
	}
}

// A recorder that dies takes the held process with it, silently.
func TestAHeldCommandEndsWithItsRecorder(t *testing.T) {
	dir := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run=^TestHoldForever$")
	c.Env = append(os.Environ(), "IOTRACE_TEST_HOLD="+dir)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	until(t, "the command is held", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "pid"))
		pid, _ = strconv.Atoi(string(text))
		return err == nil && pid > 0
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // returns when the held process, too, has closed its output
	until(t, "the held process ends", func() bool { return !host.Running(uint32(pid)) })
	if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
		t.Error("the command ran")
	}
	if out.Len() > 0 {
		t.Errorf("it said %q", out.String())
	}
}

// TestHoldForever is the recorder of the test above.
func TestHoldForever(t *testing.T) {
	dir := os.Getenv("IOTRACE_TEST_HOLD")
	if dir == "" {
		return
	}
	w, err := Launch(Command{Args: []string{"touch", filepath.Join(dir, "ran")}})
	if err != nil {
		t.Fatal(err)
	}
	tmp := filepath.Join(dir, "tmp")
	if err := os.WriteFile(tmp, []byte(strconv.Itoa(w.PID())), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, "pid")); err != nil {
		t.Fatal(err)
	}
	select {}
}

// until waits for something that other processes do.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 3000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain until %s", what)
}
