package tracer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTheFirstSignalIsTheCommands(t *testing.T) {
	f := newFake()
	ready := filepath.Join(t.TempDir(), "ready")
	o := options(t, f, "trap 'exit 9' TERM; touch "+ready+"; while :; do sleep 0.01; done")
	incoming := make(chan os.Signal, 1)
	o.Signals = newSignals(incoming)
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			go func() { until(t, "the command is ready", present(ready)); incoming <- unix.SIGTERM }()
		}
	}}
	result, err := Record(o)
	if err != nil || result.ExitCode != 9 || result.End.Reason != "exit" {
		t.Errorf("result %+v, error %v", result, err)
	}
	if _, _, end, complete := read(t, o.Output); !complete || end.ExitCode != 9 || end.Durable < 0 {
		t.Errorf("complete %v, end %+v", complete, end)
	}
}

func TestTheSecondSignalEndsTheRecordingAtOnce(t *testing.T) {
	f := newFake()
	dir := t.TempDir()
	ready, stop, ended := filepath.Join(dir, "ready"), filepath.Join(dir, "stop"), filepath.Join(dir, "ended")
	o := options(t, f, "trap '' TERM; touch "+ready+"; while [ ! -e "+stop+" ]; do sleep 0.01; done; touch "+ended)
	incoming := make(chan os.Signal, 2)
	o.Signals = newSignals(incoming)
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			go func() {
				until(t, "the command is ready", present(ready))
				incoming <- unix.SIGTERM
				incoming <- unix.SIGTERM
			}()
		}
	}}
	result, err := Record(o)
	if err != nil || result.ExitCode != 128+15 || result.End.Reason != "signal" {
		t.Errorf("result %+v, error %v", result, err)
	}
	if _, _, _, complete := read(t, o.Output); !complete {
		t.Error("the file is not complete")
	}
	if err := os.WriteFile(stop, nil, 0o644); err != nil { // it is still there to see this
		t.Fatal(err)
	}
	until(t, "the command ends by itself", present(ended))
}

func TestASignalEndsAttaching(t *testing.T) {
	f := newFake()
	o := options(t, f, "")
	o.Command = nil
	o.Scope.All = true
	incoming := make(chan os.Signal, 1)
	o.Signals = newSignals(incoming)
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			incoming <- unix.SIGINT
		}
	}}
	result, err := Record(o)
	if err != nil || result.ExitCode != 0 || result.End.Reason != "signal" {
		t.Errorf("result %+v, error %v", result, err)
	}
	if h, _, _, complete := read(t, o.Output); !complete || h.Scope != "all" {
		t.Errorf("complete %v, scope %q", complete, h.Scope)
	}
}

func TestASignalBeforeTheBeginning(t *testing.T) {
	f := newFake()
	ran := filepath.Join(t.TempDir(), "ran")
	o := options(t, f, "touch "+ran)
	incoming := make(chan os.Signal, 1)
	o.Signals = newSignals(incoming)
	o.Open = func() (Source, error) {
		incoming <- unix.SIGINT
		<-o.Signals.first
		return f, nil
	}
	result, err := Record(o)
	early := (*InterruptedError)(nil)
	if !errors.As(err, &early) || early.Signal != unix.SIGINT || result != nil {
		t.Errorf("result %+v, error %v", result, err)
	}
	if present(ran)() || present(o.Output)() {
		t.Error("the command ran, or a file was left")
	}
}

func present(path string) func() bool {
	return func() bool { _, err := os.Stat(path); return err == nil }
}

// recorderVariable makes TestRecorder a recorder of its value, a script.
const recorderVariable = "IOTRACE_TEST_RECORD"

// TestRecorder is the recording process of the tests below.
func TestRecorder(t *testing.T) {
	script := os.Getenv(recorderVariable)
	if script == "" {
		return
	}
	o := options(t, newFake(), script)
	o.Signals = CatchSignals()
	result, err := Record(o)
	if err != nil {
		t.Fatal(err)
	}
	_, _, end, complete := read(t, o.Output)
	fmt.Printf("complete=%v reason=%s exit=%d\n", complete, end.Reason, result.ExitCode)
}

// recorder starts a process that records a script, in a process group or
// session of its own.
func recorder(t *testing.T, script string, attr *unix.SysProcAttr) (*exec.Cmd, *bytes.Buffer) {
	words := []string{os.Args[0], "-test.run=^TestRecorder$"}
	if runtime.GOOS == "linux" { // the tests may be run by nohup
		words = append([]string{"env", "--default-signal"}, words...)
	}
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), recorderVariable+"="+script, "TMPDIR="+t.TempDir())
	c.SysProcAttr = attr
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	return c, &out
}

// Every signal that is sent to the recorder alone is passed on.
func TestSignalsToTheRecorderReachTheCommand(t *testing.T) {
	for _, sig := range []unix.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT} {
		ready := filepath.Join(t.TempDir(), "ready")
		c, out := recorder(t, "trap 'exit 9' INT TERM HUP QUIT; touch "+ready+"; while :; do sleep 0.01; done",
			&unix.SysProcAttr{Setsid: true})
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		until(t, "the command is ready", present(ready))
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Errorf("%v: %v", sig, err)
		}
		contains(t, out.String(), "complete=true reason=exit exit=9")
	}
}

// Started by nohup or with "&" from a script, a signal that is ignored is
// ignored by recorder and command.
func TestAnIgnoredSignalStaysIgnored(t *testing.T) {
	dir := t.TempDir()
	ready, stop := filepath.Join(dir, "ready"), filepath.Join(dir, "stop")
	c, out := recorder(t, "touch "+ready+"; while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 4", nil)
	c.Path, c.Args = "/bin/sh", []string{"sh", "-c", `trap "" HUP INT; exec "$@"`, "sh", os.Args[0],
		"-test.run=^TestRecorder$"}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the command is ready", present(ready))
	for _, sig := range []unix.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGHUP} {
		if err := c.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(stop, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	contains(t, out.String(), "complete=true reason=exit exit=4")
}

// Stopping the recorder stops the command, and both go on together.
func TestSuspend(t *testing.T) {
	dir := t.TempDir()
	pidFile, stop := filepath.Join(dir, "pid"), filepath.Join(dir, "stop")
	c, out := recorder(t, "echo $$ >"+pidFile+".new; mv "+pidFile+".new "+pidFile+"; while [ ! -e "+stop+
		" ]; do sleep 0.01; done; exit 4", &unix.SysProcAttr{Setpgid: true})
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the command is ready", present(pidFile))
	text, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	command := strings.TrimSpace(string(text))
	stopped := func(pid string) func() bool {
		return func() bool {
			out, _ := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
			return strings.HasPrefix(string(out), "T")
		}
	}
	if err := c.Process.Signal(unix.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	until(t, "the command is stopped", stopped(command))
	until(t, "the recorder is stopped", stopped(fmt.Sprint(c.Process.Pid)))
	if err := c.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stop, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	contains(t, out.String(), "complete=true reason=exit exit=4")
}
