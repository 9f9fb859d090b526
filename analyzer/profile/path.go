package profile

// Path is the critical path: the chain of waits from the return of the command back to its start, through whoever it
// waited for. Each instant is in one segment, so the segments add up to `total_ns`.
type Path struct {
	TotalNS   int64 `json:"total_ns"`   // until the data was written back, or recording ended
	UnknownNS int64 `json:"unknown_ns"` // waits that ended for a reason, or by a thread, that was not recorded
	// how often it went from one thread of a process to another one
	Turns int64 `json:"turns"`
	// for how long one thread of the workload ran on it, that which ran longest
	LeadNS int64 `json:"lead_ns"`
	// segments by what they have in common, most time first; at most 40, of a thousandth of the time and more
	Parts     []PathPart    `json:"parts"`
	OmittedNS int64         `json:"omitted_ns"` // in further parts
	Longest   []PathSegment `json:"longest"`    // segments, the longest first; at most 32
}

// PathPart is all segments that have the same in common.
type PathPart struct {
	Place PathPlace `json:"place"` // who, doing what
	// the title (as of a process) of whoever had more than half of the time; missing if nobody had, or it has none
	Title     string  `json:"title,omitempty"`
	NS        int64   `json:"ns"`                // time
	Share     float64 `json:"share"`             // of `total_ns`
	Count     int64   `json:"count"`             // segments
	Waits     int64   `json:"waits,omitempty"`   // waits of the workload for somebody else that end in one of them
	LongestNS int64   `json:"longest_ns"`        // the longest of them
	Threads   int64   `json:"threads,omitempty"` // how many were there in turn, if several
	// of the time `ready`: what it takes until it is one's turn, as more threads of the workload want to run than there
	// are CPUs, though nobody else has these
	CrowdedNS int64 `json:"crowded_ns,omitempty"`
	// the same, added up over the threads of the workload that ran or were ready
	RunnableNS int64 `json:"runnable_ns,omitempty"`
	// while some of these threads ran, and more wanted to than there are CPUs: CPU time that they did not have, added up
	// over CPUs
	LackedNS int64 `json:"lacked_ns,omitempty"`
}

// PathSegment is a stretch of the path.
type PathSegment struct {
	Place  PathPlace `json:"place"`   // who, doing what
	FromNS int64     `json:"from_ns"` // where it begins
	ToNS   int64     `json:"to_ns"`   // where it ends
}

// PathPlace says who was on the path, doing what.
type PathPlace struct {
	// one of: `runs`, `ready` (could run, without a CPU), `service` (a device serves a request), `queued` (the block
	// layer holds it), `throttled` (too much is dirty), `sleeps`, `timeout` (what it waited for did not happen in
	// time), `outside` (an interrupt of no request), `unseen` (a thread that was not recorded then), `unknown`,
	// `drains` (after the return), `stopped` (by a signal), `traced` (stopped for a debugger), `frozen` (with its
	// control group), `thaw` (its file system was frozen), `server` (a server answers), `unsent` (the client has not
	// sent a request to the server yet), `reply` (the client takes the reply)
	What    string `json:"what"`
	Label   string `json:"label"`             // of the [TimeStack](#timestack)
	Process string `json:"process,omitempty"` // command name
	// not recorded itself: a thread of the kernel, or another program
	Helper bool `json:"helper,omitempty"`
	// command name of another program that waits for it, while the workload waits for that program
	Beyond string `json:"beyond,omitempty"`
	// operation in which another thread of the workload waits for this one, at the file of both their calls
	Behind string `json:"behind,omitempty"`
	// file for whose lock (flock, fcntl) another thread of the workload waits, while this one holds it
	Lock  string `json:"lock,omitempty"`
	Call  string `json:"call,omitempty"`  // operation that the workload is in
	Fault bool   `json:"fault,omitempty"` // the workload is in a page fault
	// the process was forked, and has not executed a program yet: it is a copy of its maker
	Copy    bool   `json:"copy,omitempty"`
	File    string `json:"file,omitempty"`    // of the request, or of the call; empty if of several
	ByPID   uint32 `json:"by_pid,omitempty"`  // process that ended a halt
	Device  string `json:"device,omitempty"`  // that serves or queues the request
	Request string `json:"request,omitempty"` // operation of the request
	Meta    bool   `json:"meta,omitempty"`    // it is of the file system's journal, or of metadata
	// program that was not recorded, whose request it is; or that ended a halt
	By string `json:"by,omitempty"`

	RPC      string `json:"rpc,omitempty"`       // procedure that a server was asked for, as in `WRITE`
	Server   string `json:"server,omitempty"`    // that was asked
	RPCBytes int64  `json:"rpc_bytes,omitempty"` // of data that it was asked to read or write, the most of them
}
