package tracer

import "github.com/iotrace/iotrace/trace"

// blockUnit is what the kernel counts in, whatever the file system (task_io_get_inblock).
const blockUnit = 512

// Charged is what drives and processors had to do for the command and for those of its children that were waited for.
// It waits for the command to end. A few milliseconds of it were spent on holding the command.
func (w *Workload) Charged() *trace.Charge {
	<-w.exited
	return &trace.Charge{ReadBytes: w.usage.Inblock * blockUnit, WrittenBytes: w.usage.Oublock * blockUnit,
		User: w.usage.Utime.Nano(), System: w.usage.Stime.Nano()}
}
