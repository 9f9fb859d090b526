package machine

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/iotrace/iotrace/internal/host"
	"github.com/iotrace/iotrace/trace"
)

// What a descriptor of fanotify(7) stands for, and the events whose cause waits until whoever has it answers.
const (
	fanotify = "anon_inode:[fanotify]"
	asked    = unix.FAN_OPEN_PERM | unix.FAN_ACCESS_PERM | unix.FAN_OPEN_EXEC_PERM
)

// Scanners finds the programs that are asked about each file that is opened or read, as scanners for viruses are. It
// takes a look at the descriptors of every process, some 15 ms: so it begins while the probes are loaded, before there
// is a command that it would slow down.
func Scanners() <-chan []trace.Holder {
	found := make(chan []trace.Holder, 1)
	go func() { found <- scanners() }()
	return found
}

func scanners() (found []trace.Holder) {
	pids, err := host.PIDs()
	if err != nil {
		return nil
	}
	for _, pid := range pids {
		if int(pid) != os.Getpid() && scans(pid) {
			found = append(found, trace.Holder{What: trace.HeldAccess, PID: pid, Command: Command(pid)})
		}
	}
	return found
}

// scans reports whether a process has a group of fanotify(7) that is asked for permission.
func scans(pid uint32) bool {
	for _, fd := range descriptors(pid, sysinfoMaxDescriptors) {
		name, err := os.Readlink(descriptorPath(pid, "fd", fd))
		if err != nil || name != fanotify {
			continue
		}
		text, err := os.ReadFile(descriptorPath(pid, "fdinfo", fd))
		if err == nil && isAsked(string(text)) {
			return true
		}
	}
	return false
}

// isAsked reports whether one of the marks that /proc/PID/fdinfo lists asks for permission.
func isAsked(text string) bool {
	for line := range strings.Lines(text) {
		for word := range strings.FieldsSeq(line) {
			mask, ok := strings.CutPrefix(word, "mask:")
			if events, err := strconv.ParseUint(mask, 16, 64); ok && err == nil && events&asked != 0 {
				return true
			}
		}
	}
	return false
}
