package trace

// Trigger is why a recorder that keeps only the last while has written a trace, and what met the condition. For a
// condition of a device that is the slowest request of the interval in which it began to hold.
type Trigger struct {
	Condition string `json:"condition,omitempty"` // as it was given; "" if a user asked for the trace
	Time      int64  `json:"time"`                // ns: when it held
	Repeats   uint64 `json:"repeats,omitempty"`   // how often a condition held again until the end of the trace

	Kind    string `json:"kind,omitempty"`    // of the event, by Kind.String; "" if there is none
	Start   int64  `json:"start,omitempty"`   // ns: when it began, 0 if before the trace
	Latency int64  `json:"latency,omitempty"` // ns: how long it took
	Op      string `json:"op,omitempty"`      // what it did
	Bytes   int64  `json:"bytes,omitempty"`   // that it moved; of lost events their number
	PID     uint32 `json:"pid,omitempty"`     // the process that it was done for, 0 if not known
	Command string `json:"command,omitempty"` // what that is called
	File    string `json:"file,omitempty"`    // its path
	Device  string `json:"device,omitempty"`  // name, as in /dev
}

// Subject says in a few words what the trace is about.
func (t *Trigger) Subject() string {
	if t.Condition == "" {
		return "what was asked for"
	}
	return t.Condition
}
