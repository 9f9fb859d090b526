package machine

import "github.com/iotrace/iotrace/trace"

// Processors counts from OpenProcessors to Close how long the processors of the machine were busy, idle, or given to
// others by the host of a virtual machine. If a program was ready and did not run, one of these may be why.
type Processors struct{ before trace.Processors }

// OpenProcessors begins to count.
func OpenProcessors() Processors {
	before, _ := processorsNow()
	return Processors{before}
}

// Close ends the count and returns it, nil where the system does not tell.
func (a Processors) Close() *trace.Processors {
	p, ok := processorsNow()
	if !ok {
		return nil
	}
	was := a.before
	p.Busy, p.Idle, p.Stolen = advance(p.Busy, was.Busy), advance(p.Idle, was.Idle), advance(p.Stolen, was.Stolen)
	return &p
}

// advance is a difference of counts; the kernel's may go back a little (proc(5), of iowait).
func advance(after, before int64) int64 { return max(after-before, 0) }
