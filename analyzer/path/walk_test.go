package path

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// all takes every thread up to 99 for a recorded one, those up to 199 for helpers, and process 1 for the parent of all.
type all struct{}

func (all) Known(id uint32) (recorded, helper bool) { return id < 100, id < 200 }
func (all) Kernel(id uint32) bool                   { return id >= 110 && id < 200 }
func (all) First(uint32) int64                      { return 0 }
func (all) Until(uint32) int64                      { return 0 }
func (all) Parent(uint32) uint32                    { return 1 }

// Submitter takes thread 40 for that of a ring of thread 1.
func (all) Copied(uint32) int64 { return 0 }

func (all) Submitter(id uint32) (uint32, bool) {
	if id == 40 {
		id = 1
	}
	return id, true
}

// walked are the segments of a path from 0 to end, the first one first, along events in any order.
func walked(end int64, events ...any) []Segment { return drained(Span{0, end, end}, events...) }

// drained are those of a command whose data was durable later than it returned.
func drained(span Span, events ...any) []Segment { return from(1, span, events...) }

// from are those of a command that a thread ended.
func from(tid uint32, span Span, events ...any) []Segment {
	var list []Segment
	w := New(tid, span, all{}, func(s *Segment) { list = append(list, *s) })
	b := batch(events...)
	var o order
	o.add(b)
	o.sort()
	o.walk(w, -1)
	w.Finish()
	slices.Reverse(list)
	return list
}

// text is what a path looks like: "0-5 1 runs read; 5-9 2 ready".
func text(list []Segment) string {
	var words []string
	for _, s := range list {
		t := fmt.Sprintf("%d-%d %d %s", s.From, s.To, s.Thread, s.What)
		if s.Call.In {
			t += " " + s.Call.Op.String()
		}
		if s.Locked != 0 {
			t += fmt.Sprintf(" under %d", s.Locked)
		}
		words = append(words, t)
	}
	return strings.Join(words, "; ")
}

func call(tid uint32, op trace.Op, start, end int64) trace.Syscall {
	return trace.Syscall{TID: tid, Op: op, Start: start, Duration: end - start}
}

// polled makes a call one that looks for completions.
func polled(c trace.Syscall) trace.Syscall {
	c.Flags |= trace.FlagPolled
	return c
}

// woken is a wait that a thread ended.
func woken(tid uint32, start, at, end int64, by uint32) trace.Wait {
	return trace.Wait{TID: tid, Cause: trace.WaitCall, Start: start, Duration: end - start, Ready: end - at,
		By: trace.WokenByThread, Waker: by}
}

// halted is a wait that another program, 105, ended, which had halted the thread.
func halted(tid uint32, start, at, end int64, cause trace.WaitCause) trace.Wait {
	w := woken(tid, start, at, end, 105)
	w.Cause = cause
	return w
}

// served is a wait that a request ended.
func served(tid uint32, start, completed, at, end int64) trace.Wait {
	return trace.Wait{TID: tid, Cause: trace.WaitIO, Start: start, Duration: end - start, Ready: end - at,
		By: trace.WokenByRequest, Completed: completed}
}

func other(tid uint32, cause trace.WaitCause, by trace.WakeSource, start, at, end int64) trace.Wait {
	return trace.Wait{TID: tid, Cause: cause, Start: start, Duration: end - start, Ready: end - at, By: by}
}

// within makes a wait that of a thread of process 1.
func within(w trace.Wait) trace.Wait {
	w.PID = 1
	return w
}

func request(tid uint32, queued, issued, completed int64) trace.Request {
	return trace.Request{TID: tid, Op: trace.ReqRead, Device: 7, Queued: queued, Issued: issued, Completed: completed}
}

// writes is a request that writes.
func writes(tid uint32, queued, issued, completed int64) trace.Request {
	r := request(tid, queued, issued, completed)
	r.Op = trace.ReqWrite
	return r
}

func theirs(r trace.Request) trace.Request {
	r.Flags |= trace.ReqForeign
	return r
}

// finished is a wait for I/O that a worker of the kernel ended.
func finished(tid uint32, start, at, end int64, by uint32) trace.Wait {
	w := woken(tid, start, at, end, by)
	w.Cause = trace.WaitIO
	return w
}

// paths are events, and the path along them.
var paths = []struct {
	name   string
	end    int64
	events []any
	want   string
}{
	{"nothing", 10, nil, "0-10 1 runs"},
	{"calls", 20, []any{call(1, trace.OpRead, 2, 5), call(1, trace.OpWrite, 5, 9)},
		"0-2 1 runs; 2-5 1 runs read; 5-9 1 runs write; 9-20 1 runs"},
	{"a read from a device", 30, []any{
		call(1, trace.OpRead, 2, 25), served(1, 5, 20, 21, 23), request(1, 4, 8, 20),
	}, "0-2 1 runs; 2-5 1 runs read; 5-8 1 queued read; 8-21 1 service read; 21-23 1 ready read; " +
		"23-25 1 runs read; 25-30 1 runs"},
	{"read ahead before it is waited for", 30, []any{served(1, 15, 20, 21, 23), request(1, 4, 8, 20)},
		"0-15 1 runs; 15-21 1 service; 21-23 1 ready; 23-30 1 runs"},
	{"a file is written before it is replaced", 60, []any{
		call(1, trace.OpRename, 10, 50), finished(1, 12, 41, 43, 150), writes(1, 3, 4, 38),
		woken(150, 33, 34, 35, 105), woken(150, 35, 40, 40, 105), writes(1, 1, 2, 20),
	}, "0-10 1 runs; 10-12 1 runs rename; 12-38 1 service rename; 38-40 105 runs rename; 40-41 150 runs rename; " +
		"41-43 1 ready rename; 43-50 1 runs rename; 50-60 1 runs"},
	{"another program's write before that", 60, []any{
		call(1, trace.OpRename, 10, 50), finished(1, 12, 41, 43, 150), theirs(writes(7, 3, 4, 38)),
	}, "0-10 1 runs; 10-12 1 runs rename; 12-41 150 runs rename; 41-43 1 ready rename; 43-50 1 runs rename; 50-60 1 runs"},
	{"a ring that is polled", 40, []any{
		polled(call(1, trace.OpUringEnter, 2, 35)), request(1, 4, 6, 15), request(1, 4, 8, 20), request(1, 21, 22, 30),
		other(1, trace.WaitReady, trace.WokenByUnknown, 24, 24, 26), theirs(writes(2, 1, 3, 33)),
	}, "0-2 1 runs; 2-4 1 runs uring_enter; 4-8 1 queued uring_enter; 8-20 1 service uring_enter; 20-21 1 runs " +
		"uring_enter; 21-22 1 queued uring_enter; 22-30 1 service uring_enter; 30-35 1 runs uring_enter; 35-40 1 runs"},
	{"a read ahead of a call that only runs", 30, []any{call(1, trace.OpRead, 2, 25), request(1, 4, 8, 20)},
		"0-2 1 runs; 2-25 1 runs read; 25-30 1 runs"},
	{"a pipe", 30, []any{
		call(1, trace.OpRead, 2, 25), woken(1, 5, 20, 22, 2), call(2, trace.OpWrite, 18, 24),
	}, "0-2 1 runs; 2-5 1 runs read; 5-18 2 runs; 18-20 2 runs write; 20-22 1 ready read; " +
		"22-25 1 runs read; 25-30 1 runs"},
	{"a pipe whose writer waits for a device", 30, []any{
		call(1, trace.OpRead, 2, 25), woken(1, 5, 20, 22, 2), call(2, trace.OpRead, 1, 18),
		served(2, 3, 16, 16, 17), request(2, 2, 4, 16), call(2, trace.OpWrite, 18, 24),
	}, "0-2 1 runs; 2-5 1 runs read; 5-16 2 service read; 16-17 2 ready read; 17-18 2 runs read; 18-20 2 runs write; " +
		"20-22 1 ready read; 22-25 1 runs read; 25-30 1 runs"},
	{"fsync, by the journal", 40, []any{
		call(1, trace.OpSync, 2, 35), woken(1, 5, 30, 31, 150),
		trace.Process{Action: trace.ProcessHelper, TID: 150, Time: 1},
		served(150, 8, 28, 28, 29), request(150, 8, 9, 28),
	}, "0-2 1 runs; 2-5 1 runs sync; 5-8 150 runs sync; 8-9 150 queued sync; 9-28 150 service sync; 28-29 " +
		"150 ready sync; 29-30 150 runs sync; 30-31 1 ready sync; 31-35 1 runs sync; 35-40 1 runs"},
	{"a helper before it was followed", 40, []any{
		woken(1, 5, 30, 31, 150), trace.Process{Action: trace.ProcessHelper, TID: 150, Time: 30},
	}, "0-5 1 runs; 5-30 150 unseen; 30-31 1 ready; 31-40 1 runs"},
	{"a thread of which nothing is known", 40, []any{woken(1, 5, 30, 31, 250)},
		"0-5 1 runs; 5-30 250 unseen; 30-31 1 ready; 31-40 1 runs"},
	{"a thread that was woken by a request before it is waited for", 60, []any{
		woken(1, 5, 30, 31, 2), woken(1, 33, 50, 51, 2), request(2, 20, 21, 25), served(2, 20, 25, 26, 40),
	}, "0-5 1 runs; 5-20 2 runs; 20-21 2 queued; 21-26 2 service; 26-30 2 ready; 30-31 2 ready; 31-33 1 runs; " +
		"33-40 2 ready; 40-50 2 runs; 50-51 1 ready; 51-60 1 runs"},
	{"a child", 40, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3}, woken(1, 5, 30, 31, 2),
		other(2, trace.WaitReady, trace.WokenByUnknown, 10, 20, 20),
	}, "0-5 1 runs; 5-10 2 runs; 10-20 2 ready; 20-30 2 runs; 30-31 1 ready; 31-40 1 runs"},
	{"a child that has the processor before it is waited for", 60, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 5},
		other(1, trace.WaitReady, trace.WokenByUnknown, 1, 3, 3),
		other(1, trace.WaitReady, trace.WokenByUnknown, 7, 20, 20),
		served(2, 10, 15, 16, 17), request(2, 9, 10, 15),
		woken(1, 22, 30, 31, 2), other(2, trace.WaitReady, trace.WokenByUnknown, 24, 25, 25),
	}, "0-1 1 runs; 1-3 1 ready; 3-7 1 runs; 7-10 2 runs; 10-16 2 service; 16-17 2 ready; 17-20 2 runs; 20-22 1 runs; " +
		"22-24 2 runs; 24-25 2 ready; 25-30 2 runs; 30-31 1 ready; 31-60 1 runs"},
	{"a child that ends before its parent has the processor again", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 5}, woken(1, 6, 10, 30, 2),
		served(2, 12, 18, 19, 20), request(2, 11, 12, 18),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 25},
	}, "0-6 1 runs; 6-10 2 runs; 10-12 2 runs; 12-19 2 service; 19-20 2 ready; 20-25 2 runs; 25-30 1 ready; 30-50 1 runs"},
	{"a thread of the same process that ends before another has the processor", 50, []any{
		served(1, 6, 10, 10, 30), request(1, 6, 6, 10), trace.Process{Action: trace.ProcessExit, TID: 2, PID: 1, Time: 25},
	}, "0-6 1 runs; 6-10 1 service; 10-30 1 ready; 30-50 1 runs"},
	{"a thread that was made by one that ended", 40, []any{
		trace.Process{Action: trace.ProcessFork, TID: 3, PID: 3, Parent: 2, Time: 15}, woken(1, 5, 30, 31, 3),
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 4},
	}, "0-5 1 runs; 5-15 2 runs; 15-30 3 runs; 30-31 1 ready; 31-40 1 runs"},
	{"a request that the device has no room for", 50, []any{
		served(1, 5, 40, 40, 41), request(1, 4, 30, 40), request(1, 4, 6, 28), request(1, 3, 3, 12),
	}, "0-5 1 runs; 5-6 1 service; 6-28 1 service; 28-30 1 queued; 30-40 1 service; 40-41 1 ready; 41-50 1 runs"},
	{"the last step of a flush", 50, []any{
		served(1, 5, 40, 40, 41), request(1, -1, 30, 40), request(1, 4, 20, 28), request(1, -1, 6, 19),
	}, "0-5 1 runs; 5-6 1 queued; 6-19 1 service; 19-20 1 queued; 20-28 1 service; 28-30 1 queued; 30-40 1 service; " +
		"40-41 1 ready; 41-50 1 runs"},
	{"a child that is asked for again and again", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3},
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15),
		other(1, trace.WaitSleep, trace.WokenByTimer, 16, 26, 26),
		served(2, 6, 20, 20, 21), request(2, 6, 6, 20),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 22},
	}, "0-3 1 runs; 3-6 2 runs; 6-20 2 service; 20-21 2 ready; 21-22 2 runs; 22-26 1 sleeps; 26-50 1 runs"},
	{"a child that ended just before it was asked for", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3},
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15), other(1, trace.WaitSleep, trace.WokenByTimer, 16, 26, 29),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 28},
	}, "0-3 1 runs; 3-26 2 runs; 26-28 2 runs; 28-29 1 ready; 29-50 1 runs"},
	{"a child that ends as it is waited for, after looks for it", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3},
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15), other(1, trace.WaitSleep, trace.WokenByTimer, 16, 26, 26),
		woken(1, 27, 30, 31, 2), trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 29},
	}, "0-3 1 runs; 3-26 2 runs; 26-27 1 runs; 27-30 2 runs; 30-31 1 ready; 31-50 1 runs"},
	{"a child that ends long after it was looked for", 90, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3},
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15),
		woken(1, 27, 60, 61, 2), trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 59},
	}, "0-5 1 runs; 5-15 1 sleeps; 15-27 1 runs; 27-60 2 runs; 60-61 1 ready; 61-90 1 runs"},
	{"a child that is told to end", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3}, woken(2, 4, 28, 29, 1),
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15), other(1, trace.WaitSleep, trace.WokenByTimer, 16, 26, 26),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 30},
		other(1, trace.WaitThrottle, trace.WokenByTimer, 40, 45, 45),
	}, "0-5 1 runs; 5-15 1 sleeps; 15-16 1 runs; 16-26 1 sleeps; 26-40 1 runs; 40-45 1 throttled; 45-50 1 runs"},
	{"a child that waits for a request as it is asked for", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3},
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 15, 15), other(1, trace.WaitSleep, trace.WokenByTimer, 16, 26, 26),
		served(2, 20, 27, 27, 27), request(2, 20, 20, 27),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 28},
		other(1, trace.WaitThrottle, trace.WokenByTimer, 40, 45, 45),
	}, "0-3 1 runs; 3-20 2 runs; 20-26 2 unknown; 26-40 1 runs; 40-45 1 throttled; 45-50 1 runs"},
	{"a child that waits for its first processor", 50, []any{
		trace.Process{Action: trace.ProcessFork, TID: 2, PID: 2, Parent: 1, Time: 3}, woken(1, 5, 30, 31, 2),
		other(2, trace.WaitSleep, trace.WokenByTimer, 20, 25, 25),
		trace.Process{Action: trace.ProcessExit, TID: 2, PID: 2, Time: 40, CPU: 5},
	}, "0-5 1 runs; 5-15 2 ready; 15-20 2 runs; 20-25 2 sleeps; 25-30 2 runs; 30-31 1 ready; 31-50 1 runs"},
	{"timers", 50, []any{
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 9, 10),
		other(1, trace.WaitPoll, trace.WokenByTimer, 15, 20, 20),
		other(1, trace.WaitThrottle, trace.WokenByTimer, 25, 30, 30),
		other(1, trace.WaitCall, trace.WokenByInterrupt, 35, 40, 40),
	}, "0-5 1 runs; 5-9 1 sleeps; 9-10 1 ready; 10-15 1 runs; 15-20 1 timeout; 20-25 1 runs; 25-30 1 throttled; " +
		"30-35 1 runs; 35-40 1 outside; 40-50 1 runs"},
	{"a thread that looks whether another one is done", 100, []any{
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 25, 25), other(1, trace.WaitSleep, trace.WokenByTimer, 30, 50, 50),
		other(1, trace.WaitSleep, trace.WokenByTimer, 55, 75, 75),
		served(2, 10, 40, 40, 42), request(2, 10, 11, 40), woken(2, 60, 80, 81, 1),
	}, "0-10 2 runs; 10-11 2 queued; 11-40 2 service; 40-42 2 ready; 42-50 2 runs; 50-55 1 runs; 55-75 1 sleeps; " +
		"75-100 1 runs"},
	{"a parent that is ready after it looked for its child", 100, []any{
		other(1, trace.WaitSleep, trace.WokenByTimer, 20, 50, 52), other(1, trace.WaitSleep, trace.WokenByTimer, 55, 75, 77),
		woken(2, 60, 78, 79, 1), woken(1, 80, 90, 91, 2),
	}, "0-50 2 runs; 50-52 2 runs; 52-55 1 runs; 55-75 1 sleeps; 75-77 1 ready; 77-80 1 runs; 80-90 2 runs; " +
		"90-91 1 ready; 91-100 1 runs"},
	{"a thread that sleeps between two pieces of work for another one", 100, []any{
		other(1, trace.WaitSleep, trace.WokenByTimer, 5, 25, 25), other(1, trace.WaitSleep, trace.WokenByTimer, 35, 75, 75),
		woken(2, 2, 30, 31, 1), woken(2, 60, 80, 81, 1),
	}, "0-5 1 runs; 5-25 1 sleeps; 25-35 1 runs; 35-75 1 sleeps; 75-100 1 runs"},
	{"a worker that takes up what another one has left", 60, []any{
		other(1, trace.WaitPoll, trace.WokenByTimer, 5, 45, 46), within(served(2, 10, 30, 30, 31)), request(2, 10, 11, 30),
		within(woken(2, 50, 55, 55, 1)),
	}, "0-10 2 runs; 10-11 2 queued; 11-30 2 service; 30-31 2 ready; 31-45 2 runs; 45-46 1 ready; 46-60 1 runs"},
	{"a worker whose limit is reached while another one waits for a request", 60, []any{
		other(1, trace.WaitTimeout, trace.WokenByTimer, 5, 25, 25), within(served(2, 10, 30, 30, 31)),
		request(2, 10, 11, 30), within(woken(3, 8, 40, 40, 1)),
	}, "0-10 2 runs; 10-25 2 unknown; 25-60 1 runs"},
	{"workers that all have nothing to do", 60, []any{
		other(1, trace.WaitTimeout, trace.WokenByTimer, 5, 25, 25), within(woken(2, 10, 30, 31, 1)),
		within(other(3, trace.WaitSleep, trace.WokenByTimer, 26, 29, 29)), woken(4, 40, 41, 41, 1),
	}, "0-5 1 runs; 5-25 1 timeout; 25-60 1 runs"},
	{"a thread that looks after others, and lets one go on in place of another", 100, []any{
		within(woken(1, 10, 80, 80, 3)), within(other(3, trace.WaitSleep, trace.WokenByTimer, 15, 35, 35)),
		within(other(3, trace.WaitSleep, trace.WokenByTimer, 57, 77, 77)),
		within(other(3, trace.WaitSleep, trace.WokenByTimer, 82, 95, 95)),
		within(served(2, 20, 50, 50, 51)), request(2, 20, 21, 50), within(woken(2, 85, 90, 91, 1)),
	}, "0-10 1 runs; 10-20 2 runs; 20-21 2 queued; 21-50 2 service; 50-51 2 ready; 51-77 2 runs; 77-80 3 runs; " +
		"80-100 1 runs"},
	{"a thread that sleeps for another one while a third works", 100, []any{
		within(woken(1, 10, 80, 80, 3)), within(other(3, trace.WaitSleep, trace.WokenByTimer, 5, 75, 75)),
		within(other(3, trace.WaitSleep, trace.WokenByTimer, 82, 95, 95)), within(woken(2, 85, 90, 91, 1)),
	}, "0-10 1 runs; 10-75 3 sleeps; 75-80 3 runs; 80-100 1 runs"},
	{"halted by others", 70, []any{
		halted(1, 5, 9, 10, trace.WaitStopped), halted(1, 15, 19, 20, trace.WaitTraced),
		halted(1, 25, 29, 30, trace.WaitFrozen),
		call(1, trace.OpWrite, 32, 60), halted(1, 35, 39, 40, trace.WaitThaw),
	}, "0-5 1 runs; 5-9 1 stopped; 9-10 1 ready; 10-15 1 runs; 15-20 1 traced; 20-25 1 runs; 25-29 1 frozen; " +
		"29-30 1 ready; 30-32 1 runs; 32-35 1 runs write; 35-39 1 thaw write; 39-40 1 ready write; " +
		"40-60 1 runs write; 60-70 1 runs"},
	{"a request that was lost", 40, []any{served(1, 5, 30, 31, 33)}, "0-5 1 runs; 5-31 1 unknown; " +
		"31-33 1 ready; 33-40 1 runs"},
	{"a request that another thread asked for", 40, []any{
		served(1, 5, 30, 30, 33), request(150, 12, 15, 30),
		trace.Process{Action: trace.ProcessHelper, TID: 150, Time: 1},
		other(150, trace.WaitOther, trace.WokenByTimer, 2, 10, 11),
	}, "0-5 1 runs; 5-10 150 queued; 10-11 150 ready; 11-12 150 runs; 12-15 1 queued; " +
		"15-30 1 service; 30-33 1 ready; 33-40 1 runs"},
	{"a request that was held back before its thread was followed", 40, []any{
		call(1, trace.OpWrite, 2, 35), served(1, 5, 30, 30, 33), request(150, 12, 15, 30),
		trace.Process{Action: trace.ProcessHelper, TID: 150, Time: 10},
	}, "0-2 1 runs; 2-5 1 runs write; 5-10 150 queued write; 10-12 150 runs write; 12-15 1 queued write; " +
		"15-30 1 service write; 30-33 1 ready write; 33-35 1 runs write; 35-40 1 runs"},
	{"a sync whose request another thread asks for in its own time", 40, []any{
		call(1, trace.OpSync, 2, 35), served(1, 5, 30, 30, 33), request(150, 12, 15, 30),
		trace.Process{Action: trace.ProcessHelper, TID: 150, Time: 1},
		other(150, trace.WaitOther, trace.WokenByTimer, 2, 10, 11),
	}, "0-2 1 runs; 2-5 1 runs sync; 5-10 150 timeout sync; 10-11 150 ready sync; 11-12 150 runs sync; " +
		"12-15 1 queued sync; 15-30 1 service sync; 30-33 1 ready sync; 33-35 1 runs sync; 35-40 1 runs"},
	{"a request of another program, in its own time", 40, []any{
		served(1, 5, 30, 30, 33), request(105, 12, 15, 30),
		trace.Process{Action: trace.ProcessHelper, TID: 105, Time: 1},
		other(105, trace.WaitOther, trace.WokenByTimer, 2, 10, 11),
	}, "0-5 1 runs; 5-10 105 timeout; 10-11 105 ready; 11-12 105 runs; 12-15 1 queued; " +
		"15-30 1 service; 30-33 1 ready; 33-40 1 runs"},
	{"a waker that waited since before", 40, []any{
		woken(1, 15, 30, 31, 2), served(2, 5, 25, 25, 26), request(2, 5, 6, 25),
	}, "0-15 1 runs; 15-25 2 service; 25-26 2 ready; 26-30 2 runs; 30-31 1 ready; 31-40 1 runs"},
	{"a fault in a write", 40, []any{
		call(1, trace.OpWrite, 5, 35),
		trace.Fault{TID: 1, Start: 10, Duration: 15}, served(1, 12, 20, 20, 22), request(1, 11, 12, 20),
	}, "0-5 1 runs; 5-10 1 runs write; 10-12 1 runs read; 12-20 1 service read; 20-22 1 ready read; 22-25 1 runs read; " +
		"25-35 1 runs write; 35-40 1 runs"},
}

func TestPath(t *testing.T) {
	for _, c := range paths {
		t.Run(c.name, func(t *testing.T) {
			if got := text(walked(c.end, c.events...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// What goes on while another program is waited for belongs to that program, through whomever it waits for in turn.
func TestBeyond(t *testing.T) {
	list := walked(40, woken(1, 5, 35, 36, 101), woken(101, 8, 30, 31, 150), woken(150, 10, 20, 21, 110), woken(110, 12,
		15, 16, 160))
	for _, s := range list {
		want := uint32(0)
		if s.Thread > 1 && s.Thread != 101 {
			want = 101
		}
		if s.Beyond != want {
			t.Errorf("%d-%d of %d is beyond %d, want %d", s.From, s.To, s.Thread, s.Beyond, want)
		}
	}
	if !strings.Contains(text(list), " 160 ") {
		t.Error("nothing is far beyond:", text(list))
	}
}

// What a thread does in a call on a file is for the one that waits at that file for it, also what others do for it
// meanwhile; not for one that waits at another file, or outside of calls.
func TestBehind(t *testing.T) {
	at := func(c trace.Syscall, file trace.FileID) trace.Syscall {
		c.File = file
		return c
	}
	for file, want := range map[trace.FileID]trace.Op{7: trace.OpRead, 8: 0} {
		list := walked(40, at(call(1, trace.OpRead, 5, 36), file), woken(1, 6, 35, 36, 2),
			at(call(2, trace.OpWrite, 10, 36), 7), woken(2, 15, 30, 31, 110))
		found := false
		for _, s := range list {
			behind := trace.Op(0)
			if s.Thread != 1 && s.From >= 10 && s.To <= 35 {
				behind, found = want, true
			}
			if s.Behind != behind {
				t.Errorf("%d-%d of %d is behind %s, want %s: %s", s.From, s.To, s.Thread, s.Behind, behind, text(list))
			}
		}
		if !found || !strings.Contains(text(list), " 110 ") {
			t.Error("nothing waits:", text(list))
		}
	}
}
