package profile

// Incident is what a flight recorder was there for: the operation that waited for what met the condition, and what was
// different then.
type Incident struct {
	// the call or page fault that waited for what met the condition, from its beginning to its end. None if no recorded
	// thread waited for it, or if the recording does not tell that
	Operation *Operation `json:"operation,omitempty"`
	Waiters   int64      `json:"waiters"` // further threads that waited for it, or for one that did
	// what is compared with all that was before it: from when the event began, or a second before it ended, until it
	// ended
	FromNS      int64        `json:"from_ns"`
	ToNS        int64        `json:"to_ns"`       // where it ends
	Before      Load         `json:"before"`      // from the start of the trace until then
	During      Load         `json:"during"`      // in that time
	Differences []Difference `json:"differences"` // those that explain most first; at most 5 of a dimension
}

// Load is what devices had to do in a time. Of devices that are built on one another only the uppermost counts.
type Load struct {
	Depth     float64 `json:"depth"`       // mean number of requests in flight
	Requests  float64 `json:"requests"`    // a second
	BytesPerS int64   `json:"bytes_per_s"` // that these moved
	LatencyNS int64   `json:"latency_ns"`  // mean, from issue to completion; 0 if there were none
}

// Difference is a part of the requests that had more of them in flight than before.
type Difference struct {
	// `device`, `process` (command name), `file` (path) or `size` (operation and largest size of its class)
	Dimension string `json:"dimension"`
	Value     string `json:"value"`  // which
	Before    Load   `json:"before"` // before
	During    Load   `json:"during"` // in the time that is compared
	// of the increase in `depth` of all; above 1 where others had less to do than before
	Share float64 `json:"share"`
}
