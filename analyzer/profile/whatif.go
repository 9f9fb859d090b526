package profile

// Prospect is how long the workload would have taken with something changed, as a
// simulation has it (docs/whatif.md).
type Prospect struct {
	Code        string   `json:"code,omitempty"` // of the standard set
	Name        string   `json:"name"`           // what is changed
	If          string   `json:"if,omitempty"`   // what has to be so, as a clause: the weightiest of the assumptions
	Wall        Range    `json:"wall"`
	Durable     Range    `json:"durable"`               // until its data was written back
	Undecided   int      `json:"undecided,omitempty"`   // waits that were left as they were
	Assumptions []string `json:"assumptions,omitempty"` // what it takes for granted, the weightiest first
}

// Range is a time and the interval in which the true one is likely to lie.
type Range struct {
	NS   int64 `json:"ns"`
	Low  int64 `json:"low_ns"`
	High int64 `json:"high_ns"`
}
