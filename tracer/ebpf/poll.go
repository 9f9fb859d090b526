//go:build linux

package ebpf

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// A record is taken from the buffer at the latest idlePoll after it was made, and
// sooner the faster the buffer fills. Looking is not free: the thread that looks
// takes the CPU from the workload, and three others that hand its timer on do so
// too. A storm that begins in the longest pause fills a tenth of the buffer from
// one core (see DefaultBuffer), four tenths from four or more.
const (
	busyPoll  = time.Millisecond
	idlePoll  = 32 * time.Millisecond // with a buffer of DefaultBuffer and four CPUs
	pollShare = 256                   // the part of the buffer that may fill meanwhile: one in so many bytes
)

// nextPoll is how long to wait for a part of the buffer to fill, when n bytes
// came in the last pause.
func nextPoll(last time.Duration, n, buffer, cpus int) time.Duration {
	longest := idlePoll * time.Duration(buffer) / DefaultBuffer * 4 / time.Duration(max(cpus, 4))
	longest = min(max(longest, busyPoll), idlePoll)
	if n == 0 {
		return longest
	}
	return min(max(last*time.Duration(buffer/pollShare)/time.Duration(n), busyPoll), longest)
}

// poll reads until the context ends, from a buffer of a size. After each look at it it calls between.
func poll(ctx context.Context, r *reader, buffer int, between func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer hurry()()
	pause := busyPoll
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		n, err := r.drain()
		if err != nil {
			return err
		}
		if err := between(); err != nil {
			return err
		}
		pause = nextPoll(pause, n, buffer, runtime.NumCPU())
		timer.Reset(pause)
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
	}
}

// hurry lets the calling thread go before the workload when both want the CPU:
// a reader that falls behind loses events. It needs little: about a third of a
// core in the densest call storm, next to nothing otherwise. A refusal (no
// CAP_SYS_NICE) changes nothing else.
func hurry() (relax func()) {
	const highest = -20
	before, err := unix.Getpriority(unix.PRIO_PROCESS, unix.Gettid())
	if err != nil || unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), highest) != nil {
		return func() {}
	}
	nice := 20 - before // the system call returns 20 - nice
	return func() { unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice) }
}

// rest takes what is left in the buffer once no probe is attached. A probe that
// was running while it was detached finishes within microseconds.
func rest(r *reader) error {
	for quiet := 0; quiet < 3; {
		n, err := r.drain()
		if err != nil {
			return err
		}
		if n == 0 {
			quiet++
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}
