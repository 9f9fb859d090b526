package profile

// Operations are what servers and other programs did that were recorded without a command, from when something was
// asked until it was answered. Where nobody is answered, it is from when a thread was woken until it waited to be
// asked again. Time in which a program waits to be asked is in none of them. They may overlap.
type Operations struct {
	// Count and TotalNS leave out what threads do that never answer, in programs that do: nobody waits for that.
	Count   int64           `json:"count"`
	TotalNS int64           `json:"total_ns"`
	Omitted int64           `json:"omitted"` // too many at once to be followed, at least
	Kinds   []OperationKind `json:"kinds"`   // answers first, then most time first; at most 20, of a thousandth and more
	Parts   []PathPart      `json:"parts"`   // of TotalNS, most time first; at most 40, of a thousandth and more
	Longest []Operation     `json:"longest"` // the longest first; at most 8
}

// OperationKind is all operations of one program that spent most of their time in the same way.
type OperationKind struct {
	Kind     OperationName `json:"kind"`
	Count    int64         `json:"count"`
	NS       int64         `json:"ns"`
	Share    float64       `json:"share"` // of TotalNS; of an aside, as much as TotalNS takes
	MedianNS int64         `json:"median_ns"`
	P99NS    int64         `json:"p99_ns"`
	MaxNS    int64         `json:"max_ns"`
	InNS     int64         `json:"in_ns"` // in what the kind is named by
	Parts    []PathPart    `json:"parts"` // most time first; at most 8
}

// OperationName says what operations are, by what took most of their time.
type OperationName struct {
	Process string `json:"process"` // command name of who did it
	Answers bool   `json:"answers"` // it answered somebody outside
	// Aside says that its threads answer nobody, in a program of which others do.
	Aside bool   `json:"aside,omitempty"`
	Call  string `json:"call,omitempty"` // operation; send and receive on sockets
	Fault bool   `json:"fault,omitempty"`
	File  string `json:"file,omitempty"` // none if of several
	// What is what a thread did outside of calls, as in a place of the critical path.
	What string `json:"what,omitempty"`
}

// Operation is one of them.
type Operation struct {
	Kind   OperationName `json:"kind"`
	FromNS int64         `json:"from_ns"`
	ToNS   int64         `json:"to_ns"`
	// Together is how many of the kind went on during most of it, itself included: one stall holds up several.
	Together int64         `json:"together"`
	Parts    []PathPart    `json:"parts"` // most time first; at most 8
	Chain    []PathSegment `json:"chain"` // its longest segments, in the order of time; at most 16
}
