//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// makeCalls is the first argument of this program where it is the workload.
const makeCalls = "__calls"

// calls makes pairs of a read from /dev/zero and a write to /dev/null, 512 bytes
// each, on the first thread of the process, once it is told to, and prints how
// many nanoseconds of time and of CPU time they took. A sixteenth as many go
// before, to warm up.
func calls(pairs string) error {
	runtime.LockOSThread()
	n, err := strconv.Atoi(pairs)
	if err != nil {
		return err
	}
	in, err := syscall.Open("/dev/zero", syscall.O_RDONLY, 0)
	if err != nil {
		return err
	}
	out, err := syscall.Open("/dev/null", syscall.O_WRONLY, 0)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	buf := make([]byte, 512)
	var began cost
	for i := -n / 16; i < n; i++ {
		if i == 0 {
			began = now()
		}
		for _, c := range [2][2]int{{syscall.SYS_READ, in}, {syscall.SYS_WRITE, out}} {
			if n, _, err := syscall.RawSyscall(uintptr(c[0]), uintptr(c[1]), uintptr(unsafe.Pointer(&buf[0])), 512); n != 512 {
				return fmt.Errorf("call %d: %w", c[0], err)
			}
		}
	}
	ended := now()
	fmt.Println(ended.wall-began.wall, ended.cpu-began.cpu)
	return nil
}

// cost is what calls take, in ns. The CPU time is what it is also when others want
// the CPU; the time is what the user waits.
type cost struct{ wall, cpu float64 }

// now is the time and the CPU time of this thread so far.
func now() cost {
	var wall, cpu unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &wall)
	unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &cpu)
	return cost{float64(wall.Nano()), float64(cpu.Nano())}
}

// workload is a process that is going to make calls. It begins as a shell that
// becomes it when told to, so that recording can begin with its exec.
type workload struct {
	process *exec.Cmd
	orders  io.WriteCloser
	replies *bufio.Reader
	pairs   int
}

func newWorkload(pairs int) (*workload, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	w := &workload{pairs: pairs}
	w.process = exec.Command("sh", "-c", `read go && exec "$@"`, "sh", self, makeCalls, strconv.Itoa(pairs))
	w.process.Stderr = os.Stderr
	if w.orders, err = w.process.StdinPipe(); err != nil {
		return nil, err
	}
	replies, err := w.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.replies = bufio.NewReader(replies)
	return w, w.process.Start()
}

func (w *workload) pid() int { return w.process.Process.Pid }

// load makes the shell the program, which waits then.
func (w *workload) load() error {
	_, err := w.tell()
	return err
}

// perCall has the calls made, and returns what each took.
func (w *workload) perCall() (c cost, err error) {
	text, err := w.tell()
	if err != nil {
		return cost{}, err
	}
	_, err = fmt.Sscan(text, &c.wall, &c.cpu)
	n := float64(2 * w.pairs)
	return cost{c.wall / n, c.cpu / n}, err
}

func (w *workload) tell() (reply string, err error) {
	if _, err := io.WriteString(w.orders, "go\n"); err != nil {
		return "", err
	}
	return w.replies.ReadString('\n')
}

// end waits for the process, or ends it.
func (w *workload) end() {
	w.orders.Close()
	w.process.Process.Kill()
	w.process.Wait()
}
