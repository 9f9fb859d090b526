package tracer

import (
	"math/bits"
	"os"
	"os/signal"
	"syscall"
)

// A workload must find the signals ignored that were ignored when this program
// was started (by nohup, by a shell's "&", by a service manager for SIGPIPE).
// The Go runtime catches most of them before main, and exec turns what is
// caught into the default; so what was ignored at the start has to be found out
// and ignored again just before exec.

// ignoredSignals is the set of signals that were ignored when this program
// started, bit n-1 for signal n.
func ignoredSignals() uint64 {
	set := ignoredAtStart()
	// The runtime leaves these two alone if they are ignored, and knows it.
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			set |= 1 << (s - 1)
		}
	}
	return set
}

// signalsIn lists the members of a set of signals.
func signalsIn(set uint64) []os.Signal {
	var list []os.Signal
	for ; set != 0; set &= set - 1 {
		list = append(list, syscall.Signal(bits.TrailingZeros64(set)+1))
	}
	return list
}
