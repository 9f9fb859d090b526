package strace

import (
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The numbers are those of the system, where it is Linux.
func TestSignals(t *testing.T) {
	for name, want := range map[string]int32{"SIGHUP": 1, "SIGKILL": 9, "SIGXFSZ": 25, "SIGIO": 29, "SIGSYS": 31,
		"SIGRTMIN": 32, "SIGRT_2": 34, "SIGRT_32": 64, "SIGOTHER": 9} {
		if got := signal(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	for i := range syscall.Signal(len(signals)) {
		if name := unix.SignalName(i + 1); signal(name) != int32(i+1) && unix.SignalNum("SIGSTKFLT") > 0 { // Linux has it alone
			t.Errorf("%s: %d, want %d", name, signal(name), i+1)
		}
	}
}
