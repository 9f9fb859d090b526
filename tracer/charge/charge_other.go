//go:build !linux

// Package charge tells what the kernel has charged a command with, on Linux: elsewhere the system counts how often
// drives were asked, not for how much.
package charge

import (
	"syscall"

	"github.com/iotrace/iotrace/trace"
)

// Of is nil: it is not known.
func Of(*syscall.Rusage) *trace.Charge { return nil }

// SoFar is nil: it is not known.
func SoFar([]uint32) *trace.Charge { return nil }
