package path

import (
	"slices"
	"testing"

	"github.com/iotrace/iotrace/trace"
)

// misses makes a call one that found nothing.
func misses(c trace.Syscall) trace.Syscall {
	if c.Op == trace.OpRead {
		c.Result = -11
	}
	return c
}

// submits makes a call one that asks for something.
func submits(c trace.Syscall) trace.Syscall {
	c.Requested = 1
	return c
}

// lookers are events of threads that look for what they have asked for, and the path along them.
var lookers = []struct {
	name   string
	end    int64
	events []any
	want   string
}{
	{"a ring whose thread asks for one after the other", 70, []any{
		request(40, 4, 6, 20), request(40, 21, 22, 40), call(1, trace.OpWrite, 41, 45),
	}, "0-4 1 runs; 4-6 1 queued; 6-20 1 service; 20-21 1 runs; 21-22 1 queued; 22-40 1 service; 40-41 1 runs; " +
		"41-45 1 runs write; 45-70 1 runs"},
	{"two in flight", 90, []any{
		request(40, 4, 4, 26), request(40, 14, 14, 36), request(40, 27, 27, 47), request(40, 37, 37, 58),
		call(1, trace.OpWrite, 60, 61),
	}, "0-14 1 runs; 14-36 1 service; 36-37 1 runs; 37-58 1 service; 58-60 1 runs; 60-61 1 runs write; 61-90 1 runs"},
	{"one that computes until long after", 90, []any{
		request(40, 4, 4, 26), request(40, 40, 40, 60), call(1, trace.OpWrite, 80, 81),
	}, "0-26 1 runs; 26-40 1 runs; 40-60 1 runs; 60-80 1 runs; 80-81 1 runs write; 81-90 1 runs"},
	{"the thread of the ring has no CPU", 90, []any{
		request(40, 4, 4, 26), other(40, trace.WaitReady, trace.WokenByUnknown, 27, 27, 45), request(40, 46, 46, 66),
		call(1, trace.OpWrite, 68, 69),
	}, "0-4 1 runs; 4-26 1 service; 26-46 1 runs; 46-66 1 service; 66-68 1 runs; 68-69 1 runs write; 69-90 1 runs"},
	{"reads that find nothing, and may not wait", 70, []any{
		call(1, trace.OpAIOSubmit, 2, 5), request(1, 4, 6, 50), misses(call(1, trace.OpRead, 10, 12)),
		misses(call(1, trace.OpRead, 30, 32)), misses(call(1, trace.OpRead, 45, 47)), call(1, trace.OpRead, 52, 53),
	}, "0-2 1 runs; 2-5 1 runs aio_submit; 5-6 1 queued; 6-10 1 service; 10-30 1 service; 30-45 1 service; " +
		"45-50 1 service; 50-52 1 runs; 52-53 1 runs read; 53-70 1 runs"},
	{"one that looks now and then as it computes", 700_000, []any{
		call(1, trace.OpAIOSubmit, 2, 5), request(1, 4, 6, 550_000), call(1, trace.OpAIOGetEvents, 200_000, 200_001),
		call(1, trace.OpAIOGetEvents, 400_000, 400_001), call(1, trace.OpAIOGetEvents, 600_000, 600_001),
	}, "0-2 1 runs; 2-5 1 runs aio_submit; 5-200000 1 runs; 200000-200001 1 service; 200001-400000 1 runs; " +
		"400000-400001 1 service; 400001-550000 1 runs; 550000-600000 1 runs; 600000-600001 1 runs " +
		"aio_getevents; 600001-700000 1 runs"},
	{"interrupted as it looks", 70, []any{
		call(1, trace.OpAIOSubmit, 2, 5), request(1, 4, 6, 50), other(1, trace.WaitReady, trace.WokenByUnknown, 20, 20, 30),
		call(1, trace.OpAIOGetEvents, 51, 52),
	}, "0-2 1 runs; 2-5 1 runs aio_submit; 5-6 1 queued; 6-20 1 service; 20-50 1 service; 50-51 1 runs; 51-52 1 runs " +
		"aio_getevents; 52-70 1 runs"},
	{"interrupted as the request is done", 70, []any{
		call(1, trace.OpAIOSubmit, 2, 5), request(1, 4, 6, 40), other(1, trace.WaitReady, trace.WokenByUnknown, 30, 30, 50),
		call(1, trace.OpAIOGetEvents, 52, 53),
	}, "0-2 1 runs; 2-5 1 runs aio_submit; 5-6 1 queued; 6-40 1 service; 40-50 1 ready; 50-52 1 runs; 52-53 1 runs " +
		"aio_getevents; 53-70 1 runs"},
	{"a worker of a ring syncs", 60, []any{
		call(1, trace.OpUringEnter, 2, 50), woken(1, 5, 40, 41, 40), served(40, 8, 38, 38, 39), writes(40, 7, 7, 38),
	}, "0-2 1 runs; 2-5 1 runs uring_enter; 5-8 40 runs uring_enter; 8-38 40 service uring_enter; " +
		"38-39 40 ready uring_enter; 39-40 40 runs uring_enter; 40-41 1 ready uring_enter; 41-50 1 runs uring_enter; " +
		"50-60 1 runs"},
	{"woken by the thread of the ring", 70, []any{
		call(1, trace.OpUringEnter, 3, 42), woken(1, 4, 40, 41, 40), request(40, 5, 6, 39), request(40, 42, 42, 66),
		call(1, trace.OpWrite, 67, 68),
	}, "0-3 1 runs; 3-4 1 runs uring_enter; 4-5 40 runs uring_enter; 5-6 40 queued uring_enter; " +
		"6-39 40 service uring_enter; 39-40 40 runs uring_enter; 40-41 1 ready uring_enter; " +
		"41-42 1 runs uring_enter; 42-66 1 service; 66-67 1 runs; 67-68 1 runs write; 68-70 1 runs"},
	{"another thread's request", 70, []any{request(2, 4, 6, 50), call(1, trace.OpWrite, 51, 52)},
		"0-51 1 runs; 51-52 1 runs write; 52-70 1 runs"},
}

// A server answers after a read that it has looked for.
func TestLooksOfServers(t *testing.T) {
	got := told(operated(all{},
		asked(1, 0, 10, 10), on(1, call(1, trace.OpRead, 11, 12)), submits(call(1, trace.OpUringEnter, 13, 14)),
		request(1, 13, 13, 36), call(1, trace.OpUringEnter, 20, 21), call(1, trace.OpUringEnter, 37, 38),
		on(1, call(1, trace.OpWrite, 40, 42)), asked(1, 42, 90, 90)))
	want := []string{"10-42 1 answers: 10-11 1 runs; 11-12 1 runs read; 12-13 1 runs; 13-14 1 runs uring_enter; " +
		"14-20 1 service; 20-36 1 service; 36-37 1 runs; 37-38 1 runs uring_enter; 38-40 1 runs; 40-42 1 runs write"}
	if !slices.Equal(got, want) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// The thread of a ring ends the process. It looks for its requests, and was made as the ring was set up.
func TestThreadOfRingEnds(t *testing.T) {
	const end = 70
	got := text(from(40, Span{0, end, end}, call(1, trace.OpRead, 2, 5), call(1, trace.OpUringSetup, 8, 12),
		request(40, 14, 14, 38), request(40, 39, 39, 60)))
	if want := "0-2 1 runs; 2-5 1 runs read; 5-8 1 runs; 8-12 1 runs uring_setup; 12-14 40 runs; " +
		"14-38 40 service; 38-70 40 runs"; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestLooks(t *testing.T) {
	for _, c := range lookers {
		t.Run(c.name, func(t *testing.T) {
			if got := text(walked(c.end, c.events...)); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}
