package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
)

func TestExitCodes(t *testing.T) {
	root := newRoot(&app{})
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("broken"), 1},
		{usage(root, errors.New("what?")), 2},
		{&statusError{status: 3}, 3},
		{&statusError{125, errors.New("no probes")}, 125},
		// The command's fault counts before ours.
		{&statusError{125, &tracer.ExecError{Status: 127, Err: errors.New("gone")}}, 127},
		{&statusError{125, fmt.Errorf("wrapped: %w", &tracer.InterruptedError{Signal: 2})}, 130},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("%v: exit code %d, want %d", c.err, got, c.want)
		}
	}
}

// Every command has what its help needs.
func TestEveryCommandIsDescribed(t *testing.T) {
	for _, c := range newRoot(&app{}).Commands() {
		if c.Short == "" || c.Name() != "version" && !strings.Contains(c.Long, "Exit status:") {
			t.Errorf("%s has no description, or does not tell its exit status", c.Name())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			if len([]rune(line)) > 85 {
				t.Errorf("%s: a line of help is too long: %q", c.Name(), line)
			}
		}
	}
}

// A flag has one default, in words or as a value, and none that stands for "not given".
func TestHelpNamesOneDefault(t *testing.T) {
	for _, c := range newRoot(&app{}).Commands() {
		for line := range strings.Lines(c.Flags().FlagUsages()) {
			for _, nothing := range []string{"(default [])", "(default 0", `(default "")`, "(default )"} {
				if strings.Contains(line, nothing) {
					t.Errorf("%s: %s", c.Name(), line)
				}
			}
			if strings.Count(line, "(default") > 1 {
				t.Errorf("%s names two defaults: %s", c.Name(), line)
			}
		}
	}
}

// What is offered as a backend is one: on some system, or as the usual choice.
func TestOfferedBackendsExist(t *testing.T) {
	a := &app{backends: backends()}
	for _, c := range newRoot(a).Commands() {
		f := c.Flags().Lookup("backend")
		if f == nil {
			continue
		}
		for tool := range strings.SplitSeq("strace blkparse biosnoop xctrace ktrace", " ") {
			if strings.Contains(f.Usage, tool) {
				t.Errorf("%s --backend offers %s", c.Name(), tool)
			}
			if err := a.checkBackend(tool); err == nil || !strings.Contains(err.Error(), "iotrace import --from "+tool+" FILE") {
				t.Errorf("--backend %s: %v", tool, err)
			}
		}
	}
	for _, name := range systems {
		if err := a.checkBackend(name); err != nil {
			t.Error(err)
		}
	}
}

func TestOutputNames(t *testing.T) {
	now := time.Date(2026, 11, 21, 3, 14, 0, 0, time.UTC)
	for _, c := range []struct {
		o       recordOptions
		command []string
		want    string
	}{
		{recordOptions{}, []string{"/usr/bin/cp", "a"}, "cp"},
		{recordOptions{}, []string{"./my prog"}, "my_prog"},
		{recordOptions{}, []string{"/opt/..-x"}, "x"},
		{recordOptions{pids: []uint{12, 13}}, nil, "pid12"},
		{recordOptions{names: []string{"kworker/0:1"}}, nil, "kworker_0_1"},
		{recordOptions{all: true, names: []string{"x"}}, nil, "system"},
	} {
		if got := c.o.outputName(c.command, now); got != c.want+"-20261121-031400.iotrace" {
			t.Errorf("%+v %q: %s", c.o, c.command, got)
		}
	}
	if got := pageName("a.iotrace.iotrace"); got != "a.iotrace.html" {
		t.Error(got)
	}
}

func TestSeconds(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0.000000000", 1: "0.000000001", 999_999_999: "0.999999999", 1_000_000_000: "1.000000000", 12_345_678_901: "12.345678901",
		-1: "-0.000000001", math.MinInt64: "-9223372036.854775808", math.MaxInt64: "9223372036.854775807",
	} {
		if got := string(appendSeconds(nil, ns, 0)); got != want {
			t.Errorf("%d ns: %q, want %q", ns, got, want)
		}
		if got := string(appendSeconds(nil, ns, 25)); len(got) != 25 || strings.TrimLeft(got, " ") != want {
			t.Errorf("%d ns, 25 wide: %q", ns, got)
		}
	}
}

// Names are kept in bounded memory, and the newest are kept.
func TestOldNamesAreForgotten(t *testing.T) {
	n := newNames(trace.Header{})
	long := strings.Repeat("x", 1<<20)
	for id := trace.FileID(1); id <= 200; id++ {
		n.add(id, long+fmt.Sprint(id))
		n.add(id, long+fmt.Sprint(id)) // told twice
	}
	if n.held > nameBudget || len(n.files) > 64 || len(n.order) != len(n.files) {
		t.Errorf("%d bytes in %d names, %d in order", n.held, len(n.files), len(n.order))
	}
	if got := string(n.file(nil, 1)); got != "#1" {
		t.Errorf("the first is still %.20s", got)
	}
	if got := string(n.file(nil, 200)); !strings.HasSuffix(got, `x200"`) {
		t.Errorf("the last is %.20s", got)
	}
}

// A line is one line of plain characters, whatever the events hold.
func FuzzEventLines(f *testing.F) {
	f.Add("/a\nb", "cp\x00\x1b[2J\u202e", uint32(1<<31), int64(-2), uint8(200))
	f.Add("", "", uint32(0), int64(math.MinInt64), uint8(0))
	f.Fuzz(func(t *testing.T, path, args string, bits uint32, n int64, small uint8) {
		b := &trace.Batch{
			Syscalls: []trace.Syscall{{Start: n, Duration: n, Op: trace.Op(small), Call: uint16(small), Flags: trace.IOFlags(bits), FD: int32(n), FD2: int32(small),
				File: 1, File2: trace.FileID(bits), Offset: n, Requested: n, Result: n, Filled: n}},
			AsyncOps:  []trace.AsyncOp{{Submit: n, Op: trace.Op(small), API: trace.AsyncAPI(small), Flags: trace.IOFlags(bits), File: 1, Result: n}},
			Faults:    []trace.Fault{{Start: n, File: 1}},
			Requests:  []trace.Request{{Issued: n, Op: trace.ReqOp(small), Flags: trace.ReqFlags(bits), File: 1, Evidence: trace.Evidence(small), Error: int32(n), More: []trace.Extent{{File: 1}}}},
			Waits:     []trace.Wait{{Cause: trace.WaitCause(small)}},
			Processes: []trace.Process{{Action: trace.ProcessAction(small), Status: int32(n), Command: args, Args: args, Exe: path}},
			Files:     []trace.File{{ID: 1, Path: path, FSType: args, Mount: path, Type: trace.FileType(small), Flags: trace.FileFlags(small)}},
			Devices:   []trace.Device{{ID: 1, Name: args, Model: path, Scheduler: args, Backing: path, WriteCache: args}},
			Lost:      []trace.Lost{{Kind: trace.Kind(small), CPU: int32(n)}},
		}
		names := newNames(trace.Header{Calls: []string{"read"}})
		names.learn(b)
		for e := range b.InOrder() {
			for _, line := range [][]byte{names.appendText(nil, b, e), names.appendJSON(nil, b, e)} {
				for _, r := range string(line) {
					if r < ' ' || r == 0x7f || r == '\u202e' || r == 0xfffd && line[0] != '{' {
						t.Fatalf("%q holds %q", line, r)
					}
				}
			}
		}
	})
}
