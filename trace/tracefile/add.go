package tracefile

import (
	"fmt"

	"github.com/iotrace/iotrace/trace"
)

// Add adds an event of a batch.
func (w *filling) Add(b *trace.Batch, e trace.Event) error {
	switch i := e.Index; e.Kind {
	case trace.KindSyscall:
		return w.Syscall(&b.Syscalls[i])
	case trace.KindAsyncOp:
		return w.AsyncOp(&b.AsyncOps[i])
	case trace.KindFault:
		return w.Fault(&b.Faults[i])
	case trace.KindRequest:
		return w.Request(&b.Requests[i])
	case trace.KindWait:
		return w.Wait(&b.Waits[i])
	case trace.KindProcess:
		return w.Process(&b.Processes[i])
	case trace.KindFile:
		return w.File(&b.Files[i])
	case trace.KindDevice:
		return w.Device(&b.Devices[i])
	case trace.KindLost:
		return w.Lost(&b.Lost[i])
	case trace.KindRPC:
		return w.RPC(&b.RPCs[i])
	}
	return fmt.Errorf("an event of kind %d", e.Kind)
}
