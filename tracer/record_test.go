package tracer

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/trace/tracefile"
)

// options records a shell script with a fake source.
func options(t *testing.T, f *fake, script string) Options {
	return Options{
		Command: []string{"sh", "-c", script},
		Open:    func() (Source, error) { return f, nil },
		Output:  filepath.Join(t.TempDir(), "out.iotrace"),
		Drain:   10 * time.Second,
		Tool:    "iotrace test",
	}
}

// read returns what a trace file holds.
func read(t *testing.T, path string) (h trace.Header, events int, end trace.End, complete bool) {
	t.Helper()
	r, err := tracefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b trace.Batch
	for {
		if err := r.Next(&b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		events += b.Len()
	}
	end, complete = r.End()
	return r.Header(), events, end, complete
}

func TestRecordACommand(t *testing.T) {
	f := newFake()
	o := options(t, f, "exit 3")
	o.ReadyFile = filepath.Join(t.TempDir(), "ready")
	f.feed <- call
	result, err := Record(o)
	if err != nil {
		t.Fatal(err)
	}
	if result.ExitCode != 3 || result.Path != o.Output {
		t.Errorf("exit code %d, path %q", result.ExitCode, result.Path)
	}
	h, events, end, complete := read(t, o.Output)
	if !complete || events != 2 {
		t.Errorf("complete %v with %d events, want the call and the exit", complete, events)
	}
	if !slices.Equal(h.Command, o.Command) || h.Scope != "command" || h.Backend != "fake" || h.Tool != o.Tool ||
		len(h.Limits) != 1 || len(h.Calls) != 2 || h.CPUs < 1 || h.Memory < 1 || h.Kernel == "" || h.Host == "" ||
		!slices.Equal(h.PIDs, []uint32{f.scope.Launch}) || time.Since(h.WallStart) > time.Hour {
		t.Errorf("header %+v", h)
	}
	if end.Reason != "exit" || end.ExitCode != 3 || end.CommandEnd <= 0 || end.Durable < end.CommandEnd ||
		end.Duration < end.Durable {
		t.Errorf("end %+v", end)
	}
	if end.Recorder.ProbeRuns != 7 || end.Recorder.ReaderCPU <= 0 || end.Recorder.MaxRSS <= 0 || len(end.Warnings) > 0 {
		t.Errorf("end %+v", end)
	}
	if want := []string{"attach", "record", "written", "close"}; !slices.Equal(f.history(), want) {
		t.Errorf("the source saw %v, want %v", f.history(), want)
	}
	if _, err := os.Stat(o.ReadyFile); err != nil {
		t.Error(err)
	}
}

// What fails before the command runs leaves nothing behind and runs nothing.
func TestARecordingThatCannotBegin(t *testing.T) {
	broken := errors.New("no probes today")
	for name, change := range map[string]func(*Options, *fake){
		"backend":       func(o *Options, f *fake) { o.Open = func() (Source, error) { return nil, broken } },
		"attach":        func(o *Options, f *fake) { f.attachError = broken },
		"no command":    func(o *Options, f *fake) { o.Command = []string{"no-such-command-at-all"} },
		"no directory":  func(o *Options, f *fake) { o.Output = filepath.Join(filepath.Dir(o.Output), "missing", "x") },
		"is directory":  func(o *Options, f *fake) { o.Output = filepath.Dir(o.Output) },
		"below a file":  func(o *Options, f *fake) { o.Output = os.Args[0] + "/x" },
		"nothing to do": func(o *Options, f *fake) { o.Command = nil },
		"no process":    func(o *Options, f *fake) { o.Scope.PIDs = []uint32{1<<32 - 1} },
		"device full":   func(o *Options, f *fake) { o.Output = "/dev/full" },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake()
			ran := filepath.Join(t.TempDir(), "ran")
			o := options(t, f, "touch "+ran)
			dir := filepath.Dir(o.Output)
			change(&o, f)
			result, err := Record(o)
			if err == nil || result != nil {
				t.Errorf("result %v, error %v", result, err)
			}
			if _, err := os.Stat(ran); err == nil {
				t.Error("the command ran")
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
			if calls := f.history(); slices.Contains(calls, "attach") && !slices.Contains(calls, "close") {
				t.Errorf("attached and not closed: %v", calls)
			}
		})
	}
}

func TestAnExistingFileIsKept(t *testing.T) {
	f := newFake()
	o := options(t, f, "exit 0")
	if err := os.WriteFile(o.Output, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Record(o); err == nil || !strings.Contains(err.Error(), "-f") {
		t.Errorf("error %v, want one that names -f", err)
	}
	o.Force = true
	f.attachError = errors.New("no probes today")
	if _, err := Record(o); err == nil {
		t.Error("attached")
	}
	if text, _ := os.ReadFile(o.Output); string(text) != "precious" {
		t.Errorf("the file became %q", text)
	}
}

// While the recording runs there is one whole file under the name at any time.
func TestForceReplacesInOneStep(t *testing.T) {
	f := newFake()
	o := options(t, f, `while [ "$(head -c 8 "$0" | tr '\0' x)" = precious ]; do sleep 0.01; done; [ -s "$0" ]`)
	o.Command = append(o.Command, o.Output)
	o.Force = true
	if err := os.WriteFile(o.Output, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f.feed <- call
	if result, err := Record(o); err != nil || result.ExitCode != 0 {
		t.Fatal(result, err)
	}
	if _, events, _, complete := read(t, o.Output); events == 0 || !complete {
		t.Errorf("%d events, complete %v", events, complete)
	}
	if text, _ := io.ReadAll(old); string(text) != "precious" {
		t.Errorf("the old file was written into: %q", text)
	}
	if left, _ := os.ReadDir(filepath.Dir(o.Output)); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// An output that breaks ends the tracing and nothing else.
func TestABrokenOutputDoesNotDisturbTheCommand(t *testing.T) {
	f := newFake()
	dir := t.TempDir()
	stop := filepath.Join(dir, "stop")
	o := options(t, f, "while [ ! -e "+stop+" ]; do sleep 0.01; done; exit 5")
	o.Output = filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(o.Output, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { // a reader that leaves after the header
		r, err := os.Open(o.Output)
		if err == nil {
			_, _ = io.ReadFull(r, make([]byte, 16))
			r.Close()
		}
		for range 1 << 16 { // more than any buffer on the way
			f.feed <- call
		}
	}()
	var told error
	o.Warn = func(err error) { told = err }
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p == Waiting {
			if !slices.Contains(f.history(), "close") {
				t.Error("the probes are still attached while the command goes on")
			}
			_ = os.WriteFile(stop, nil, 0o644)
		}
	}}
	result, err := Record(o)
	if !errors.Is(err, unix.EPIPE) || result == nil || result.ExitCode != 5 {
		t.Fatalf("result %+v, error %v; want a broken pipe and status 5", result, err)
	}
	if told == nil || !strings.Contains(told.Error(), "the command goes on") {
		t.Errorf("the user was told %v", told)
	}
}

// A directory that goes away takes the trace along: that is no success.
func TestATraceWhoseDirectoryIsRemovedIsAnError(t *testing.T) {
	f := newFake()
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	o := options(t, f, "while [ ! -e "+dir+"/t ]; do sleep 0.01; done; rm -r "+dir)
	o.Output = filepath.Join(dir, "t")
	f.feed <- call
	result, err := Record(o)
	if result == nil || !result.Ended || result.ExitCode != 0 {
		t.Fatalf("result %+v, error %v", result, err)
	}
	if err == nil || !strings.Contains(err.Error(), "it is lost") {
		t.Errorf("error %v, want that the trace is lost", err)
	}
}

// There is no trace without events, also not of a recorder that is killed early.
func TestATraceHasItsNameWhenItHasEvents(t *testing.T) {
	f := newFake()
	o := options(t, f, "exit 0")
	o.Command, o.Scope.All, o.Duration = nil, true, time.Second
	o.ReadyFile = filepath.Join(t.TempDir(), "ready")
	o.Monitor = &Monitor{OnEnter: func(p Phase) {
		if p != Running {
			return
		}
		if _, err := os.Stat(o.Output); err == nil {
			t.Error("there is a trace before there are events")
		}
		f.feed <- call
		until(t, "the recording is ready", func() bool { _, err := os.Stat(o.ReadyFile); return err == nil })
		if _, events, _, complete := read(t, o.Output); events == 0 || complete {
			t.Errorf("%d events, complete %v", events, complete)
		}
	}}
	if _, err := Record(o); err != nil {
		t.Fatal(err)
	}
}

// The CPU time of a command does not include that of holding it.
func TestHoldingIsNotTheCommandsWork(t *testing.T) {
	w, err := Launch(Command{Args: []string{"true"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abandon()
	if runtime.GOOS == "linux" {
		until(t, "the held process has used CPU time", func() bool { cpu, _ := host.ProcessCPU(w.PID()); return cpu > 0 })
	}
	var file bytes.Buffer
	out, err := tracefile.NewWriter(&file, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	watch := newWatch(out, []uint32{7})
	watch.discount(7, 30)
	exit := trace.Process{Action: trace.ProcessExit, PID: 7, TID: 7, CPU: 100}
	other := trace.Process{Action: trace.ProcessExit, PID: 8, TID: 8, CPU: 100}
	if err := errors.Join(watch.Process(&exit), watch.Process(&other), out.Close(trace.End{})); err != nil {
		t.Fatal(err)
	}
	b := readBatch(t, &file)
	if len(b.Processes) != 2 || b.Processes[0].CPU != 70 || b.Processes[1].CPU != 100 || exit.CPU != 100 {
		t.Errorf("processes %+v", b.Processes)
	}
}

// Of a process that still runs as the recording ends, the CPU time is recorded, without what was the recorder's, and
// its arguments; a name that a process takes when it executes a program makes it one of them.
func TestStillRunning(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("macOS does not tell the CPU time of other processes")
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	out, err := tracefile.NewWriter(&file, trace.Header{})
	if err != nil {
		t.Fatal(err)
	}
	self, parent := uint32(os.Getpid()), uint32(os.Getppid())
	watch := newWatch(out, []uint32{self})
	before, _ := host.ProcessCPU(int(self))
	watch.discount(self, before)
	for _, e := range []trace.Process{
		{Action: trace.ProcessExec, PID: parent, TID: parent},
		{Action: trace.ProcessPresent, PID: uint32(ended.Process.Pid), TID: uint32(ended.Process.Pid)},
	} {
		if err := watch.Process(&e); err != nil {
			t.Fatal(err)
		}
	}
	watch.remain(watch.running(), 5)
	if err := out.Close(trace.End{}); err != nil {
		t.Fatal(err)
	}
	cpu := map[uint32]int64{}
	b := readBatch(t, &file)
	for _, e := range b.Processes[2:] {
		if e.Action != trace.ProcessRunning || e.Time != 5 || e.PID == self && e.Args != strings.Join(os.Args, "\x00") {
			t.Errorf("%+v", e)
		}
		cpu[e.PID] = e.CPU
	}
	now, _ := host.ProcessCPU(int(self))
	if got := cpu[self]; len(cpu) != 2 || cpu[parent] <= 0 || got < 0 || got > int64(now-before) {
		t.Errorf("CPU time %v", cpu)
	}
}

// readBatch reads a trace of one batch.
func readBatch(t *testing.T, file io.Reader) *trace.Batch {
	t.Helper()
	r, err := tracefile.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var b trace.Batch
	if err := r.Next(&b); err != nil {
		t.Fatal(err)
	}
	return &b
}

// A name that no process has is said in the trace, one that a process has is not.
func TestNameWithoutAProcess(t *testing.T) {
	f := newFake()
	o := options(t, f, "")
	o.Command = nil
	o.Scope.Names = []string{"nobody", "a-name-that-is-too-long-for-the-system"}
	o.Duration = 50 * time.Millisecond
	f.feed <- func(s trace.Sink) error {
		return s.Process(&trace.Process{Action: trace.ProcessPresent, PID: 7, TID: 7, Command: "a-name-that-is-"})
	}
	result, err := Record(o)
	if err != nil {
		t.Fatal(err)
	}
	if w := result.End.Warnings; len(w) != 1 || !strings.Contains(w[0], `"nobody"`) {
		t.Errorf("warnings %q", w)
	}
}
