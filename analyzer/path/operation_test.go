package path

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/iotrace/iotrace/trace"
)

// lines takes files 1 to 9 for sockets at which others ask, those to 19 for sockets at which the program does, 20 for
// a pipe, 30 for what each thread has its own questions at.
type lines struct{}

func (lines) Line(f trace.FileID) Line {
	switch {
	case f == 0, f > 30:
		return NoLine
	case f < 10:
		return Asked
	case f < 20:
		return Asks
	case f == 30:
		return Shared
	}
	return Stream
}

// operated are the operations of events in any order, the first one to end first.
func operated(kin Kin, events ...any) []Operation {
	b := batch(events...)
	var list []Operation
	x := NewOperations(kin, lines{}, 0, func(o *Operation) {
		c := *o
		c.Account = NewAccount(nil)
		c.Account.Merge(o.Account, func(k Key) Key { return k })
		for _, s := range o.Account.Longest() {
			c.Account.keep(&s, s.To-s.From)
		}
		list = append(list, c)
	})
	var o order
	o.add(b)
	o.sort()
	o.walk(x, -1)
	x.Finish()
	if x.open != 0 || len(x.last) != 0 || len(x.queued) != 0 || len(x.served) != 0 {
		panic(fmt.Sprint(x.open, x.last, x.queued, x.served, " are left"))
	}
	slices.SortStableFunc(list, func(x, y Operation) int {
		return cmp.Or(cmp.Compare(x.To, y.To), cmp.Compare(x.From, y.From))
	})
	return list
}

// batch is events of all kinds.
func batch(events ...any) *trace.Batch {
	b := new(trace.Batch)
	for _, e := range events {
		switch e := e.(type) {
		case trace.Syscall:
			e.PID = e.TID
			b.Syscalls = append(b.Syscalls, e)
		case trace.Fault:
			b.Faults = append(b.Faults, e)
		case trace.Wait:
			e.PID = cmp.Or(e.PID, e.TID)
			b.Waits = append(b.Waits, e)
		case trace.RPC:
			b.RPCs = append(b.RPCs, e)
		case trace.Request:
			e.PID = cmp.Or(e.PID, e.TID)
			b.Requests = append(b.Requests, e)
		case trace.Process:
			b.Processes = append(b.Processes, e)
		}
	}
	slices.SortFunc(b.Waits, func(x, y trace.Wait) int { return cmp.Compare(x.End(), y.End()) })
	return b
}

// told is what operations look like: "5-20 1 answers: 5-7 1 ready; …".
func told(list []Operation) (words []string) {
	for _, o := range list {
		chain := o.Account.Longest()
		slices.SortFunc(chain, func(x, y Segment) int { return cmp.Compare(x.From, y.From) })
		t := fmt.Sprintf("%d-%d %d", o.From, o.To, o.Thread)
		if o.Answers {
			t += " answers"
		}
		words = append(words, t+": "+text(chain))
	}
	return words
}

// on is a call on a file that moves bytes.
func on(file trace.FileID, c trace.Syscall) trace.Syscall {
	c.File, c.Result = file, 10
	return c
}

// asked is a wait that a packet ended.
func asked(tid uint32, start, at, end int64) trace.Wait {
	return other(tid, trace.WaitPoll, trace.WokenByInterrupt, start, at, end)
}

var operations = []struct {
	name   string
	events []any
	want   []string
}{
	{"a question, a request and an answer", []any{
		asked(1, 0, 10, 11), on(1, call(1, trace.OpRead, 12, 13)), on(50, call(1, trace.OpRead, 14, 40)),
		served(1, 16, 36, 36, 37), request(1, 15, 15, 36), on(1, call(1, trace.OpWrite, 42, 44)), asked(1, 45, 90, 91),
	}, []string{
		"10-44 1 answers: 10-11 1 ready; 11-12 1 runs; 12-13 1 runs read; 13-14 1 runs; 14-16 1 runs read; " +
			"16-36 1 service read; 36-37 1 ready read; 37-40 1 runs read; 40-42 1 runs; 42-44 1 runs write",
		"44-45 1: 44-45 1 runs", "90-91 1: 90-91 1 ready",
	}},
	{"a thread that blocks in the read of its socket", []any{
		on(1, call(1, trace.OpRead, 0, 13)), other(1, trace.WaitCall, trace.WokenByInterrupt, 1, 10, 11),
		on(1, call(1, trace.OpWrite, 20, 22)), on(1, call(1, trace.OpRead, 23, 43)),
		other(1, trace.WaitCall, trace.WokenByThread, 24, 40, 41), on(1, call(1, trace.OpWrite, 60, 62)),
	}, []string{
		"10-22 1 answers: 10-11 1 ready read; 11-13 1 runs read; 13-20 1 runs; 20-22 1 runs write",
		"22-24 1: 22-23 1 runs; 23-24 1 runs read",
		"40-62 1 answers: 40-41 1 ready read; 41-43 1 runs read; 43-60 1 runs; 60-62 1 runs write",
	}},
	{"two questions at once, and a write that holds both up", []any{
		asked(1, 0, 10, 11), on(1, call(1, trace.OpRead, 12, 13)), on(2, call(1, trace.OpRead, 14, 15)),
		on(50, call(1, trace.OpWrite, 16, 40)), on(2, call(1, trace.OpWrite, 41, 42)),
		on(1, call(1, trace.OpWrite, 43, 44)),
	}, []string{
		"13-42 1 answers: 13-14 1 runs; 14-15 1 runs read; 15-16 1 runs; 16-40 1 runs write; 40-41 1 runs; 41-42 1 " +
			"runs write",
		"10-44 1 answers: 10-11 1 ready; 11-12 1 runs; 12-13 1 runs read; 13-14 1 runs; 14-15 1 runs read; 15-16 1 runs; " +
			"16-40 1 runs write; 40-41 1 runs; 41-42 1 runs write; 42-43 1 runs; 43-44 1 runs write",
	}},
	{"one after the other, never idle", []any{
		asked(1, 0, 10, 11), on(1, call(1, trace.OpRead, 12, 13)), on(1, call(1, trace.OpWrite, 18, 20)),
		on(2, call(1, trace.OpRead, 22, 23)), on(2, call(1, trace.OpWrite, 28, 30)),
		on(1, call(1, trace.OpRead, 32, 33)), on(1, call(1, trace.OpWrite, 38, 40)),
	}, []string{
		"10-20 1 answers: 10-11 1 ready; 11-12 1 runs; 12-13 1 runs read; 13-18 1 runs; 18-20 1 runs write",
		"20-30 1 answers: 20-22 1 runs; 22-23 1 runs read; 23-28 1 runs; 28-30 1 runs write",
		"30-40 1 answers: 30-32 1 runs; 32-33 1 runs read; 33-38 1 runs; 38-40 1 runs write",
	}},
	{"an answer in parts, a question in parts", []any{
		asked(1, 0, 10, 11), on(1, call(1, trace.OpRead, 12, 13)), on(1, call(1, trace.OpRead, 14, 15)),
		on(1, call(1, trace.OpWrite, 20, 22)), on(1, call(1, trace.OpWrite, 30, 32)),
	}, []string{"10-32 1 answers: 10-11 1 ready; 11-12 1 runs; 12-13 1 runs read; 13-14 1 runs; 14-15 1 runs read; " +
		"15-20 1 runs; 20-22 1 runs write; 22-30 1 runs; 30-32 1 runs write"}},
	{"a thread pool reads for the one that answers", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 11, 12)),
		futex(2, 0, 14, 15, 1),
		on(50, call(2, trace.OpRead, 16, 40)), served(2, 17, 38, 38, 39), request(2, 16, 17, 38),
		woken(1, 16, 42, 43, 2), on(1, call(1, trace.OpWrite, 44, 46)),
		other(2, trace.WaitFutex, trace.WokenByInterrupt, 45, 80, 81),
	}, []string{
		"10-46 1 answers: 10-11 1 runs; 11-12 1 runs read; 12-16 1 runs; 16-17 2 runs read; " +
			"17-38 2 service read; 38-39 2 ready read; 39-40 2 runs read; 40-42 2 runs; 42-43 1 ready; 43-44 1 runs; " +
			"44-46 1 runs write",
		"80-81 2: 80-81 2 ready",
	}},
	{"a commit that another one's commit is waited for", []any{
		// 1 leads: it is asked, and syncs; 2 is asked meanwhile, and waits for it.
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 11, 12)), on(50, call(1, trace.OpDataSync, 15, 35)),
		served(1, 16, 34, 34, 34), request(1, 16, 16, 34), on(1, call(1, trace.OpWrite, 38, 40)),
		asked(2, 0, 20, 20), on(2, call(2, trace.OpRead, 21, 22)), futex(2, 24, 36, 37, 1),
		on(2, call(2, trace.OpWrite, 38, 41)),
	}, []string{
		"10-40 1 answers: 10-11 1 runs; 11-12 1 runs read; 12-15 1 runs; 15-16 1 runs datasync; 16-34 1 service datasync; " +
			"34-35 1 runs datasync; 35-38 1 runs; 38-40 1 runs write",
		"20-41 2 answers: 20-21 2 runs; 21-22 2 runs read; 22-24 2 runs; 24-34 1 service datasync; 34-35 1 runs datasync; " +
			"35-36 1 runs; 36-37 2 ready; 37-38 2 runs; 38-41 2 runs write",
	}},
	{"a background thread that nobody waits for", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 11, 12)), on(1, call(1, trace.OpWrite, 18, 20)),
		futex(2, 0, 15, 16, 1), on(50, call(2, trace.OpDataSync, 17, 60)), served(2, 18, 58, 58, 59), request(2, 18, 18, 58),
		futex(2, 62, 90, 91, 1),
	}, []string{
		"10-20 1 answers: 10-11 1 runs; 11-12 1 runs read; 12-18 1 runs; 18-20 1 runs write",
		"15-62 2: 15-16 2 ready; 16-17 2 runs; 17-18 2 runs datasync; 18-58 2 service datasync; " +
			"58-59 2 ready datasync; 59-60 2 runs datasync; 60-62 2 runs",
		"90-91 2: 90-91 2 ready",
	}},
	{"a program of timers", []any{
		other(1, trace.WaitSleep, trace.WokenByTimer, 0, 10, 11), on(50, call(1, trace.OpSync, 12, 30)),
		other(1, trace.WaitSleep, trace.WokenByTimer, 31, 50, 51), on(50, call(1, trace.OpSync, 52, 60)),
	}, []string{
		"10-31 1: 10-11 1 ready; 11-12 1 runs; 12-30 1 runs sync; 30-31 1 runs",
		"50-60 1: 50-51 1 ready; 51-52 1 runs; 52-60 1 runs sync",
	}},
	{"a sleep within an operation is a part of it", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 10, 12)),
		other(1, trace.WaitSleep, trace.WokenByTimer, 12, 30, 30), on(1, call(1, trace.OpWrite, 30, 32)),
	}, []string{"10-32 1 answers: 10-12 1 runs read; 12-30 1 sleeps; 30-32 1 runs write"}},
	{"a lock that another operation holds is what is waited for, whatever that does", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 10, 12)), on(50, call(1, trace.OpLock, 12, 13)),
		on(51, call(1, trace.OpDataSync, 14, 38)), served(1, 15, 37, 37, 38), request(1, 15, 15, 37),
		on(50, call(1, trace.OpLock, 40, 41)), on(1, call(1, trace.OpWrite, 42, 43)), asked(1, 43, 90, 90),
		asked(2, 0, 20, 20), on(2, call(2, trace.OpRead, 20, 21)), on(50, call(2, trace.OpLock, 22, 42)),
		woken(2, 23, 41, 42, 1), on(2, call(2, trace.OpWrite, 44, 45)), asked(2, 45, 90, 90),
	}, []string{
		"10-43 1 answers: 10-12 1 runs read; 12-13 1 runs lock; 13-14 1 runs; 14-15 1 runs datasync; " +
			"15-37 1 service datasync; 37-38 1 ready datasync; 38-40 1 runs; 40-41 1 runs lock; 41-42 1 runs; " +
			"42-43 1 runs write",
		"20-45 2 answers: 20-21 2 runs read; 21-22 2 runs; 22-23 2 runs lock; 23-37 1 service datasync under 50; " +
			"37-38 1 ready datasync under 50; 38-40 1 runs under 50; 40-41 1 runs lock under 50; 41-42 2 ready lock; " +
			"42-44 2 runs; 44-45 2 runs write",
	}},
	{"a server that asks another one", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 10, 12)), on(11, call(1, trace.OpWrite, 12, 14)),
		asked(1, 14, 30, 30), on(11, call(1, trace.OpRead, 30, 31)), on(1, call(1, trace.OpWrite, 31, 32)),
	}, []string{"10-32 1 answers: 10-12 1 runs read; 12-14 1 runs write; 14-30 1 outside; 30-31 1 runs read; " +
		"31-32 1 runs write"}},
	{"questions without an answer", []any{
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 11, 12)), on(50, call(1, trace.OpWrite, 13, 20)),
		on(1, call(1, trace.OpRead, 21, 22)), on(50, call(1, trace.OpWrite, 23, 30)), asked(1, 31, 90, 90),
	}, []string{
		"10-21 1: 10-11 1 runs; 11-12 1 runs read; 12-13 1 runs; 13-20 1 runs write; 20-21 1 runs",
		"21-31 1: 21-22 1 runs read; 22-23 1 runs; 23-30 1 runs write; 30-31 1 runs",
	}},
	{"a child answers what its parent accepted", []any{
		other(1, trace.WaitPoll, trace.WokenByInterrupt, 0, 10, 10), call(1, trace.OpAccept, 10, 11),
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 13},
		on(50, call(2, trace.OpRead, 15, 30)), on(1, call(2, trace.OpWrite, 31, 33)), asked(1, 14, 90, 90),
	}, []string{
		"10-33 2 answers: 10-11 1 runs accept; 11-13 1 runs; 13-15 2 runs; 15-30 2 runs read; 30-31 2 runs; 31-33 2 " +
			"runs write",
	}},
}

func futex(tid uint32, start, at, end int64, by uint32) trace.Wait {
	w := woken(tid, start, at, end, by)
	w.Cause = trace.WaitFutex
	return w
}

func TestOperations(t *testing.T) {
	for _, c := range operations {
		t.Run(c.name, func(t *testing.T) {
			if got := told(operated(all{}, c.events...)); !slices.Equal(got, c.want) {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(c.want, "\n     "))
			}
		})
	}
}

// since says of threads when they were heard first.
type since struct {
	all
	first map[uint32]int64
}

func (k since) First(id uint32) int64 { return k.first[id] }

// Nothing is known of a thread before it was heard first: an operation of its own begins there, and another one has
// waited for it, for what is not known.
func TestOperationsBeforeAThreadWasHeard(t *testing.T) {
	kin := since{first: map[uint32]int64{1: 10, 2: 30}}
	got := told(operated(kin,
		on(1, call(1, trace.OpRead, 10, 12)), futex(1, 20, 40, 41, 2), on(1, call(1, trace.OpWrite, 42, 44)),
		call(2, trace.OpWrite, 30, 38), futex(2, 50, 60, 61, 1)))
	want := []string{
		"10-44 1 answers: 10-12 1 runs read; 12-20 1 runs; 20-30 2 unknown; 30-38 2 runs write; 38-40 2 runs; " +
			"40-41 1 ready; 41-42 1 runs; 42-44 1 runs write",
		"60-61 2: 60-61 2 ready",
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
	}
}

// Whatever the events are, the parts of each operation add up to its time.
func TestOperationsAddUp(t *testing.T) {
	const end = 100
	thread := rapid.OneOf(rapid.Uint32Range(1, 5), rapid.Uint32Range(150, 152), rapid.Just[uint32](250))
	moment := rapid.Int64Range(0, end+20)
	ops := rapid.SampledFrom([]trace.Op{trace.OpRead, trace.OpWrite, trace.OpAccept, trace.OpSync})
	files := rapid.SampledFrom([]trace.FileID{0, 1, 2, 11, 20, 30, 50})
	actions := rapid.SampledFrom([]trace.ProcessAction{trace.ProcessFork, trace.ProcessExit, trace.ProcessHelper})
	event := rapid.Custom(func(t *rapid.T) any {
		id, a, b := thread.Draw(t, "thread"), moment.Draw(t, "a"), moment.Draw(t, "b")
		a, b = min(a, b), max(a, b)
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			return on(files.Draw(t, "file"), call(id, ops.Draw(t, "op"), a, b))
		case 2:
			return trace.Fault{TID: id, Start: a, Duration: b - a}
		case 3:
			return trace.Request{TID: id, Queued: max(-1, a-5), Issued: a, Completed: b}
		case 4:
			return trace.Process{TID: id, PID: id, Parent: thread.Draw(t, "parent"), Time: a,
				Action: actions.Draw(t, "action")}
		}
		w := trace.Wait{TID: id, Start: a, Duration: b - a, Waker: thread.Draw(t, "waker"),
			By:    trace.WakeSource(rapid.IntRange(0, 5).Draw(t, "by")),
			Cause: trace.WaitCause(rapid.IntRange(0, 10).Draw(t, "cause"))}
		w.Ready = rapid.Int64Range(0, w.Duration).Draw(t, "ready")
		w.Completed = rapid.Int64Range(0, w.Woken()).Draw(t, "completed")
		return w
	})
	rapid.Check(t, func(t *rapid.T) {
		kin := since{first: rapid.MapOf(thread, moment).Draw(t, "first")}
		for _, o := range operated(kin, rapid.SliceOfN(event, 0, 60).Draw(t, "events")...) {
			var sum int64
			o.Account.Each(func(p *Part) { sum += p.NS })
			if sum != o.NS() || sum != o.Account.Total || o.From < 0 || o.To > end+20 {
				t.Fatalf("%d to %d: %d and %d ns", o.From, o.To, sum, o.Account.Total)
			}
			at := o.From
			chain := o.Account.Longest()
			slices.SortFunc(chain, func(x, y Segment) int { return cmp.Compare(x.From, y.From) })
			for _, s := range chain {
				if len(chain) < maxLongest && (s.From != at || s.To <= s.From) {
					t.Fatalf("%d to %d: at %d: %s", o.From, o.To, at, text(chain))
				}
				at = s.To
			}
		}
	})
}

// A thread of a pool has waited since before the recording, for work: that is no part of what it answers then. Who
// speaks first on a connection was asked by whoever connected.
func TestOperationsOfAPool(t *testing.T) {
	accept := call(1, trace.OpAccept, 42, 43)
	accept.Result = 7
	greeting := on(1, call(2, trace.OpWrite, 51, 54))
	greeting.FD = 7
	work := woken(2, 0, 45, 46, 1)
	work.Cause = trace.WaitOther
	b := batch(other(1, trace.WaitOther, trace.WokenByInterrupt, 0, 40, 41), accept,
		work, greeting, asked(2, 55, 60, 61), on(1, call(2, trace.OpRead, 62, 63)),
		on(50, call(2, trace.OpSync, 64, 80)), on(1, call(2, trace.OpWrite, 82, 84)))
	for i := range b.Syscalls {
		b.Syscalls[i].PID = 1
	}
	for i := range b.Waits {
		b.Waits[i].PID = 1
	}
	var list []Operation
	x := NewOperations(all{}, lines{}, 0, func(o *Operation) { list = append(list, *o) })
	var o order
	o.add(b)
	o.sort()
	o.walk(x, -1)
	x.Finish()
	var got []string
	for _, o := range list {
		if o.Answers {
			got = append(got, fmt.Sprintf("%d-%d %d", o.From, o.To, o.Thread))
		}
	}
	if want := []string{"60-84 2", "40-54 2"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The operation of a thread that ends with its process goes on through waits for threads of the kernel that work for
// it, whatever these waited for.
func TestOperationsThroughTheKernel(t *testing.T) {
	written := woken(1, 15, 50, 51, 150)
	written.Cause = trace.WaitIO
	got := told(operated(all{},
		asked(1, 0, 10, 11), on(1, call(1, trace.OpRead, 12, 13)), on(50, call(1, trace.OpSync, 14, 60)),
		written, other(150, trace.WaitOther, trace.WokenByTimer, 0, 30, 31),
		trace.Process{Action: trace.ProcessExit, TID: 1, PID: 1, Time: 70}))
	if len(got) != 1 || !strings.HasPrefix(got[0], "10-70 1: ") {
		t.Errorf("%q", got)
	}
}
