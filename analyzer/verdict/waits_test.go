package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// Calls on names that mostly fail are told of: of whatever kind, and those that close what is not open.
func TestFailing(t *testing.T) {
	for _, c := range []struct {
		call         profile.Call
		text, remedy string
	}{
		{profile.Call{Op: trace.OpClose, Name: "close", Errno: map[trace.Errno]int64{9: 90_000}},
			"close: 100,000 calls, 1.00 s in all; 90,000 of them failed, as nothing was open there", "close_range"},
		{profile.Call{Op: trace.OpAttr, Name: "fchownat", Errno: map[trace.Errno]int64{1: 90_000}},
			"90,000 of them failed", "leave out"},
		{profile.Call{Op: trace.OpStat, Name: "statx", Errno: map[trace.Errno]int64{2: 90_000}}, "found nothing", "ask once"},
	} {
		p := spent(map[string]int64{"metadata": second}, map[string]int64{"metadata_calls": second})
		c.call.Count, c.call.Errors, c.call.TimeNS = 100_000, 90_000, second
		p.Calls = []profile.Call{c.call}
		got := verdict.Judge(p).Causes[0]
		if !strings.Contains(got.Text, c.text) || !strings.Contains(got.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.call.Name, got)
		}
	}
	p := spent(map[string]int64{"metadata": second}, map[string]int64{"metadata_calls": second})
	p.Calls = []profile.Call{{Op: trace.OpClose, Name: "close", Count: 100_000, Errors: 9, TimeNS: second}}
	if got := verdict.Judge(p).Causes[0]; strings.Contains(got.Text, "failed") {
		t.Errorf("few that fail: %+v", got)
	}
}

// Threads that wait for one another while none runs are no sleep; one that sleeps is, whatever others wait for.
func TestLockOfTheProgram(t *testing.T) {
	for _, c := range []struct {
		name    string
		threads int
		waits   profile.Waits
		want    bool
	}{
		{"a lock", 5, profile.Waits{Futex: 3 * second}, true},
		{"one thread", 1, profile.Waits{Futex: second}, false},
		{"a sleep, and a pool that waits for work", 5, profile.Waits{Futex: 3 * second, Sleep: second}, false},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"running": 1})
		p.Processes = []profile.Process{{PID: 1, Command: "crawler", Threads: c.threads, WaitNS: c.waits}}
		if got := verdict.Judge(p).Causes[0].Text; strings.Contains(got, "crawler (1) waited for one another") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// One call on a name that a file server answers late is told as one.
func TestOneLateAnswer(t *testing.T) {
	p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
	p.Files = []profile.File{{Path: "/m", Type: trace.FileDirectory, FSType: "fuse.sshfs", Mount: "/m",
		Ops: []profile.OpCount{{Op: trace.OpStat, Count: 6, TimeNS: second}}}}
	p.Calls = []profile.Call{{Op: trace.OpStat, Name: "statx", Count: 40, TimeNS: second,
		Latency: profile.Dist{Max: second * 9 / 10}}}
	got := verdict.Judge(p).Causes[0]
	if !strings.Contains(got.Text, "one statx took 900 ms, waiting for the process") ||
		!strings.Contains(got.Remedy, "unmount it") {
		t.Errorf("%+v", got)
	}
}

// What is waited for at the other end of a stream is named where it has a name; waits for it are counted.
func TestStreams(t *testing.T) {
	for _, c := range []struct {
		name   string
		file   profile.File
		op     trace.Op
		waits  int64
		text   string
		remedy string
	}{
		{"a named pipe that nobody opens", profile.File{Type: trace.FilePipe, Path: "/run/queue"}, trace.OpOpen, 1,
			"the named pipe queue, to be opened", "O_NONBLOCK"},
		{"a named pipe that nobody writes to", profile.File{Type: trace.FilePipe, Path: "/run/queue"}, trace.OpRead, 1,
			"the other end of the named pipe queue", "speed up"},
		{"a pipe", profile.File{Type: trace.FilePipe, Path: "pipe:[7]"}, trace.OpRead, 1, "the other end of a pipe",
			"speed up"},
		{"answers one after another", profile.File{Type: trace.FileSocket, Path: "socket:[7]"}, trace.OpRead, 100,
			"of a socket: 100 waits, 10.0 ms each on average", "speed up"},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		c.file.Ops = []profile.OpCount{{Op: c.op, TimeNS: second, Count: c.waits}}
		p.Files = []profile.File{c.file}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{{NS: second, Count: 7 * c.waits, Waits: c.waits,
			Place: profile.PathPlace{What: "outside", Label: "lock", Call: c.op.String(), File: c.file.Path}}}}
		got := verdict.Judge(p).Causes[0]
		if got.Code != cause.OtherEnd || !strings.Contains(got.Text, c.text) || !strings.Contains(got.Remedy, c.remedy) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// What another program waited for is said as far as its waits were recorded, and how to record it as well: by its name,
// or by its number where the name is that of a recorded program, or is nothing for a shell.
func TestOtherEndOfOneProgram(t *testing.T) {
	place := profile.PathPlace{What: "service", Label: "lock", Process: "saver", Helper: true, Call: "read",
		File: "socket:[7]", Device: "vda", Request: "flush"}
	beyond := place
	beyond.Process, beyond.Beyond = "kworker/0:1", "saver"
	holder := func(pid uint32, name string) profile.Holder {
		return profile.Holder{What: "socket", Inode: 7, PID: pid, Command: name}
	}
	for _, c := range []struct {
		holders []profile.Holder
		want    string
	}{
		{nil, ""},
		{[]profile.Holder{holder(9, "saver"), holder(9, "saver")}, "sudo iotrace record --name saver -- COMMAND"},
		{[]profile.Holder{holder(9, "asks"), holder(1, "asks")}, "sudo iotrace record -p 9 -- COMMAND"},
		{[]profile.Holder{holder(9, "a b")}, "sudo iotrace record -p 9 -- COMMAND"},
		{[]profile.Holder{holder(9, "saver"), holder(8, "other")}, ""},
		{[]profile.Holder{{What: "socket", Inode: 7, Address: "192.0.2.7:443"}}, ""},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Trace.Scope, p.Trace.Holders = "command", c.holders
		p.Processes = []profile.Process{{PID: 1, Command: "asks"}}
		p.Files = []profile.File{{Type: trace.FileSocket, Path: "socket:[7]", Inode: 7, Processes: []uint32{1},
			Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second, Count: 60}}}}
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			{NS: second * 2 / 5, Count: 900, Waits: 60, Place: place}, {NS: second * 3 / 5, Count: 300, Place: beyond}}}
		got := verdict.Judge(p).Causes[0]
		const told = ": 60 waits, 16.7 ms each on average; saver there waited 1.00 s for vda"
		if got.Experiment != c.want || !strings.HasSuffix(got.Text, told) {
			t.Errorf("%+v: %+v, want %q", c.holders, got, c.want)
		}
	}
}
