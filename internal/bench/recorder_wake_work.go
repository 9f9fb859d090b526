//go:build linux

package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// makeWakes is the first argument of this program where it is one of the workloads of wake.
const makeWakes = "__wake"

// wakes runs a workload of so many steps, and prints how many seconds they took.
func wakes(name, steps string) error {
	n, err := strconv.Atoi(steps)
	if err != nil {
		return err
	}
	var took time.Duration
	switch connect := socketPairs[name]; {
	case connect != nil:
		took, err = exchange(connect, n)
	case name == "ring":
		took = ring(n)
	case name == "programs":
		took, err = startPrograms(n)
	case name == "files", name == "synced":
		took, err = makeFiles(n, name == "synced")
	default:
		err = fmt.Errorf("no workload %q", name)
	}
	if err == nil {
		_, err = fmt.Println(took.Seconds())
	}
	return err
}

// startPrograms has a shell start programs, one after the other.
func startPrograms(steps int) (time.Duration, error) {
	const loop = `i=0; while [ $i -lt "$1" ]; do /bin/true; i=$((i + 1)); done`
	c := exec.Command("sh", "-c", loop, "sh", strconv.Itoa(steps))
	began := time.Now()
	text, err := c.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w: %s", c, err, lastLine(text))
	}
	return time.Since(began), err
}

// ringThreads is how many threads there are in a ring.
const ringThreads = 32

// futexWait and futexWake are operations of futex(2), each on memory of one process: FUTEX_PRIVATE_FLAG is 128.
const (
	futexWait = 0 | 128
	futexWake = 1 | 128
)

// turn is how often a thread was given its turn, on a cache line of its own.
type turn struct {
	times uint32
	_     [60]byte
}

// ring has threads give each other their turn by futexes, in a circle. All but one of them sleep. They call the kernel
// without the knowledge of Go's scheduler, which would wake others. So each has a processor of Go's for itself, and
// nothing may stop them: no collection of garbage, and no signal to whoever runs for long.
func ring(steps int) time.Duration {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(ringThreads + 2))
	var turns [ringThreads]turn
	var ended sync.WaitGroup
	begin := make(chan struct{})
	for i := range turns {
		ended.Go(func() {
			runtime.LockOSThread() // and never unlocked: the thread ends, with its mask of signals
			_ = unix.PthreadSigmask(unix.SIG_BLOCK, &unix.Sigset_t{Val: [16]uint64{1 << (unix.SIGURG - 1)}}, nil)
			<-begin
			own, next := &turns[i].times, &turns[(i+1)%ringThreads].times
			for times := uint32(1); i+int(times-1)*ringThreads < steps; times++ {
				for atomic.LoadUint32(own) < times {
					futex(own, futexWait, uintptr(times-1))
				}
				atomic.AddUint32(next, 1)
				futex(next, futexWake, 1)
			}
		})
	}
	close(begin)
	began := time.Now()
	atomic.AddUint32(&turns[0].times, 1)
	futex(&turns[0].times, futexWake, 1)
	ended.Wait()
	return time.Since(began)
}

// futex ignores errors: who waits looks again at what it waits for.
func futex(word *uint32, operation, value uintptr) {
	unix.RawSyscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), operation, value, 0, 0, 0)
}
