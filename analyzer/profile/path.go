package profile

// Path is the critical path: the chain of waits from the return of the command back to its start, through whoever it
// waited for. Each instant is in one segment, so the segments add up to TotalNS.
type Path struct {
	TotalNS   int64         `json:"total_ns"`
	UnknownNS int64         `json:"unknown_ns"` // waits that ended for a reason, or by a thread, that was not recorded
	Parts     []PathPart    `json:"parts"`      // most time first; at most 40, of a thousandth and more
	OmittedNS int64         `json:"omitted_ns"` // in further parts
	Longest   []PathSegment `json:"longest"`    // segments, the longest first; at most 32
}

// PathPart is all segments that have the same in common.
type PathPart struct {
	Place     PathPlace `json:"place"`
	NS        int64     `json:"ns"`
	Share     float64   `json:"share"` // of TotalNS
	Count     int64     `json:"count"` // segments
	LongestNS int64     `json:"longest_ns"`
}

// PathSegment is a stretch of the path.
type PathSegment struct {
	Place  PathPlace `json:"place"`
	FromNS int64     `json:"from_ns"`
	ToNS   int64     `json:"to_ns"`
}

// PathPlace says who was on the path, doing what.
type PathPlace struct {
	// What is one of runs, ready, service (a device serves a request), queued (the block layer holds it), throttled,
	// sleeps, timeout, outside (an interrupt of no request), unseen (a thread that is not recorded), unknown, drains.
	What    string `json:"what"`
	Label   string `json:"label"`             // of the time stack
	Process string `json:"process,omitempty"` // command name
	Helper  bool   `json:"helper,omitempty"`  // not recorded itself: of the kernel, or another program
	Beyond  string `json:"beyond,omitempty"`  // another program that waits for it; the workload waits for that one
	Call    string `json:"call,omitempty"`    // operation that the workload is in
	Fault   bool   `json:"fault,omitempty"`   // it is in a page fault
	File    string `json:"file,omitempty"`    // of the call, or of the request if that has one; none if of several
	Device  string `json:"device,omitempty"`
	Request string `json:"request,omitempty"` // operation of the request
	Meta    bool   `json:"meta,omitempty"`    // it is of a journal or of metadata
	By      string `json:"by,omitempty"`      // program that was not recorded, whose request it is
}
