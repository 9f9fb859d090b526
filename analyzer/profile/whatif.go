package profile

// Prospect is how long the workload would have taken with something changed, according to a simulation
// ([whatif.md](whatif.md)).
type Prospect struct {
	// of the standard set: "drive", "latency", "bandwidth", "depth", "readahead", "no_fsync", "no_think", "warm", "cpu"
	Code string `json:"code,omitempty"`
	Name string `json:"name"` // what is changed
	// the condition, as a clause: the most important of the assumptions
	If   string `json:"if,omitempty"`
	Wall Range  `json:"wall"` // until the command returned
	// until its data was written back; the same as `wall` if nothing was written
	Durable Range `json:"durable"`
	// waits that could not be followed and were left as they were
	Undecided   int      `json:"undecided,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"` // what it assumes, the most important first
}

// Range is a time and the interval in which the true one probably is.
type Range struct {
	NS   int64 `json:"ns"`      // the time
	Low  int64 `json:"low_ns"`  // the interval: from
	High int64 `json:"high_ns"` // to
}
