package tracer

import "github.com/iotrace/iotrace/trace"

// bounded passes on the requests that completed from one moment to another, and everything else. The counters of drives
// are read at these moments, so they and the requests count the same. A file system may write at any time, and the
// probes come and go a while before and after the counters are read.
type bounded struct {
	trace.Sink
	from, until int64
}

func (b *bounded) Request(e *trace.Request) error {
	if e.Completed < b.from || e.Completed > b.until {
		return nil
	}
	return b.Sink.Request(e)
}

// countDrives reads the counters of the drives at the end. Meanwhile no event is taken, so none passes that completed
// after that. Where the workload goes on its requests are kept: they belong to calls that are recorded.
func (r *recording) countDrives() {
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	drives, at := r.drives.Close(r.source.Now)
	r.end.Drives = r.Scope.Only.drives(drives)
	if r.end.Reason == reasonExit && !r.others() {
		r.bounded.until = at
	}
}
