package tracer

import "github.com/iotrace/iotrace/trace"

// blockUnit is what the kernel counts in, whatever the file system (task_io_get_inblock).
const blockUnit = 512

// Charged is what drives had to do for the command and for those of its children that were waited for. It waits for
// the command to end.
func (w *Workload) Charged() *trace.Charge {
	<-w.exited
	return &trace.Charge{ReadBytes: w.usage.Inblock * blockUnit, WrittenBytes: w.usage.Oublock * blockUnit}
}
