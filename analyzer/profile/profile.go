// Package profile defines the result of an analysis: types and the names of
// their fields in JSON, nothing else.
//
// The JSON form of a Profile is a stable interface, described field by field
// in docs/json.md. Times are integers in nanoseconds since the start of the
// recording, sizes integers in bytes, rates integers in bytes per second,
// shares numbers from 0 to 1.
package profile

import "time"

// Unknown stands for a time or a size that could not be determined.
const Unknown int64 = -1

// Profile is what a trace says about a workload.
type Profile struct {
	Trace      Trace    `json:"trace"`
	Command    []string `json:"command"`     // the recorded command; empty when attached to processes
	ExitStatus int      `json:"exit_status"` // of the command, 128+n for a signal; -1 if not known
	StartNS    int64    `json:"start_ns"`    // when the workload began
	WallNS     int64    `json:"wall_ns"`     // until the command returned (or recording ended)
	DurableNS  int64    `json:"durable_ns"`  // until its data was written back; Unknown if that was not reached

	Verdict   Verdict   `json:"verdict"`   // what held it back
	Layers    []Layer   `json:"layers"`    // bytes once per layer: calls, faults, then the devices from top to bottom
	Files     []File    `json:"files"`     // most bytes first
	Devices   []Device  `json:"devices"`   // most bytes first
	Processes []Process `json:"processes"` // in the order they were seen
	Calls     []Call    `json:"calls"`     // per operation and system call, most time first
	Omitted   Omitted   `json:"omitted"`   // what the lists above leave out
	Amounts   Amounts   `json:"amounts"`   // what devices did for what calls moved

	Copies       []Copy       `json:"copies"` // in the order in which they began
	CopyGroups   []CopyGroup  `json:"copy_groups"`
	Pattern      WholePattern `json:"pattern"`
	Phases       []Phase      `json:"phases"`
	ChangePoints []Step       `json:"change_points"`
	SizeTime     *SizeTime    `json:"size_time,omitempty"` // regression of time on size over many files
	Launches     []Launch     `json:"launches"`
	Scrubs       []Scrub      `json:"scrubs"`
	TimeStack    TimeStack    `json:"time_stack"`
	Path         *Path        `json:"path,omitempty"`       // if the recording tells who woke whom
	Operations   *Operations  `json:"operations,omitempty"` // likewise, where it is of no command
	Bounds       []Bound      `json:"bounds"`
	WhatIf       []Prospect   `json:"what_if,omitempty"` // with something changed
	Observations []Sentence   `json:"observations"`

	Warnings []Warning `json:"warnings"`
	Lost     Lost      `json:"lost"`
	Recorder Recorder  `json:"recorder"`

	Charts *Charts `json:"charts,omitempty"` // only with Options.Charts
}

// Trace says where the numbers come from.
type Trace struct {
	File        string            `json:"file"`
	Backend     string            `json:"backend"`
	Tool        string            `json:"tool"`
	OS          string            `json:"os"`
	Kernel      string            `json:"kernel"`
	Arch        string            `json:"arch"`
	Host        string            `json:"host"`
	Scope       string            `json:"scope"`
	WallStart   time.Time         `json:"wall_start"`
	CPUs        int               `json:"cpus"`
	MemoryBytes int64             `json:"memory_bytes"`
	Dir         string            `json:"dir"`
	DurationNS  int64             `json:"duration_ns"` // recording, drain included
	Events      map[string]uint64 `json:"events"`      // read, per kind
	Reason      string            `json:"reason"`      // why recording ended; "interrupted" if the trace has no end
	Damaged     int               `json:"damaged"`     // parts of the file that could not be read
	Limits      []Limit           `json:"limits"`
	Processors  *Processors       `json:"processors,omitempty"` // if the recording tells
	Holders     []Holder          `json:"holders,omitempty"`
	Drives      []Drive           `json:"drives,omitempty"` // most bytes first
	Users       []User            `json:"users,omitempty"`  // of the same drives, most bytes first
	Charged     *Charge           `json:"charged,omitempty"`
	IOLimits    []IOLimit         `json:"io_limits,omitempty"` // in the order of time
	// MemoryLimits are control groups of the workload that came up against their limits of memory, most often first.
	MemoryLimits []MemoryLimit `json:"memory_limits,omitempty"`
	CacheDrops   int64         `json:"cache_drops,omitempty"` // times that somebody had the page cache dropped
	Mounts       []Mount       `json:"mounts,omitempty"`      // in the order in which they were used
	SyncedDirs   []string      `json:"synced_dirs,omitempty"` // whose names are written at once: chattr +D, chattr +S
}

// Charge is what drives and processors had to do for the command and its children, by the kernel's own account.
type Charge struct {
	ReadBytes    int64 `json:"read_bytes"`
	WrittenBytes int64 `json:"written_bytes"` // or to be written
	UserNS       int64 `json:"user_ns"`       // processor time of the programs
	SystemNS     int64 `json:"system_ns"`     // and of the kernel for them
}

// Drive is what the kernel counted at a drive during the recording, no matter for whom it was done.
type Drive struct {
	Name         string `json:"name"`
	Reads        int64  `json:"reads"` // requests
	ReadBytes    int64  `json:"read_bytes"`
	Writes       int64  `json:"writes"`
	WrittenBytes int64  `json:"written_bytes"`
	BusyNS       int64  `json:"busy_ns"` // with any request in flight
}

// User is a process that was not recorded and asked a drive of the workload for something meanwhile.
type User struct {
	PID     uint32 `json:"pid"`
	Command string `json:"command"`
	Bytes   int64  `json:"bytes"` // in requests
}

// Holder is a process that was not recorded and had what a recorded one waited for; for a socket, any process
// or machine that had its other end.
type Holder struct {
	What    string `json:"what"`             // "lock" on a file, the other end of a "pipe" or a "socket"
	Inode   uint64 `json:"inode"`            // of the file that the recorded process waited for
	Device  string `json:"device,omitempty"` // of that file, in a trace of several hosts
	PID     uint32 `json:"pid"`              // 0 on another machine
	Command string `json:"command"`
	Address string `json:"address,omitempty"` // of the other machine, with the port
}

// Processors is what all processors of the machine did during the recording; times are added up over them.
type Processors struct {
	BusyNS   int64  `json:"busy_ns"`   // with whatever program, and with interrupts
	IdleNS   int64  `json:"idle_ns"`   // with nothing to run
	StolenNS int64  `json:"stolen_ns"` // with something to run, while the host of the virtual machine gave them to others
	Held     []Held `json:"held"`      // longest first
}

// Held is a control group of the workload that had used up its quota of processor time.
type Held struct {
	Group  string `json:"group"`
	TimeNS int64  `json:"time_ns"` // for which it was held back, added up over processors
}

// MemoryLimit is a control group of the workload that came up against its limit of memory.
type MemoryLimit struct {
	Group   string `json:"group"`
	Bytes   int64  `json:"bytes"`
	Reached int64  `json:"reached"` // times
}

// IOLimit is what a control group of the workload let it do at a device from a time on, a second; 0 for as much as it
// likes. With all of them 0 the limit was lifted.
type IOLimit struct {
	Group      string `json:"group"`
	Device     string `json:"device"`
	FromNS     int64  `json:"from_ns"` // when it was seen first, 0.1 s late at most if there was one before
	ReadBytes  int64  `json:"read_bytes_per_s"`
	WriteBytes int64  `json:"write_bytes_per_s"`
	Reads      int64  `json:"reads_per_s"` // requests
	Writes     int64  `json:"writes_per_s"`
}

// Limit is something the recording could not see.
type Limit struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Omitted counts what was left out to keep the profile bounded. The totals in
// Layers, Calls and Devices include it.
type Omitted struct {
	Files      int64 `json:"files"`
	FilesBytes int64 `json:"files_bytes"`
	Processes  int64 `json:"processes"`
	Copies     int64 `json:"copies"`
	CopyBytes  int64 `json:"copy_bytes"`
}

// Recorder is what recording cost.
type Recorder struct {
	ProbeCPUNS   int64   `json:"probe_cpu_ns"`  // CPU time of the probes in all threads; Unknown if not measured
	ProbeSampled bool    `json:"probe_sampled"` // scaled up from samples
	ProbeRuns    uint64  `json:"probe_runs"`
	ReaderCPUNS  int64   `json:"reader_cpu_ns"`
	MaxRSSBytes  int64   `json:"max_rss_bytes"`
	BufferBytes  int64   `json:"buffer_bytes"`
	BufferPeak   int64   `json:"buffer_peak_bytes"`
	ProbeShare   float64 `json:"probe_share"` // of the CPU time of all CPUs during the recording
	DeviceBytes  int64   `json:"device_bytes"`
}

// Lost says what the recording could not keep.
type Lost struct {
	Total  uint64            `json:"total"`
	Kinds  map[string]uint64 `json:"kinds"`
	Slices []LostSlice       `json:"slices"` // at most Options.MaxSlices; neighbours are joined
}

// LostSlice is a stretch of time in which events of a kind were lost.
type LostSlice struct {
	FromNS int64  `json:"from_ns"`
	ToNS   int64  `json:"to_ns"`
	Kind   string `json:"kind"`
	Count  uint64 `json:"count"`
}

// Warning says which numbers not to trust, why, and what to do.
type Warning struct {
	Code    string   `json:"code"`    // stable: "lost", "interrupted", "damaged", "limit:no_requests", …
	Text    string   `json:"text"`    // what was seen, why it matters, what to do
	Affects []string `json:"affects"` // JSON pointers of the parts of the profile it touches
	Count   uint64   `json:"count,omitempty"`
}
