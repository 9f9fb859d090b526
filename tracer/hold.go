package tracer

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/internal/visible"
)

// holdArgument as first argument makes this program a held workload.
const holdArgument = "__hold"

// releaseByte is what the holder sends. The held process repeats it, and then
// either executes the command, which closes the pipe, or says why it could not.
const releaseByte = 'x'

// held is what the held process is told, as JSON in its second argument. The
// command's own arguments follow.
type held struct {
	Path    string         `json:"path"`
	Release int            `json:"release"` // descriptor to wait on; the parent made it
	Status  int            `json:"status"`  // descriptor to report on
	Ignore  ignoredSignals `json:"ignore"`
	User    *User          `json:"user,omitempty"`
}

// RunHeld turns this process into the command it holds, if it was started by
// Launch; it then does not return. Otherwise it does nothing.
func RunHeld() {
	if len(os.Args) < 4 || os.Args[1] != holdArgument {
		return
	}
	var h held
	if err := json.Unmarshal([]byte(os.Args[2]), &h); err != nil {
		os.Exit(ExitNotExecutable)
	}
	h.run(os.Args[3:])
}

func (h *held) run(args []string) {
	if err := host.VerifyParent(h.Release); err != nil {
		if host.Deserted(h.Release) {
			os.Exit(0) // the recorder died: nothing was run
		}
		fmt.Fprintln(os.Stderr, "iotrace:", visible.Error(err))
		os.Exit(ExitNotExecutable)
	}
	letTrace(os.Getppid())
	unguarded := exitOnSignal(h.Ignore)
	unix.CloseOnExec(h.Release)
	unix.CloseOnExec(h.Status)
	if !h.released() {
		os.Exit(0) // the recorder died or gave up: nothing was run
	}
	_, _ = unix.Write(h.Status, []byte{releaseByte})
	if h.User != nil {
		if err := h.User.become(system{}); err != nil {
			h.fail("changing to user " + h.User.Name + ": " + err.Error())
		}
	}
	unguarded()
	if ignore := h.Ignore.List(); len(ignore) > 0 { // none would mean all
		signal.Ignore(ignore...)
	}
	err := syscall.Exec(h.Path, args, os.Environ())
	if errors.Is(err, syscall.ENOEXEC) {
		// A script without #! line: execvp and every shell hand it to sh.
		err = syscall.Exec("/bin/sh", append([]string{"sh", h.Path}, args[1:]...), os.Environ())
	}
	if errno, ok := errors.AsType[syscall.Errno](err); ok {
		h.fail(strconv.Itoa(int(errno)))
	}
	h.fail(err.Error())
}

// exitOnSignal ends a held process in silence when a signal comes; the runtime
// would print stacks on SIGQUIT. The function it returns gives signals their
// default effect again, which is also what exec leaves, and does not return if
// one has come before.
func exitOnSignal(leave ignoredSignals) (stop func()) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	catchEnding(signals, leave)
	go func() {
		defer close(done)
		if s, ok := <-signals; ok {
			os.Exit(128 + int(s.(syscall.Signal)))
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
		<-done
	}
}

// released waits for the holder's byte. It is false if the holder closed the
// other end, which the kernel does for it when it dies.
func (h *held) released() bool {
	b := make([]byte, 1)
	for {
		n, err := unix.Read(h.Release, b)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return n == 1 && b[0] == releaseByte
	}
}

// fail reports to the holder why the command was not executed.
func (h *held) fail(report string) {
	_, _ = unix.Write(h.Status, []byte(report))
	os.Exit(ExitNotExecutable)
}
