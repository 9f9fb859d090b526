package survey

import "github.com/iotrace/iotrace/trace"

// coverage is what a recording covers: what its recorder sees, what was recorded and what was lost.
type coverage struct {
	Header trace.Header
	Counts [trace.NumKinds]uint64
	Lost   Losses
}

// Partial reports whether what threads did elsewhere was left out: then they may have waited or worked at any time.
func (c *coverage) Partial() bool { return c.Header.Limited(trace.LimitPartial) }

// SeesWaits reports whether the recording tells blocked threads from running ones.
func (c *coverage) SeesWaits() bool {
	return !c.Partial() && (c.Counts[trace.KindWait] > 0 || !c.Header.Limited(trace.LimitNoWaits))
}

// SeesRequests reports whether block requests were recorded, or would have been.
func (c *coverage) SeesRequests() bool {
	return c.Counts[trace.KindRequest] > 0 ||
		!c.Header.Limited(trace.LimitNoRequests) && c.Lost.Kinds[trace.KindRequest.String()] == 0
}

// SeesCalls reports whether system calls were recorded, or would have been.
func (c *coverage) SeesCalls() bool {
	return c.Counts[trace.KindSyscall] > 0 || !c.Header.Limited(trace.LimitNoCalls)
}

// SeesRequestFiles reports whether block requests were recorded, and the files they are of.
func (c *coverage) SeesRequestFiles() bool {
	return c.SeesRequests() && !c.Header.Limited(trace.LimitNoRequestFiles)
}

// SeesCache reports whether the recording tells what was read from memory.
func (c *coverage) SeesCache() bool {
	return c.SeesRequestFiles() || !c.Header.Limited(trace.LimitNoFill)
}
