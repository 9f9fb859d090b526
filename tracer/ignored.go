package tracer

import (
	"math/bits"
	"os"
	"os/signal"
	"syscall"
)

// ignoredSignals is a set of signals, bit n-1 for signal n.
type ignoredSignals uint64

// Symbols are all that AtStart needs of the program's table of symbols, on Linux.
var Symbols = []string{"runtime.fwdSig", "runtime.GC"}

// AtStart is the set of signals that were ignored when this program started.
func AtStart() ignoredSignals {
	set := beyondTheRuntime()
	// The runtime leaves these two alone if they are ignored, and knows it.
	for _, s := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			set |= 1 << (s - 1)
		}
	}
	return set
}

// Has reports whether a signal is in the set.
func (set ignoredSignals) Has(sig syscall.Signal) bool { return set&(1<<(sig-1)) != 0 }

// List lists the members of the set.
func (set ignoredSignals) List() []os.Signal {
	var list []os.Signal
	for ; set != 0; set &= set - 1 {
		list = append(list, syscall.Signal(bits.TrailingZeros64(uint64(set))+1))
	}
	return list
}
