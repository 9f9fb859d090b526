//go:build !linux

package machine

import (
	"syscall"

	"github.com/iotrace/iotrace/trace"
)

// ChargeOf is nil: other systems count how often drives were asked, not for how much.
func ChargeOf(*syscall.Rusage) *trace.Charge { return nil }

// ChargeSoFar is nil: it is not known.
func ChargeSoFar([]uint32) *trace.Charge { return nil }
