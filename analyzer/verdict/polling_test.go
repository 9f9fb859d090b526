package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// TestPolling tells who waits in poll for a server from who sleeps, and from who sleeps while others of it poll.
func TestPolling(t *testing.T) {
	for _, test := range []struct {
		name  string
		waits profile.Waits
		code  string
		text  string
	}{
		{"polls", profile.Waits{Poll: second}, cause.OtherEnd,
			"epoll on a socket between curl (1) and 192.0.2.7:443"},
		{"sleeps", profile.Waits{Sleep: second}, cause.ThinkTime, "none of its threads ran: curl (1) slept for 1.00 s"},
		{"several threads sleep at once", profile.Waits{Sleep: 3 * second}, cause.ThinkTime, "ran: curl (1) slept"},
		{"both", profile.Waits{Poll: 2 * second, Sleep: second}, cause.ThinkTime, "none of its threads ran"},
		{"polls for a moment", profile.Waits{Poll: second / 10, Sleep: second / 3}, cause.ThinkTime, "of its threads ran"},
		{"polls again and again for a time", profile.Waits{Timeout: second}, cause.OtherEnd,
			"epoll on a socket between curl (1) and 192.0.2.7:443"},
		{"not told", profile.Waits{Other: second}, cause.ThinkTime, "none of its threads ran, as in a sleep"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
			p.Processes = []profile.Process{{PID: 1, Command: "curl", WaitNS: test.waits}, {PID: 2, Command: "other"}}
			p.Files = []profile.File{
				{Inode: 6, Device: "0:8", Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 9}},
				{Inode: 7, Device: "0:8", Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 5}},
				{Inode: 8, Device: "0:8", Type: trace.FileSocket, Processes: []uint32{2}, Read: &profile.Flow{Bytes: 99}},
			}
			p.Trace.Holders = []profile.Holder{
				{What: "socket", Inode: 7, Address: "192.0.2.7:443"},
				{What: "socket", Inode: 6, Device: "0:9", Address: "192.0.2.6:443"}, // of another host's
				{What: "socket", Inode: 8, Address: "192.0.2.8:443"},                // of who was not in poll
			}
			v := verdict.Judge(p)
			if len(v.Causes) == 0 || v.Causes[0].Code != test.code || !strings.Contains(v.Causes[0].Text, test.text) ||
				strings.Contains(v.Causes[0].Text, "3.00 s") { // more than there was
				t.Errorf("%+v, want %s: %q", v.Causes, test.code, test.text)
			}
		})
	}
}

// A socket that met nobody is none that is waited for in poll: another one is, or a pipe.
func TestPollingPastUnmetSockets(t *testing.T) {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
	p.Processes = []profile.Process{{PID: 1, Command: "ranger", WaitNS: profile.Waits{Poll: second}}}
	p.Files = []profile.File{
		{Inode: 6, Type: trace.FileSocket, Processes: []uint32{1}, Peer: "unix:/run/agent"},
		{Inode: 7, Type: trace.FilePipe, Processes: []uint32{1}},
	}
	for unmet, want := range map[int64]string{2: "epoll on a pipe", 1: "epoll on a socket"} {
		p.Connections = []profile.Connection{{Address: "unix:/run/agent", Connects: 2, Unmet: unmet}}
		if got := verdict.Judge(p).Causes[0]; !strings.Contains(got.Text, want) {
			t.Errorf("%d of 2 unmet: %q, want %q", unmet, got.Text, want)
		}
	}
}

// Who polls with a terminal, and with nobody whom the recording does not have, waits for what is typed.
func TestPollingATerminal(t *testing.T) {
	for name, x := range map[string]struct {
		of   trace.FileType
		by   []uint32
		want string
	}{
		"a pipe to a child":  {trace.FilePipe, []uint32{1, 2}, "epoll on the terminal /dev/pts/3, for what is typed"},
		"a pipe to somebody": {trace.FilePipe, []uint32{1}, "epoll on a pipe"},
		"a socket":           {trace.FileSocket, []uint32{1}, "epoll on a socket"},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
		p.Processes = []profile.Process{{PID: 1, Command: "htop", WaitNS: profile.Waits{Poll: second}}}
		p.Files = []profile.File{
			{Path: "/dev/pts/3", Type: trace.FileChar, Processes: []uint32{1}},
			{Inode: 7, Device: "0:8", Type: x.of, Processes: x.by},
		}
		if got := verdict.Judge(p).Causes[0]; got.Code != cause.OtherEnd || !strings.Contains(got.Text, x.want) {
			t.Errorf("%s: %q, want %q", name, got.Text, x.want)
		}
	}
}

// Of two waits for the other ends of sockets the longer one is told of: who was blocked for a moment is not named.
func TestTheLongerWaitIsTold(t *testing.T) {
	p := spent(map[string]int64{"lock": second / 20, "waiting": second * 19 / 20}, map[string]int64{
		"blocked_in_call": second / 20, "waiting": 2 * second, "running": 2 * second})
	p.Processes = []profile.Process{
		{PID: 1, Command: "server", WaitNS: profile.Waits{Poll: second}},
		{PID: 2, Command: "stop", WaitNS: profile.Waits{Call: second / 20}}}
	p.Files = []profile.File{
		{Inode: 6, Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 9}},
		{Inode: 7, Type: trace.FileSocket, Processes: []uint32{2}, Read: &profile.Flow{Bytes: 5},
			Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second / 20}}},
	}
	c := verdict.Judge(p).Causes
	if len(c) != 1 || c[0].TimeNS != second || !strings.Contains(c[0].Text, "server (1)") {
		t.Errorf("%+v", c)
	}
}

// Of the processes that wait for others the verdict does not name one that only waits to be asked.
func TestIdlersAreNoEvidence(t *testing.T) {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
	p.Trace.Scope, p.Trace.DurationNS = "merge", 10*second
	p.Processes = []profile.Process{
		{PID: 1, Command: "server", EndNS: profile.Unknown, WaitNS: profile.Waits{Poll: 10 * second}},
		{PID: 2, Command: "client", EndNS: 9 * second, CallNS: second, WaitNS: profile.Waits{Poll: 5 * second}}}
	v := verdict.Judge(p)
	if len(v.Causes) == 0 || v.Causes[0].Code != cause.OtherEnd {
		t.Fatalf("%+v", v.Causes)
	}
	for _, e := range v.Causes[0].Evidence {
		if strings.HasPrefix(e.Pointer, "/processes/0/") {
			t.Errorf("the evidence is %s", e.Pointer)
		}
	}
}

// TestIdlersHoldNobodyBack leaves out servers that nobody asked for anything while others worked and slept.
func TestIdlersHoldNobodyBack(t *testing.T) {
	for _, test := range []struct {
		name, scope string
		server      profile.Waits
		called      int64 // by the other process
		code, text  string
	}{
		{"a server that waits", "merge", profile.Waits{Poll: 10 * second}, second, cause.ThinkTime, "of its threads ran"},
		{"nobody works", "all", profile.Waits{Poll: 10 * second}, 0, cause.OtherEnd, "epoll on a socket"},
		{"it is asked", "merge", profile.Waits{Poll: 9 * second}, second, cause.OtherEnd, "epoll on a socket"},
		{"of the command", "command", profile.Waits{Poll: 10 * second}, second, cause.OtherEnd, "epoll on a socket"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
			p.Trace.Scope, p.Trace.DurationNS = test.scope, 10*second
			p.Processes = []profile.Process{
				{PID: 1, Command: "server", EndNS: profile.Unknown, CallNS: second / 20, WaitNS: test.server},
				{PID: 2, Command: "copy", EndNS: 9 * second, CallNS: test.called, WaitNS: profile.Waits{Sleep: second / 2}}}
			p.Files = []profile.File{{Inode: 7, Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 1}}}
			p.Trace.Holders = []profile.Holder{{What: "socket", Inode: 7, Address: "192.0.2.7:443"}}
			v := verdict.Judge(p)
			if len(v.Causes) == 0 || v.Causes[0].Code != test.code || !strings.Contains(v.Causes[0].Text, test.text) {
				t.Errorf("%+v, want %s: %q", v.Causes, test.code, test.text)
			}
		})
	}
}

// TestWaitsToBeAsked counts reads in which a server waits for requests as its idle time, not as its work, and says so
// where nobody slept.
func TestWaitsToBeAsked(t *testing.T) {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
	p.Trace.Scope, p.Trace.DurationNS = "all", 10*second
	p.Processes = []profile.Process{
		{PID: 1, Command: "nc", EndNS: profile.Unknown, CallNS: 9 * second, AskedNS: 9 * second,
			WaitNS: profile.Waits{Poll: second}},
		{PID: 2, Command: "cp", EndNS: 9 * second, CallNS: second / 10}}
	p.Files = []profile.File{{Inode: 7, Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 1}}}
	v := verdict.Judge(p)
	if len(v.Causes) == 0 || !strings.HasSuffix(v.Causes[0].Text, "nc (1) waited to be asked for something") {
		t.Errorf("%+v", v.Causes)
	}
	p.Processes[0].AskedNS, p.Processes[0].WaitNS.Poll = 0, 10*second // it was in calls for itself
	if v = verdict.Judge(p); len(v.Causes) == 0 || v.Causes[0].Code != cause.OtherEnd {
		t.Errorf("%+v", v.Causes)
	}
}

// TestTimers takes polls that end with their time for sleeps, where there is nobody with whom the program speaks.
func TestTimers(t *testing.T) {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
	p.Processes = []profile.Process{{PID: 1, Command: "node", WaitNS: profile.Waits{Poll: second / 5, Timeout: second}}}
	p.Files = []profile.File{{Inode: 6, Type: trace.FilePipe, Processes: []uint32{1}}}
	v := verdict.Judge(p)
	if len(v.Causes) == 0 || !strings.Contains(v.Causes[0].Text, "node (1) slept") {
		t.Errorf("%+v", v.Causes)
	}
	// It writes to its output, by a pipe to another program or by a socket to a log, and waits for neither.
	for _, output := range []trace.FileType{trace.FilePipe, trace.FileSocket} {
		p.Files = []profile.File{
			{Inode: 6, Type: output, Processes: []uint32{1, 2}, Write: &profile.Flow{Count: 1, Bytes: 30}},
			{Inode: 7, Type: trace.FileSocket, Processes: []uint32{1}, Read: &profile.Flow{Bytes: 8}}}
		if v := verdict.Judge(p); !strings.Contains(v.Causes[0].Text, "node (1) slept") {
			t.Errorf("%s: %+v", output, v.Causes)
		}
	}
}

// TestMeanwhile follows a pipe to what the process at its other end waited for.
func TestMeanwhile(t *testing.T) {
	for _, test := range []struct {
		waits profile.Waits
		text  string
	}{
		{profile.Waits{Poll: second}, "the other end of a pipe of tar (2) and curl (1), " +
			"and curl (1) in poll, select or epoll for 192.0.2.7:443 at the other end of a socket"},
		{profile.Waits{Sleep: second, Poll: second}, "of tar (2) and curl (1), and curl (1) slept"},
		{profile.Waits{Futex: second}, "of tar (2) and curl (1)"},
	} {
		p := spent(map[string]int64{"lock": second}, map[string]int64{"blocked_in_call": second})
		p.Processes = []profile.Process{{PID: 1, Command: "curl", WaitNS: test.waits},
			{PID: 2, Command: "tar", WaitNS: profile.Waits{Call: second}}}
		p.Files = []profile.File{
			{Inode: 7, Type: trace.FileSocket, Processes: []uint32{1}},
			{Inode: 8, Type: trace.FilePipe, Processes: []uint32{1, 2},
				Ops: []profile.OpCount{{Op: trace.OpRead, TimeNS: second}}},
		}
		p.Trace.Holders = []profile.Holder{{What: "socket", Inode: 7, Address: "192.0.2.7:443"}}
		v := verdict.Judge(p)
		if len(v.Causes) == 0 || !strings.HasSuffix(v.Causes[0].Text, test.text) {
			t.Errorf("%+v, want %q", v.Causes, test.text)
		}
	}
}

// TestLongPauses tells which pauses of the program a verdict speaks of: those that take the time.
func TestLongPauses(t *testing.T) {
	many := profile.Bin{From: 1000, To: 1200, Count: 400}
	for _, test := range []struct {
		bins []profile.Bin
		sum  int64
		text string
	}{
		{[]profile.Bin{many, {From: second * 9 / 10, To: second * 11 / 10, Count: 1}}, second, "its calls: one of 1.00 s"},
		{[]profile.Bin{many, {From: second / 10, To: second * 3 / 10, Count: 5}}, second, "its calls: 5 of 100 ms to 1.00 s"},
		{[]profile.Bin{{From: second / 120, To: second / 80, Count: 100}}, second, "its calls: 100 pauses, 10.0 ms each"},
		{[]profile.Bin{{From: second / 3, To: second / 2, Count: 1}, many}, second / 3, "none of its threads ran"},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
		p.Pattern.Think = profile.Dist{Sum: test.sum, P10: second / 100, P50: second / 100, P90: second / 100, Max: second,
			Bins: test.bins}
		for _, b := range test.bins {
			p.Pattern.Think.Count += b.Count
		}
		if v := verdict.Judge(p); len(v.Causes) == 0 || !strings.Contains(v.Causes[0].Text, test.text) {
			t.Errorf("%+v, want %q", v.Causes, test.text)
		}
	}
}

// Who asks by a socket and hears nothing waits for an answer, however often it looks at the clock; who writes to
// itself, to wake a thread of its own, does not.
func TestUnanswered(t *testing.T) {
	for _, c := range []struct {
		name   string
		hears  int64
		stream trace.FileType
		want   string
	}{
		{"asked, and nothing came", 0, trace.FileSocket, cause.OtherEnd},
		{"its own other end", 8, trace.FileSocket, cause.ThinkTime},
		{"a pipe of its own", 0, trace.FilePipe, cause.ThinkTime},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
		p.Processes = []profile.Process{{PID: 1, Command: "dig", WaitNS: profile.Waits{Timeout: second}}}
		p.Files = []profile.File{
			{Inode: 6, Type: c.stream, Processes: []uint32{1}, Write: &profile.Flow{Count: 1, Bytes: 8}},
			{Inode: 7, Type: c.stream, Processes: []uint32{1}, Read: &profile.Flow{Bytes: c.hears}},
		}
		r := &verdict.Judge(p).Causes[0]
		if r.Code != c.want || strings.Contains(r.Text, "was not answered") != (c.want == cause.OtherEnd) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Who sleeps while another waits at a pipe for it is named with the other; who sleeps by itself is not.
func TestHeldUp(t *testing.T) {
	for _, c := range []struct {
		name    string
		op      trace.Op
		blocked int64
		want    string
	}{
		{"a reader", trace.OpWrite, second, "show (2) slept, and copy (1) waited to write to a pipe that it reads"},
		{"a writer", trace.OpRead, second, "show (2) slept, and copy (1) waited to read from a pipe that it writes"},
		{"nobody waits", trace.OpWrite, second / 10, "none of its threads ran: show (2) slept for 1.00 s"},
	} {
		p := spent(map[string]int64{"waiting": second}, map[string]int64{"waiting": second})
		p.Processes = []profile.Process{{PID: 1, Command: "copy", WaitNS: profile.Waits{Call: c.blocked}},
			{PID: 2, Command: "show", WaitNS: profile.Waits{Sleep: second}}}
		p.Files = []profile.File{{Inode: 7, Type: trace.FilePipe, Processes: []uint32{1, 2},
			Ops: []profile.OpCount{{Op: c.op, TimeNS: c.blocked}}}}
		if got := verdict.Judge(p).Causes[0].Text; !strings.HasSuffix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
