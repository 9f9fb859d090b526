package linux

import "github.com/iotrace/iotrace/trace"

// blocking are the calls that wait for something else than a file, and are not recorded: their numbers on amd64 and
// arm64 (asm/unistd_64.h, asm-generic/unistd.h), absent where an architecture does not have one.
var blocking = []struct {
	name         string
	cause        trace.WaitCause
	amd64, arm64 int
	limit        int // the argument, from 1 on, that says for how many milliseconds at most; 0: none does
}{
	{"poll", trace.WaitPoll, 7, absent, 3},
	{"ppoll", trace.WaitPoll, 271, 73, 0},
	{"select", trace.WaitPoll, 23, absent, 0},
	{"pselect6", trace.WaitPoll, 270, 72, 0},
	{"epoll_wait", trace.WaitPoll, 232, absent, 4},
	{"epoll_pwait", trace.WaitPoll, 281, 22, 4},
	{"epoll_pwait2", trace.WaitPoll, 441, 441, 0},
	{"nanosleep", trace.WaitSleep, 35, 101, 0},
	{"clock_nanosleep", trace.WaitSleep, 230, 115, 0},
	{"futex", trace.WaitFutex, 202, 98, 0},
	{"futex_waitv", trace.WaitFutex, 449, 449, 0},
	{"wait4", trace.WaitChild, 61, 260, 0},
	{"waitid", trace.WaitChild, 247, 95, 0},
}

// Blocked is why a thread was off the CPU for duration ns in a call, of this number, that is not recorded, with its
// third and fourth arguments; given tells whether the first one is another than 0. Poll and select without descriptors,
// which are their first argument, wait for a time; epoll always has one. For some calls it is known how long they would
// have waited at most.
func Blocked(arch string, number int, given bool, third, fourth uint32, duration int64) trace.WaitCause {
	for i := range blocking {
		b := &blocking[i]
		n := absent
		switch arch {
		case "amd64":
			n = b.amd64
		case "arm64":
			n = b.arm64
		}
		switch {
		case n != number || n == absent:
			continue
		case b.cause != trace.WaitPoll:
			return b.cause
		case !given:
			return trace.WaitSleep
		case b.limit == 3 && over(third, duration), b.limit == 4 && over(fourth, duration):
			return trace.WaitTimeout
		}
		return b.cause
	}
	return trace.WaitOther
}

// over reports whether a wait took all the milliseconds that it was given; a negative number is no limit. The thread
// may have been off the CPU a little less, as the call began before.
func over(limit uint32, duration int64) bool {
	ms := int64(int32(limit))
	return ms > 0 && 10*duration >= 9*ms*1_000_000
}
