package tracer

import (
	"github.com/iotrace/iotrace/internal/procfs"
	"github.com/iotrace/iotrace/trace"
)

// blockUnit is what the kernel counts in, whatever the file system (task_io_get_inblock).
const blockUnit = 512

// Charged is what drives and processors had to do for the command and for those of its children that were waited for.
// It waits for the command to end. A few milliseconds of it were spent on holding the command.
func (w *Workload) Charged() *trace.Charge {
	<-w.exited
	return &trace.Charge{ReadBytes: w.usage.Inblock * blockUnit, WrittenBytes: w.usage.Oublock * blockUnit,
		User: w.usage.Utime.Nano(), System: w.usage.Stime.Nano()}
}

// chargedSoFar is the same of a command that still runs: of its processes that do, and of those that these have waited
// for. It is nil where it is not known of all: one may have ended meanwhile.
func chargedSoFar(running []uint32) *trace.Charge {
	var c trace.Charge
	for _, pid := range running {
		u, err := procfs.UsageOf(pid)
		if err != nil {
			return nil
		}
		c.ReadBytes, c.WrittenBytes = c.ReadBytes+u.Read, c.WrittenBytes+u.Written
		c.User, c.System = c.User+int64(u.User), c.System+int64(u.System)
	}
	return &c
}
