package kdebug_test

import (
	"sort"
	"testing"

	"github.com/iotrace/iotrace/internal/macos"
	"github.com/iotrace/iotrace/trace"
	"github.com/iotrace/iotrace/tracer"
	"github.com/iotrace/iotrace/tracer/kdebug"
	"github.com/iotrace/iotrace/tracer/kdebug/kdsim"
)

// What a thread waited for, who ended it, and how long it was ready, is what happened.
func TestWaits(t *testing.T) { onBothMacs(t, waits) }

func waits(t *testing.T, mac macos.Model) {
	m, _ := kdsim.New(mac)
	m.MakeFile("/a", mib)
	app, other := m.Running("app", "/"), m.Running("server", "/")
	helped := m.Running("app", "/")
	fd := app.Open("/a", kdsim.ORdwr)
	app.WokenBy(other, 5000, 300) // a helper from now on
	app.Sleeps(24000, 20)
	app.Interrupted(700, 9)
	app.ReadsDisk("/a", 4096, 2400, 100)
	app.Preempted(900)
	app.WokenBy(helped, 100, 0)
	other.Now = app.Now
	other.WokenBy(app, 400, 50)
	stranger := m.Running("stranger", "/")
	stranger.Now = app.Now
	stranger.Sleeps(10, 10) // nobody's
	m.Waits = m.Waits[:len(m.Waits)-1]
	app.Read(fd, 1)
	log, _ := decode(t, m, tracer.Scope{Names: []string{"app"}}, m.Records())
	causes := []trace.WaitCause{trace.WaitOther, trace.WaitOther, trace.WaitOther, trace.WaitIO, trace.WaitReady,
		trace.WaitOther,
		trace.WaitOther}
	if len(log.Waits) != len(m.Waits) {
		t.Fatalf("%d waits of %d: %+v", len(log.Waits), len(m.Waits), log.Waits)
	}
	for i, want := range m.Waits {
		got := log.Waits[i]
		if got.PID != want.PID || got.TID != want.TID || got.Start != m.Nanoseconds(want.Start) ||
			got.End() != m.Nanoseconds(want.End) ||
			got.By != want.By || want.By == trace.WokenByThread && got.Waker != want.Waker || got.Cause != causes[i] ||
			abs(got.Ready-m.Nanoseconds(want.Ready)) > 1 || (got.Flags&trace.WaitHelper != 0) != (want.PID == other.Proc.PID) {
			t.Errorf("wait %d: %+v, want %+v for %s", i, got, want, causes[i])
		}
		if why := got.Impossible(); why != "" {
			t.Errorf("wait %d: %s", i, why)
		}
		if got.By == trace.WokenByRequest && got.Completed != log.Requests[0].Completed {
			t.Errorf("woken by a request that was complete at %d, not at %d", got.Completed, log.Requests[0].Completed)
		}
	}
	var helpers []string
	for _, p := range log.Processes {
		if p.Action == trace.ProcessHelper {
			helpers = append(helpers, p.Command)
		}
	}
	if len(helpers) != 1 || helpers[0] != "server" {
		t.Errorf("helpers %q", helpers)
	}
}

func abs(n int64) int64 { return max(n, -n) }

// The call that a thread is in says what it waits for.
func TestCausesOfWaits(t *testing.T) {
	for call, want := range map[uint16]trace.WaitCause{3: trace.WaitCall, 230: trace.WaitPoll, 334: trace.WaitSleep,
		515: trace.WaitFutex,
		7:   trace.WaitChild, 999: trace.WaitOther} {
		m, _ := kdsim.New(macos.AppleSilicon)
		app, other := m.Running("app", "/"), m.Running("app", "/")
		begin := kdebug.Record{Time: app.Now, Thread: app.TID, DebugID: kdebug.CallID(call) | kdebug.FuncStart}
		app.Now += 10
		app.WokenBy(other, 100, 10)
		end := kdebug.Record{Time: app.Now, Thread: app.TID, DebugID: kdebug.CallID(call) | kdebug.FuncEnd,
			Arg: [4]uint64{0, 0, 0, uint64(app.Proc.PID)}}
		app.Now += 10
		app.WokenBy(other, 100, 10)
		records := append(append([]kdebug.Record{begin}, m.Records()...), end)
		log, _ := decode(t, m, tracer.Scope{All: true}, inOrder(records))
		if len(log.Waits) != 2 || log.Waits[0].Cause != want || log.Waits[1].Cause != trace.WaitOther {
			t.Errorf("call %d: %+v, want %s and other", call, log.Waits, want)
		}
	}
}

// After a loss it is not known since when a thread waits.
func TestALossEndsWaits(t *testing.T) {
	m, _ := kdsim.New(macos.Intel)
	app, other := m.Running("app", "/"), m.Running("app", "/")
	app.WokenBy(other, 100, 10)
	records := m.Records()
	log, _ := decode(t, m, tracer.Scope{All: true}, kdsim.Lose(records, 2, 3)) // who woke it
	if len(log.Waits) != 0 {
		t.Errorf("%+v", log.Waits)
	}
}

func inOrder(records []kdebug.Record) []kdebug.Record {
	sort.SliceStable(records, func(i, j int) bool { return records[i].Time < records[j].Time })
	return records
}
