package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// A cause names the processes that it is about, where there are several.
func TestProcessesAreNamed(t *testing.T) {
	p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
	p.Files = []profile.File{{Type: trace.FilePipe, Path: "pipe:[1]", Processes: []uint32{1, 2, 3},
		Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}}}
	p.Processes = []profile.Process{
		{PID: 1, Command: "sh"}, {PID: 2, Parent: 1, Command: "feed"},
		{PID: 3, Parent: 1, Command: "eat", WaitNS: profile.Waits{Call: second}},
	}
	text := func() string { return verdict.Judge(p).Causes[0].Text }
	if got, want := text(), "waiting for the other end of a pipe of eat (3) and feed (2)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	p.Files[0].Processes = []uint32{3}
	if got := text(); !strings.Contains(got, "of eat (3), which no recorded process has") {
		t.Errorf("%q", got)
	}
	p.Files[0] = profile.File{Type: trace.FileRegular, Path: "/db", Processes: []uint32{2, 3},
		Ops: []profile.OpCount{{Op: trace.OpLock, TimeNS: second}}}
	p.Calls = []profile.Call{{Op: trace.OpLock, Name: "flock", Count: 1, TimeNS: second}}
	if got := text(); !strings.HasPrefix(got, "another process, feed (2), held a lock") {
		t.Errorf("%q", got)
	}
	p.Files[0].Processes = []uint32{3}
	if got := text(); !strings.HasPrefix(got, "a process that was not recorded held a lock") {
		t.Errorf("%q", got)
	}
	p = spent(map[string]int64{"cpu": second}, map[string]int64{"running": second})
	p.Processes = []profile.Process{{PID: 1, Command: "sh", CPUNS: 1}, {PID: 2, Command: "xz", CPUNS: second}}
	if got := text(); got != "most of it xz (2): 1.00 s of CPU time" {
		t.Errorf("%q", got)
	}
	p.Processes[0].CPUNS, p.TimeStack.ThreadNS["running"] = profile.Unknown, 3*second // it has not ended
	if got := text(); got != "on a CPU, outside of calls that move data" {
		t.Errorf("%q", got)
	}
}

// Where no process stands out, but one command does of which many ran, it is named with what each of them took.
func TestManyProcessesOfOneCommand(t *testing.T) {
	p := spent(map[string]int64{"cpu": second}, map[string]int64{"running": second})
	p.Processes = []profile.Process{{PID: 1, Command: "sh", CPUNS: second / 10}}
	for pid := range uint32(90) {
		p.Processes = append(p.Processes, profile.Process{PID: 2 + pid, Command: "rm", CPUNS: second / 100})
	}
	p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
		{NS: second * 9 / 10, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "rm"}},
		{NS: second / 10, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "sh"}},
	}}
	first := verdict.Judge(p).Causes[0]
	if first.Text != "most of it in rm, 90 processes: 10.0 ms each, with start and end" ||
		!strings.HasPrefix(first.Remedy, "fewer of these processes") {
		t.Errorf("%q, %q", first.Text, first.Remedy)
	}
}

// A command line that is started again and again says the same each time. Lines that differ do not, nor what a process
// forks to do its own work.
func TestStartedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		line func(n int) []string
		text string
		try  string
	}{
		{"one line", func(int) []string { return []string{"pkg-config", "--libs", "zlib"} },
			", such as pkg-config --libs (90 times)", "run what is started again and again once"},
		{"two lines", func(n int) []string { return []string{"date", []string{"+%s", "+%F"}[n%2]} },
			", such as date +%s (45 times)", "run what is started again and again once"},
		{"each another", func(n int) []string { return []string{"pkg-config", fmt.Sprint(n)} }, "",
			"fewer of these processes"},
		{"forks", func(int) []string { return []string{"sh", "build"} }, "", "fewer of these processes"},
		{"unknown", func(int) []string { return nil }, "", "fewer of these processes"},
	} {
		p := spent(map[string]int64{"cpu": second}, map[string]int64{"running": second})
		p.Processes = []profile.Process{{PID: 1, Command: "sh", CPUNS: second / 10, Args: []string{"sh", "build"}}}
		for n := range 90 {
			p.Processes = append(p.Processes, profile.Process{PID: 2 + uint32(n), Parent: 1, Command: "x", CPUNS: second / 100,
				Args: c.line(n)})
		}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			{NS: second, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "x"}}}}
		r := verdict.Judge(p).Causes[0]
		if want := "most of it in x, 90 processes: 11.1 ms each, with start and end" + c.text; r.Text != want ||
			!strings.HasPrefix(r.Remedy, c.try) {
			t.Errorf("%s: %q, %q", c.name, r.Text, r.Remedy)
		}
	}
}

// Threads of one process that take turns are told of, whoever of them computes; threads that run beside one another are
// not, nor those that do not take turns.
func TestThreadsInTurn(t *testing.T) {
	for _, c := range []struct {
		name    string
		turns   int64
		threads int
		cpu     int64
		others  int
		lead    int64
		want    bool
	}{
		{"in turn", 400, 5, second * 9 / 10, 0, second / 4, true},
		{"two in turn", 400, 5, second * 9 / 10, 0, second * 6 / 10, true},
		{"in turn, beside a shell", 400, 5, second * 9 / 10, 1, second / 4, true},
		{"one that others help", 400, 5, second * 9 / 10, 0, second * 9 / 10, false},
		{"beside one another", 400, 5, 2 * second, 0, second / 4, false},
		{"one after the other", 1, 5, second * 9 / 10, 0, second / 4, false},
		{"one thread", 0, 1, second * 9 / 10, 0, second, false},
	} {
		p := spent(map[string]int64{"cpu": second}, map[string]int64{"running": second})
		p.Processes = []profile.Process{{PID: 1, Command: "crawler", CPUNS: c.cpu, Threads: c.threads}}
		for range c.others {
			p.Processes = append(p.Processes, profile.Process{PID: 2, Command: "sh", CPUNS: 1, Threads: 1})
		}
		p.Path = &profile.Path{TotalNS: second, Turns: c.turns, LeadNS: c.lead, Parts: []profile.PathPart{
			{NS: second, Place: profile.PathPlace{What: "runs", Label: "cpu", Process: "crawler"}}}}
		got := verdict.Judge(p).Causes[0]
		if strings.Contains(got.Text, "its 5 threads one at a time: 400 hand-overs") != c.want ||
			strings.Contains(got.Remedy, "if a lock lets one thread run") != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Time on a CPU within a call that moves no data of files is that call's.
func TestTheCallThatComputes(t *testing.T) {
	part := func(label, what, call, file string, ns int64) profile.PathPart {
		return profile.PathPart{NS: ns, Place: profile.PathPlace{What: what, Label: label, Call: call, File: file}}
	}
	for _, test := range []struct {
		name  string
		parts []profile.PathPart
		want  string
	}{
		{"random numbers", []profile.PathPart{part("other_call", "runs", "read", "/dev/urandom", second*6/10),
			part("cpu", "runs", "", "", second*4/10)}, "in read of /dev/urandom: 600 ms of CPU time, with no wait"},
		{"no file", []profile.PathPart{part("other_call", "runs", "ioctl", "", second)},
			"in ioctl: 1.00 s of CPU time, with no wait"},
		{"several files, one of them most", []profile.PathPart{part("other_call", "runs", "readdir", "", second)},
			"in readdir, mostly of fd (4.10 MB in 900 calls): 1.00 s of CPU time, with no wait"},
		{"half", []profile.PathPart{part("other_call", "runs", "read", "/dev/urandom", second/2),
			part("cpu", "runs", "", "", second/2)}, "on a CPU, outside of calls that move data"},
		{"it waited there", []profile.PathPart{part("other_call", "unknown", "read", "/dev/tty", second*6/10),
			part("cpu", "runs", "", "", second*4/10)}, "on a CPU, outside of calls that move data"},
	} {
		p := spent(map[string]int64{"cpu": second / 2, "other_call": second / 2}, map[string]int64{"running": second})
		p.Path = &profile.Path{Parts: test.parts}
		p.Files = []profile.File{{Path: "/proc/self/fd", Type: trace.FileDirectory, Ops: []profile.OpCount{
			{Op: trace.OpReaddir, Count: 900, TimeNS: second, Bytes: 4_096_000}}}}
		if got := verdict.Judge(p).Causes[0].Text; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
