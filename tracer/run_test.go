package tracer

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

func TestASourceThatFailsDoesNotDisturbTheCommand(t *testing.T) {
	f := newFake()
	stop := filepath.Join(t.TempDir(), "stop")
	o := options(t, f, "while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 6")
	broken := errors.New("ring buffer on fire")
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		switch p {
		case Running:
			f.recordError <- broken
		case Waiting:
			_ = os.WriteFile(stop, nil, 0o644)
		}
	}}
	result, err := Record(o)
	if !errors.Is(err, broken) || result == nil || result.ExitCode != 6 {
		t.Fatalf("result %+v, error %v", result, err)
	}
	if _, _, end, complete := read(t, o.Output); !complete || end.Reason != "error" ||
		!strings.Contains(end.Error, "on fire") {
		t.Errorf("complete %v, end %+v", complete, end)
	}
}

// strace ends with what it follows, and its end may be known before the command's.
func TestASourceThatEndsFirst(t *testing.T) {
	f := newFake()
	stop := filepath.Join(t.TempDir(), "stop")
	o := options(t, f, "while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 3")
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			f.recordError <- nil
			time.AfterFunc(20*time.Millisecond, func() { _ = os.WriteFile(stop, nil, 0o644) })
		}
	}}
	result, err := Record(o)
	if err != nil || result.End.Reason != "exit" || result.End.ExitCode != 3 || result.End.CommandEnd < 0 {
		t.Errorf("a command: result %+v, error %v", result, err)
	}

	child := exec.Command("cat")
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	f = newFake()
	o = options(t, f, "")
	o.Command = nil
	o.Scope.PIDs = []uint32{uint32(child.Process.Pid)}
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			in.Close()
			for host.Running(o.Scope.PIDs[0]) {
				time.Sleep(time.Millisecond)
			}
			f.recordError <- nil
		}
	}}
	result, err = Record(o)
	if err != nil || result.End.Reason != "exit" {
		t.Errorf("a process: result %+v, error %v", result, err)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

func TestADurationEndsTheRecordingAndNotTheCommand(t *testing.T) {
	f := newFake()
	stop := filepath.Join(t.TempDir(), "stop")
	o := options(t, f, "while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 8")
	o.Duration = time.Millisecond
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Waiting {
			if _, _, end, complete := read(t, o.Output); !complete || end.Reason != "duration" {
				t.Errorf("complete %v, end %+v", complete, end)
			}
			_ = os.WriteFile(stop, nil, 0o644)
		}
	}}
	result, err := Record(o)
	if err != nil || result.ExitCode != 8 || result.End.CommandEnd != -1 || result.End.Durable != -1 {
		t.Errorf("result %+v, error %v", result, err)
	}
}

func TestProcessesLeftBehindAreMentioned(t *testing.T) {
	f := newFake()
	o := options(t, f, "exit 0")
	o.Drain = 0
	me := uint32(os.Getpid())
	f.feed <- func(s trace.Sink) error {
		return s.Process(&trace.Process{Action: trace.ProcessFork, PID: me, TID: me, Parent: f.scope.Launch})
	}
	result, err := Record(o)
	if err != nil {
		t.Fatal(err)
	}
	if w := result.End.Warnings; len(w) != 1 || !strings.Contains(w[0], "1 recorded processes were still running") {
		t.Errorf("warnings %q", w)
	}
	if result.End.Durable != -1 {
		t.Error("no drain was asked for, and it is said to be durable")
	}
}

func TestAttachingEndsWithTheProcesses(t *testing.T) {
	child := exec.Command("cat") // reads a pipe until it is closed
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	f := newFake()
	o := options(t, f, "")
	o.Command = nil
	o.Scope.PIDs = []uint32{uint32(child.Process.Pid)}
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Running {
			in.Close() // the zombie counts as ended
		}
	}}
	result, err := Record(o)
	if err != nil || result.ExitCode != 0 || result.End.Reason != "exit" || result.End.CommandEnd != -1 ||
		result.End.ExitCode != -1 {
		t.Errorf("result %+v, error %v", result, err)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	if h, _, _, _ := read(t, o.Output); h.Scope != "pid" || !slices.Equal(h.PIDs, o.Scope.PIDs) || len(h.Command) != 0 {
		t.Errorf("header %+v", h)
	}
}
