package fsusage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/machine"
)

var _ tracer.Source = (*Source)(nil)

// run records what the stand-in prints, as if thread tid of process pid did it.
func run(t *testing.T, mode string) (*Source, *trace.Log, error) {
	t.Helper()
	stop := filepath.Join(t.TempDir(), "stop")
	sys := fakeSystem{machine.Live(), 4711, 77777}
	t.Setenv("FAKE", mode)
	t.Setenv("FAKE_TID", fmt.Sprint(sys.tid))
	t.Setenv("FAKE_STOP", stop)
	s := newSource("testdata/fs_usage", sys, uint32(os.Getpid()), macos.Intel)
	if err := s.Attach(tracer.Scope{PIDs: []uint32{sys.pid}}); err != nil {
		return s, nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	log := &trace.Log{}
	seen := make(chan struct{})
	go func() {
		<-seen
		_ = os.WriteFile(stop, nil, 0o644)
		cancel()
	}()
	return s, log, s.Record(ctx, &untilSeen{Log: log, n: 3, seen: seen})
}

// fakeSystem has one process more than the machine.
type fakeSystem struct {
	machine.System
	pid uint32
	tid uint64
}

func (f fakeSystem) Processes() []machine.Process {
	return []machine.Process{{PID: f.pid, Name: "work"}}
}

func (f fakeSystem) Threads(pid uint32) []uint64 { return []uint64{f.tid} }

func (f fakeSystem) Inspect(pid uint32) (machine.Process, bool) {
	return machine.Process{PID: pid, Name: "work"}, pid == f.pid
}

// untilSeen closes a channel after n calls.
type untilSeen struct {
	*trace.Log
	n    int
	seen chan struct{}
}

func (u *untilSeen) Syscall(e *trace.Syscall) error {
	if u.n--; u.n == 0 {
		close(u.seen)
	}
	return u.Log.Syscall(e)
}

func TestSourceReadsBetweenItsMarks(t *testing.T) {
	s, log, err := run(t, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(log.Syscalls) != 3 || len(log.Processes) != 1 {
		t.Fatalf("calls %+v, processes %+v", log.Syscalls, log.Processes)
	}
	for i, e := range log.Syscalls {
		if e.PID != 4711 || e.TID != 77777 || log.Path(e.File) != "/etc/hosts" || e.Start < 0 ||
			e.Start > int64(time.Minute) {
			t.Errorf("call %d: %+v", i, e)
		}
	}
	if s.Stats().Lost[trace.KindSyscall] != 1 {
		t.Errorf("%v: the damaged line was not counted", s.Stats().Lost)
	}
}

func TestOverrunIsALoss(t *testing.T) {
	s, log, err := run(t, "overrun")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(log.Losses) != 1 || s.Stats().Lost[trace.KindSyscall] != 2 {
		t.Errorf("losses %+v, stats %v", log.Losses, s.Stats().Lost)
	}
}

func TestFailuresAreExplained(t *testing.T) {
	for mode, want := range map[string]error{"root": tracer.ErrPermission, "busy": tracer.ErrUnsupported} {
		if _, _, err := run(t, mode); !errors.Is(err, want) || !strings.Contains(err.Error(), "it said") {
			t.Errorf("%s: %v", mode, err)
		}
	}
	t.Setenv("FAKE", "dies")
	if s, _, err := run(t, "dies"); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("fs_usage died and nobody noticed: %v", err)
	} else if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestArguments(t *testing.T) {
	got := arguments(tracer.Scope{PIDs: []uint32{5}, Names: []string{"Finder", "a b"}}, 7)
	want := []string{"-w", "-f", "filesys", "-f", "diskio", "5", "Finder", "a b", "7"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, s := range []tracer.Scope{{Launch: 5}, {All: true}} {
		if got := arguments(s, 7); !slices.Equal(got, want[:5]) {
			t.Errorf("%+v: %q: a list would keep out descendants", s, got)
		}
	}
}
