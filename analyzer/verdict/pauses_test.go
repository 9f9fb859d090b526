package verdict_test

import (
	"strings"
	"testing"

	"github.com/iotrace/iotrace/analyzer/cause"
	"github.com/iotrace/iotrace/analyzer/profile"
	"github.com/iotrace/iotrace/analyzer/verdict"
	"github.com/iotrace/iotrace/trace"
)

// waiting is a second in which nothing ran, and what the path says of it.
func waiting(what string, count int64) *profile.Profile {
	p := spent(map[string]int64{"waiting": second}, map[string]int64{"running": 1})
	p.Path = &profile.Path{Parts: []profile.PathPart{{Place: profile.PathPlace{What: what, Label: "waiting",
		Process: "broker"}, NS: second, Count: count, LongestNS: second / 10}}}
	return p
}

// Threads that wait for their time are no lock between threads, however long others of them wait for work meanwhile.
func TestWaitsWithATimeout(t *testing.T) {
	for what, want := range map[string]string{
		"timeout": "broker slept, or waited with a timeout, 200 times: 5.00 ms each on average, 100 ms at most",
		"sleeps":  "broker slept 200 times: 5.00 ms each on average",
		"unknown": "broker (7) waited for one another",
	} {
		p := waiting(what, 200)
		p.Processes = []profile.Process{{PID: 7, Command: "broker", Threads: 12, WaitNS: profile.Waits{Futex: 11 * second}}}
		r := verdict.Judge(p).Causes[0]
		if !strings.Contains(r.Text, want) || (r.Code == cause.ThreadLock) != (what == "unknown") {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// Between tries to make a file that serves as a lock a program pauses; one that makes directories which are there does
// not.
func TestTakenNames(t *testing.T) {
	for pauses, want := range map[int64]bool{3: false, 100: true} {
		p := waiting("sleeps", pauses)
		p.Calls = []profile.Call{{Op: trace.OpMkdir, Name: "mkdir", Count: 100, Errors: 99,
			Errno: map[trace.Errno]int64{trace.ErrExists: 99}}}
		if r := verdict.Judge(p).Causes[0]; strings.Contains(r.Text, "as where another program holds") != want {
			t.Errorf("%d pauses: %q", pauses, r.Text)
		}
	}
}

// Where nothing ran, a thread may have waited for another program to wake it, in a call that is not recorded. That is
// no sleep of its own; a sleep of one of its own programs is.
func TestWaitingToBeWoken(t *testing.T) {
	for _, c := range []struct {
		name   string
		helper bool
		what   string
		other  int64
		code   string
		text   string
	}{
		{"by one who sleeps", true, "sleeps", second, cause.OtherEnd, "waiting for another program, feeder, which slept"},
		{"by one who computes", true, "runs", second, cause.OtherEnd, "waiting for another program, feeder, to wake it"},
		{"by one of its own", false, "sleeps", second, cause.ThinkTime, "feeder slept 18 times"},
		{"little of the time", true, "sleeps", second / 4, cause.ThinkTime, "worker slept 18 times"},
	} {
		p := spent(map[string]int64{"waiting": second}, nil)
		p.Path = &profile.Path{TotalNS: second, Parts: []profile.PathPart{
			{NS: c.other, Count: 9, Place: profile.PathPlace{What: c.what, Label: "waiting", Process: "feeder",
				Helper: c.helper}},
			{NS: second - c.other, Count: 9, Place: profile.PathPlace{What: "sleeps", Label: "waiting", Process: "worker"}},
		}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != c.code || !strings.HasPrefix(r.Text, c.text) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// Many short sleeps are counted, and who has them is told to have fewer or shorter ones; a single one may be wanted.
func TestManySleeps(t *testing.T) {
	for count, want := range map[int64]string{1: "broker (7) slept for 1.00 s", 500: "slept 500 times: 2.00 ms each"} {
		p := waiting("sleeps", count)
		p.Processes = []profile.Process{{PID: 7, Command: "broker", WaitNS: profile.Waits{Sleep: second}}}
		r := verdict.Judge(p).Causes[0]
		if r.Code != cause.ThinkTime || !strings.Contains(r.Text, want) || (r.Remedy == "") != (count == 1) {
			t.Errorf("%d sleeps: %+v", count, r)
		}
	}
}

// Where who is asked waits in poll for a thread of its own that sleeps for a time of its choice, that is the pause, and
// who asks waits for it; not where the path says that they waited for one another.
func TestAskedWhoSleeps(t *testing.T) {
	for what, code := range map[string]string{"sleeps": cause.ThinkTime, "outside": cause.OtherEnd} {
		p := waiting(what, 40)
		p.Processes = []profile.Process{
			{PID: 1, Command: "client", WaitNS: profile.Waits{Poll: second}},
			{PID: 2, Command: "broker", WaitNS: profile.Waits{Poll: second}},
			{PID: 3, Command: "broker", WaitNS: profile.Waits{Timeout: second}},
		}
		p.Files = []profile.File{{Inode: 6, Type: trace.FileSocket, Processes: []uint32{1, 2},
			Read: &profile.Flow{Bytes: 9}, Write: &profile.Flow{Bytes: 9}}}
		if r := verdict.Judge(p).Causes[0]; r.Code != code {
			t.Errorf("%s: %+v", what, r)
		}
	}
}
