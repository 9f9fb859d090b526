package profile

// Operations are what was done in recordings with `-p`, `--name` and `--all`. Each lasts from when a thread was asked
// to its answer on the same socket, through whoever it waited for. It is asked when a packet, a timer or a program that
// was not recorded wakes it. Where there is no answer, an operation is what a thread does from when it is woken until
// it waits to be asked again. Time in which threads wait to be asked belongs to no operation. Operations may overlap,
// so their sum may exceed the time of the recording.
type Operations struct {
	// operations, without asides: what threads do that never answer, in programs whose other threads do; no thread
	// waits for these
	Count   int64 `json:"count"`
	TotalNS int64 `json:"total_ns"` // their times, added up
	// answers that were not followed, as more than 1,024 operations were under way at once
	Omitted int64 `json:"omitted"`
	// most time first, asides last; at most 20, of a thousandth of the time and more
	Kinds []OperationKind `json:"kinds"`
	// what `total_ns` was spent on, most time first; at most 40, of a thousandth of the time and more
	Parts   []PathPart  `json:"parts"`
	Longest []Operation `json:"longest"` // the longest first, without asides; at most 8
}

// OperationKind is all operations of one program that spent most of their time in the same way. Its parts add up to the
// times of its operations, except for small ones that are left out.
type OperationKind struct {
	Kind  OperationName `json:"kind"`  // what they are
	Count int64         `json:"count"` // operations
	NS    int64         `json:"ns"`    // their times, added up
	// of `total_ns` of all; for an aside, `ns` in relation to it
	Share    float64    `json:"share"`
	MedianNS int64      `json:"median_ns"` // time of one
	P99NS    int64      `json:"p99_ns"`    // time of one
	MaxNS    int64      `json:"max_ns"`    // time of the longest
	InNS     int64      `json:"in_ns"`     // in what they are named by, added up
	Parts    []PathPart `json:"parts"`     // what `ns` was spent on, most time first; at most 8
}

// OperationName says what operations are, by what took most of their time.
type OperationName struct {
	Process string `json:"process"`         // command name of the program
	Answers bool   `json:"answers"`         // each ended with an answer
	Aside   bool   `json:"aside,omitempty"` // its threads never answer, and others of the program do
	// operation of the call that took most time; `send` and `receive` on sockets
	Call  string `json:"call,omitempty"`
	Fault bool   `json:"fault,omitempty"` // page faults took most time
	// that most of the time in the call was spent on, if there is one
	File string `json:"file,omitempty"`
	// what took most time, where it was in no call: as in [PathPlace](#pathplace)
	What string `json:"what,omitempty"`
}

// Operation is one of them, or several that ran at the same time: what delayed one delayed all.
type Operation struct {
	Kind   OperationName `json:"kind"`    // what it is
	FromNS int64         `json:"from_ns"` // when it began
	ToNS   int64         `json:"to_ns"`   // when it ended
	// operations of the kind that went on during most of it, itself included
	Together int64         `json:"together"`
	Parts    []PathPart    `json:"parts"` // what it consisted of, most time first; at most 8
	Chain    []PathSegment `json:"chain"` // its longest segments, in the order of time; at most 16
}
