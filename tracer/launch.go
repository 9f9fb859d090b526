package tracer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"

	"github.com/iotrace/iotrace/tracer/machine"
)

// Command is a workload to run.
type Command struct {
	Args []string // Args[0] is looked up in PATH
	User *User    // who runs it; nil means the caller
	// StdoutToStderr gives the command standard error as its standard output,
	// because standard output carries the trace.
	StdoutToStderr bool
}

// Workload is a command held until its probes are attached. It is a child of
// this process that waits on a socket and then executes the command in place: the
// process ID known here is the one that is traced. The command finds what it
// would find without us: descriptors, terminal, process group, environment,
// directory, umask, limits, priority, ignored signals.
type Workload struct {
	command string
	pid     int
	release *os.File
	status  *os.File
	exited  chan struct{}
	wait    syscall.WaitStatus
	usage   syscall.Rusage
}

// Launch starts a held workload. A command that cannot be found or executed is
// an *ExecError. The program must call RunHeld first thing in main.
func Launch(c Command) (*Workload, error) {
	path, err := Find(c.Args[0], os.Getenv("PATH"))
	if err != nil {
		return nil, err
	}
	releaseW, releaseR, err := host.ParentPair()
	if err != nil {
		return nil, fmt.Errorf("holding the command: %w", err)
	}
	defer releaseR.Close()
	statusR, statusW, err := os.Pipe()
	if err != nil {
		releaseW.Close()
		return nil, fmt.Errorf("holding the command: %w", err)
	}
	defer statusW.Close()

	w := &Workload{command: c.Args[0], release: releaseW, status: statusR, exited: make(chan struct{})}
	if w.pid, err = startHeld(c, path, releaseR, statusW); err != nil {
		releaseW.Close()
		statusR.Close()
		return nil, fmt.Errorf("holding the command: %w", err)
	}
	go w.reap()
	return w, nil
}

// startHeld does not use os/exec, which would number the pipes from 3 on and so
// replace descriptors that the command is to inherit (make's job server, a
// shell's process substitution), and would switch a non-blocking standard
// stream to blocking.
func startHeld(c Command, path string, release, status *os.File) (pid int, err error) {
	h := held{Path: path, Ignore: AtStart(), User: c.User}
	if h.Release, err = Inherit(release); err != nil {
		return 0, err
	}
	if h.Status, err = Inherit(status); err != nil {
		return 0, err
	}
	spec, err := json.Marshal(h)
	if err != nil {
		return 0, err
	}
	environ := os.Environ()
	if c.User != nil {
		environ = c.User.environ(environ)
	}
	files := []uintptr{0, 1, 2}
	if c.StdoutToStderr {
		files[1] = files[2]
	}
	if _, err := os.Stat(host.Program()); err != nil {
		return 0, fmt.Errorf("finding this program: %w; is /proc mounted?", err)
	}
	return syscall.ForkExec(host.Program(), append([]string{"iotrace", holdArgument, string(spec)}, c.Args...),
		&syscall.ProcAttr{Env: environ, Files: files})
}

// Inherit lets a child have f under the same descriptor.
func Inherit(f *os.File) (int, error) {
	fd := f.Fd()
	_, err := unix.FcntlInt(fd, unix.F_SETFD, 0)
	return int(fd), err
}

// reap waits for the command and keeps its status.
func (w *Workload) reap() {
	for {
		_, err := syscall.Wait4(w.pid, &w.wait, 0, &w.usage)
		if err == nil || !errors.Is(err, syscall.EINTR) {
			close(w.exited)
			return
		}
	}
}

// PID is the command's process ID, before and after Release.
func (w *Workload) PID() int { return w.pid }

// Release lets the command go. It returns once the command has been executed,
// or with the *ExecError of the attempt.
func (w *Workload) Release() error {
	defer w.status.Close()
	_, err := w.release.Write([]byte{releaseByte})
	w.release.Close()
	if err != nil {
		<-w.exited
		return fmt.Errorf("starting %s: the held process was killed: %w", w.command, err)
	}
	report, err := io.ReadAll(w.status)
	switch {
	case err != nil:
		return fmt.Errorf("starting %s: %w", w.command, err)
	case len(report) == 0:
		<-w.exited
		return fmt.Errorf("starting %s: the held process was killed", w.command)
	case len(report) == 1:
		return nil
	}
	<-w.exited
	if errno, err := strconv.Atoi(string(report[1:])); err == nil {
		if syscall.Errno(errno) == unix.ENOENT {
			return newExecError(w.command, errInterpreter)
		}
		return newExecError(w.command, syscall.Errno(errno))
	}
	return fmt.Errorf("starting %s: %s", w.command, report[1:])
}

// Abandon ends a workload that was not released; it exits silently. After
// Release it does nothing.
func (w *Workload) Abandon() {
	if err := w.release.Close(); err == nil {
		w.status.Close()
		<-w.exited
	}
}

// Exited is closed when the command has ended.
func (w *Workload) Exited() <-chan struct{} { return w.exited }

// ExitCode is the status a shell would show: the command's own, or 128 and the
// signal that killed it. It waits for the command to end.
func (w *Workload) ExitCode() int {
	if s := w.KilledBy(); s != 0 {
		return 128 + int(s)
	}
	return w.wait.ExitStatus()
}

// KilledBy is the signal that killed the command, 0 if it ended by itself. It waits for the command to end.
func (w *Workload) KilledBy() syscall.Signal {
	<-w.exited
	if w.wait.Signaled() {
		return w.wait.Signal()
	}
	return 0
}

// Charged is what drives and processors had to do for the command and for those of its children that were waited for,
// nil where the system does not tell. It waits for the command to end. A few milliseconds of it were spent on holding
// the command.
func (w *Workload) Charged() *trace.Charge {
	<-w.exited
	return machine.ChargeOf(&w.usage)
}

// Signal sends a signal to the command, if it has not ended.
func (w *Workload) Signal(s syscall.Signal) error {
	select {
	case <-w.exited: // the process ID may belong to somebody else by now
		return os.ErrProcessDone
	default:
		return syscall.Kill(w.pid, s)
	}
}
