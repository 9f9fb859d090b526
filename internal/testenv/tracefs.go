//go:build linux

package testenv

// This file opens the kernel's own event log on machines where tracefs is not mounted, as on many that boot
// without systemd, and leaves no mount behind.

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// OpenTracefs returns the root directory of tracefs, in a mount that has no place in the tree of files. Only this
// process reaches it, by that path, until it closes it or ends. It needs root.
func OpenTracefs() (dir string, closed func() error, err error) {
	context, err := unix.Fsopen("tracefs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return "", nil, os.NewSyscallError("fsopen tracefs", err)
	}
	defer unix.Close(context)
	if err := unix.FsconfigCreate(context); err != nil {
		return "", nil, os.NewSyscallError("fsconfig tracefs", err)
	}
	root, err := unix.Fsmount(context, unix.FSMOUNT_CLOEXEC, 0)
	if err != nil {
		return "", nil, os.NewSyscallError("fsmount tracefs", err)
	}
	return fmt.Sprintf("/proc/self/fd/%d", root), func() error { return unix.Close(root) }, nil
}

// mounting mounts tracefs where programs look for it, unless it is there, and becomes the program.
const mounting = `[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing; exec "$@"`

// WithTracefs is the command line that runs a program with tracefs mounted for it and its children alone: bpftrace
// finds no tracepoints without, and perf would mount it for everybody. The process becomes the program, so signals
// reach it.
func WithTracefs(words ...string) []string {
	return append([]string{"unshare", "--mount", "sh", "-ec", mounting, "sh"}, words...)
}
