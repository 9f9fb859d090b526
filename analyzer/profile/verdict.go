package profile

// Verdict is the answer: what held the workload back.
type Verdict struct {
	// Lines tell it in everyday words: what was done and how fast until it was safe,
	// what limited that, what the drives did, what would help. At most ten.
	Lines  []string `json:"lines"`
	Causes []Reason `json:"causes"` // the largest share first
}

// Reason is something that took part of the time until the data was safe.
type Reason struct {
	Code string `json:"code"` // of the taxonomy in docs/verdict.md; stable
	Name string `json:"name"` // in two or three words, for a list
	Text string `json:"text"`
	// Share is its part of the time until the data was safe (of the wall time if nothing
	// was written). Shares of causes do not overlap.
	Share  float64 `json:"share"`
	TimeNS int64   `json:"time_ns"`
	// "proved": the recording shows it; "fits": it fits the recording; "experiment": only an experiment would tell
	Certainty string `json:"certainty"`
	// Evidence is what it rests on.
	Evidence   []Evidence `json:"evidence"`
	Remedy     string     `json:"remedy,omitempty"`
	Experiment string     `json:"experiment,omitempty"` // a command that would tell
}
