package top

import "time"

// Interval is what happened in one interval. Rates are per second of it; bytes and counts are those of the interval
// itself, so those of all intervals add up to those of the run.
type Interval struct {
	Number     int64     `json:"interval"` // from 1 on
	Time       time.Time `json:"time"`     // when it ended, by the wall clock
	StartNS    int64     `json:"start_ns"` // since the start of the run
	DurationNS int64     `json:"duration_ns"`
	Devices    []Device  `json:"devices"`   // those that were used so far
	Processes  []Process `json:"processes"` // those that did something, most bytes at devices first
	Files      []File    `json:"files"`     // likewise
	Omitted    Omitted   `json:"omitted"`
	Own        Own       `json:"own"`
	Pairs      []Pair    `json:"-"` // which process used which file
	Requests   []Request `json:"-"` // those that took longest, the longest first
}

// Device is what a device did.
type Device struct {
	Name     string   `json:"name"`
	ID       string   `json:"id"` // major:minor
	Model    string   `json:"model,omitempty"`
	Read     Flow     `json:"read"`
	Write    Flow     `json:"write"`
	Latency  *Latency `json:"latency_ns"` // of reads and writes together
	Flushes  int64    `json:"flushes"`
	Discards int64    `json:"discards"`
	Errors   int64    `json:"errors"`
	Depth    float64  `json:"depth"`     // mean number of reads and writes in flight
	InFlight int      `json:"in_flight"` // at the end of the interval, -1 if not known
	Busy     float64  `json:"busy"`      // share of the interval with reads or writes in flight
	// Amplification is bytes at the device for a byte of calls in file systems on it, since the start. It is not
	// known of devices on which no file system was seen, and of those that have one together with others.
	Amplification *float64 `json:"amplification"`
}

// Flow is requests in one direction.
type Flow struct {
	Requests int64    `json:"requests"`
	Bytes    int64    `json:"bytes"`
	Latency  *Latency `json:"latency_ns"` // nil if there were none
}

// Latency is from issue to completion. Percentiles are at most 1.6 % off, the largest is exact.
type Latency struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// Amount is bytes in both directions.
type Amount struct {
	Read  int64 `json:"read"`
	Write int64 `json:"write"`
}

// Total is both together.
func (a Amount) Total() int64 { return a.Read + a.Write }

// Process is what a process did.
type Process struct {
	PID       uint32  `json:"pid"` // 0 of what the kernel does of its own accord, and of all beyond those told apart
	Command   string  `json:"command"`
	UID       uint32  `json:"uid"`
	Cgroup    string  `json:"cgroup,omitempty"` // path of its control group, as when it began its program
	Kernel    bool    `json:"kernel"`
	Calls     Amount  `json:"calls"`    // bytes of calls on files that hold data
	Device    Amount  `json:"device"`   // bytes of requests that were done for it
	Requests  int64   `json:"requests"` // of any kind
	DataCalls int64   `json:"data_calls"`
	Block     int64   `json:"block"` // mean bytes of such a call, 0 if there was none
	Syncs     int64   `json:"syncs"`
	Wait      float64 `json:"wait"` // share of the interval in which one of its threads or more waited for I/O
	Key       uint32  `json:"-"`    // tells those without a number apart
}

// File is what was done to a file.
type File struct {
	Path      string `json:"path"`
	Calls     Amount `json:"calls"`
	Device    Amount `json:"device"`
	DataCalls int64  `json:"data_calls"`
	Block     int64  `json:"block"`
	Syncs     int64  `json:"syncs"`
	PID       uint32 `json:"pid"` // that used it last, 0 if none did
	Deleted   bool   `json:"deleted,omitempty"`
}

// Pair is what a process did with a file.
type Pair struct {
	Process   uint32 // Process.Key
	Path      string
	Calls     Amount
	Device    Amount
	DataCalls int64
	Requests  int64
	Block     int64
}

// Request is one request that a process or the kernel asked for.
type Request struct {
	Device, Op          string
	Sector              uint64
	Bytes               int64
	StartNS             int64 // when it was issued, since the start of the run
	LatencyNS, QueuedNS int64 // from issue to completion; in the block layer before that, 0 if not known
	Process             uint32
	Paths               []string // of the files that it holds data of
}

// Omitted is how many were more than are told apart.
type Omitted struct {
	Processes int `json:"processes"`
	Files     int `json:"files"`
}

// Own is what looking costs and what it missed.
type Own struct {
	CPU    float64 `json:"cpu"`        // processors that iotrace itself took; 1 is one of them
	Probes float64 `json:"probes_cpu"` // processors that its probes took of others, sampled
	Events int64   `json:"events"`
	Lost   uint64  `json:"lost"`
	Device Amount  `json:"device"` // bytes of its own requests, part of those of the devices
}
