package host

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// errOtherParent is why a process refuses what only its own parent may ask for.
var errOtherParent = errors.New("this is a part of iotrace that only iotrace itself can start")

// ParentPair is a connection between this process and a child to come. Both ends are
// closed on exec; whoever starts the child lets it inherit theirs.
func ParentPair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("making a connection to a child process: %w", err)
	}
	unix.CloseOnExec(fds[0])
	unix.CloseOnExec(fds[1])
	return os.NewFile(uintptr(fds[0]), "child"), os.NewFile(uintptr(fds[1]), "parent"), nil
}

// VerifyParent makes sure that the descriptor is an end of a Pair that this process's
// parent has made, with this program and as root or as the same user. The kernel
// notes at a socket pair who made it, so nothing that can be passed on in
// arguments, in the environment or on standard input will do.
func VerifyParent(fd int) error {
	maker, err := makerOf(fd)
	if err != nil {
		return fmt.Errorf("%w: %w", errOtherParent, err)
	}
	if maker.pid != os.Getppid() || maker.uid != 0 && maker.uid != os.Geteuid() {
		return errOtherParent
	}
	mine, err := os.Stat("/proc/self/exe")
	if err != nil {
		return nil // no /proc; that it was our parent is known
	}
	theirs, err := os.Stat("/proc/" + strconv.Itoa(maker.pid) + "/exe")
	switch {
	case errors.Is(err, os.ErrPermission): // of a process with more rights than this one
		return nil
	case err != nil || !os.SameFile(mine, theirs):
		return errOtherParent
	}
	return nil
}

// moment is how long a process may take to end, in ms.
const moment = 200

// Deserted reports whether nobody has the other end of a connection any more: whoever made it has ended, and a refusal
// would be told to somebody else. A process that ends lets go of its program before its connections, so for a moment
// in which it still has them it is not known any more for what it was: that moment is waited for.
func Deserted(fd int) bool {
	if _, err := makerOf(fd); err != nil {
		return false // no connection that Pair can have made, such as a pipe
	}
	p := []unix.PollFd{{Fd: int32(fd)}}
	n, err := unix.Poll(p, moment)
	return err == nil && n == 1 && p[0].Revents&(unix.POLLHUP|unix.POLLNVAL) == unix.POLLHUP
}

// maker is the process that made a socket pair.
type maker struct{ pid, uid int }
