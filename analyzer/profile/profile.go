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
	Trace      Trace    `json:"trace"`       // where the numbers come from
	Command    []string `json:"command"`     // the recorded command; empty when attached to processes
	ExitStatus int      `json:"exit_status"` // of the command, 128+n for a signal; -1 if not known
	StartNS    int64    `json:"start_ns"`    // when the workload began
	WallNS     int64    `json:"wall_ns"`     // until the command returned (or recording ended)
	// until its data was written back; -1 if that was not reached
	DurableNS int64 `json:"durable_ns"`

	Verdict Verdict  `json:"verdict"` // what held it back
	Layers  []Layer  `json:"layers"`  // bytes once per layer: calls, faults, then the devices from top to bottom
	Files   []File   `json:"files"`   // most bytes first
	Devices []Device `json:"devices"` // most bytes first
	// what clients of network file systems asked of their servers, by procedure, most time first
	ServerRequests []ServerRequests `json:"server_requests,omitempty"`
	Processes      []Process        `json:"processes"` // in the order they were seen
	Calls          []Call           `json:"calls"`     // per operation and system call, most time first
	Omitted        Omitted          `json:"omitted"`   // what the lists above leave out
	// what syncs were for, per operation
	Synced []Synced `json:"synced,omitempty"`
	// files that were written anew as a whole more than once, most bytes first, at most 16
	Saves []Save `json:"saves,omitempty"`
	// files that took the place of others, if there are any
	Replaced *Replaced `json:"replaced,omitempty"`
	// what was computed between reading files and writing others, by their extensions, most time first, at most 16
	Computed []Computed `json:"computed,omitempty"`
	// in which order devices read files, most reads first
	Orders []Order `json:"orders,omitempty"`
	// on how many files the calls of an operation were, where these are several, and where they lie, most time first
	OpFiles []OpFiles `json:"op_files,omitempty"`
	// files that calls read over and over, and did not write
	Reread *Reread `json:"reread,omitempty"`
	// forms of names of which earlier files were read and others made, at most 16, least read first
	NameForms []NameForm `json:"name_forms,omitempty"`
	// what calls on names asked for
	Lookups *Lookups `json:"lookups,omitempty"`
	// names that the workload made, if it removed some of them again
	Passing *Passing `json:"passing,omitempty"`
	// what was asked of whom over sockets, by address, most time first, at most 16
	Connections []Connection `json:"connections,omitempty"`
	Amounts     Amounts      `json:"amounts"` // what devices did for what calls moved

	// every copy that was found, in the order in which they began
	Copies       []Copy       `json:"copies"`
	CopyGroups   []CopyGroup  `json:"copy_groups"`         // trees and directories that were copied
	Pattern      WholePattern `json:"pattern"`             // what the workload is like as a whole
	Phases       []Phase      `json:"phases"`              // stretches of one speed
	ChangePoints []Step       `json:"change_points"`       // where the speed changed
	SizeTime     *SizeTime    `json:"size_time,omitempty"` // regression of time on size over many files
	Launches     []Launch     `json:"launches"`            // starts of programs
	Scrubs       []Scrub      `json:"scrubs"`              // jumps through large files
	TimeStack    TimeStack    `json:"time_stack"`          // what every instant was spent on
	// the critical path; only where the recording shows who woke whom
	Path *Path `json:"path,omitempty"`
	// what servers and other programs did each time that they were asked; only where the recording shows who woke whom,
	// and no command was recorded
	Operations *Operations `json:"operations,omitempty"`
	// what a flight recorder has written the trace for; only of such a trace, and if an event met a condition
	Incident *Incident `json:"incident,omitempty"`
	// what simple models allow at best, for the largest copy and for trees
	Bounds []Bound `json:"bounds"`
	// how long it would have taken with something changed: the standard set of `iotrace whatif`, if the recording says
	// enough for it and has at most 200,000 events
	WhatIf       []Prospect `json:"what_if,omitempty"`
	Observations []Sentence `json:"observations"` // sentences with the numbers they rest on

	Warnings []Warning `json:"warnings"` // which numbers not to trust, and why
	Lost     Lost      `json:"lost"`     // events that could not be recorded
	Recorder Recorder  `json:"recorder"` // what recording cost

	Charts *Charts `json:"charts,omitempty"` // what the charts of the report are drawn from; only there
}

// Trace says where the numbers come from.
type Trace struct {
	File string `json:"file"` // name of the trace file; `-` for standard input
	// `ebpf`, `kdebug`, `dtrace`, `fs_usage`, `strace`, `import:…`
	Backend string `json:"backend"`
	Tool    string `json:"tool"`   // program and version that recorded
	OS      string `json:"os"`     // `linux` or `darwin`; of imports `windows` as well
	Kernel  string `json:"kernel"` // its release
	Arch    string `json:"arch"`   // `amd64`, `arm64`
	Host    string `json:"host"`   // name of the machine
	// `command`, `pid`, `name`, `all`, `import` or `merge` (traces of several hosts)
	Scope     string    `json:"scope"`
	WallStart time.Time `json:"wall_start"` // wall-clock time of 0 ns (RFC 3339)
	// why a recorder that keeps only the last while has written the trace; of no other recording
	Trigger     *Trigger          `json:"trigger,omitempty"`
	CPUs        int               `json:"cpus"`         // processors
	MemoryBytes int64             `json:"memory_bytes"` // RAM
	Dir         string            `json:"dir"`          // working directory of the command
	DurationNS  int64             `json:"duration_ns"`  // recording, drain included
	Events      map[string]uint64 `json:"events"`       // read, per kind
	Reason      string            `json:"reason"`       // why recording ended; "interrupted" if the trace has no end
	Damaged     int               `json:"damaged"`      // parts of the file that could not be read
	Limits      []Limit           `json:"limits"`       // what this backend could not see
	// what the machine's processors did meanwhile, where the recording has it
	Processors *Processors `json:"processors,omitempty"`
	// processes that were not recorded and had what recorded ones waited for, and the other ends of sockets; at most
	// 16. Locks are checked ten times a second, pipes and sockets once a second
	Holders []Holder `json:"holders,omitempty"`
	// what the kernel counted at drives meanwhile, most bytes first, at most 64: all that is known of them where
	// requests were not recorded
	Drives []Drive `json:"drives,omitempty"`
	// processes that were not recorded and used the same drives, most bytes first; at most 16, of those that were still
	// there when they were asked for their names
	Users []User `json:"users,omitempty"`
	// what the command was charged with, where it was started by the recorder on Linux
	Charged *Charge `json:"charged,omitempty"`
	// limits of control groups, in the order of time, at most 64
	IOLimits []IOLimit `json:"io_limits,omitempty"`
	// control groups of the recorded processes that came up against their limits of memory meanwhile, most often first,
	// at most 16
	MemoryLimits []MemoryLimit `json:"memory_limits,omitempty"`
	// files that may be copies of one another and were not compared, as there were too many or it took too long. Copies
	// that only contents show (`evidence` `content`) may be missing
	Uncompared int64 `json:"uncompared,omitempty"`
	// how often the machine's page cache was dropped meanwhile (drop_caches), on Linux
	CacheDrops int64 `json:"cache_drops,omitempty"`
	// bytes of files that the kernel took out of memory meanwhile because memory, or a control group's, was short; absent
	// if the system did not tell
	Reclaimed *int64 `json:"reclaimed_bytes,omitempty"`
	// mounted file systems whose files were used, in the order of their first use, at most 64; on Linux, with the
	// probes
	Mounts []Mount `json:"mounts,omitempty"`
	// directories in which names were changed and whose names are written at once (`chattr +D`, `chattr +S`), at most
	// 64
	SyncedDirs []string `json:"synced_dirs,omitempty"`
	// what CPU time was spent on, most first, at most 64; of recordings on Linux 5.17 and later
	Samples []Sample `json:"samples,omitempty"`
}

// Charge is what drives and processors had to do for the command and its children, by the kernel's own account.
type Charge struct {
	ReadBytes int64 `json:"read_bytes"` // that were read from drives for them
	// that they wrote, or changed in memory so that they have to be written
	WrittenBytes int64 `json:"written_bytes"`
	UserNS       int64 `json:"user_ns"` // processor time of the programs
	// and of the kernel for them; what a tracer adds is among it
	SystemNS int64 `json:"system_ns"`
}

// Drive is what the kernel counted at a drive during the recording, for all its users.
type Drive struct {
	Name         string `json:"name"`          // as the kernel calls it
	Reads        int64  `json:"reads"`         // requests
	ReadBytes    int64  `json:"read_bytes"`    // bytes that they read
	Writes       int64  `json:"writes"`        // requests
	WrittenBytes int64  `json:"written_bytes"` // bytes that they wrote
	BusyNS       int64  `json:"busy_ns"`       // time with any request in flight
}

// User is a process that was not recorded and asked a drive of the workload for something meanwhile.
type User struct {
	PID     uint32 `json:"pid"`     // its number
	Command string `json:"command"` // its command name
	Bytes   int64  `json:"bytes"`   // in requests
	// a thread of the kernel (`jbd2`, `md0_resync`), which may do so for others
	Kernel bool `json:"kernel,omitempty"`
}

// Holder is a process that was not recorded and had what a recorded one waited for, or a lock on a file that it had
// open. For a socket, of which each end is a file of its own, it is whoever had the other end.
type Holder struct {
	// `lock` on a file (flock, fcntl; /proc/locks), the other end of a `pipe` or a `socket`, or the say on whether files
	// may be opened or read (`access`; fanotify)
	What  string `json:"what"`
	Inode uint64 `json:"inode"` // of the file, pipe or socket that the recorded process had; 0 for `access`
	// `major:minor` of the file system that it is on, in a trace of several hosts
	Device  string `json:"device,omitempty"`
	PID     uint32 `json:"pid"`               // its number; 0 on another machine
	Command string `json:"command"`           // its name; empty if it had ended or names are left out
	Address string `json:"address,omitempty"` // of the other machine, with the port
}

// Processors is what all processors of the machine did during the recording; times are added up over them.
type Processors struct {
	BusyNS   int64  `json:"busy_ns"`   // with whatever program, and with interrupts
	IdleNS   int64  `json:"idle_ns"`   // with nothing to run
	StolenNS int64  `json:"stolen_ns"` // with something to run, while the host of the virtual machine gave them to others
	Held     []Held `json:"held"`      // longest first, at most 16
	// processes that were not recorded and ran for 0.1 s or longer, longest first, at most 8
	Others []Runner `json:"others,omitempty"`
}

// Runner is a process that was not recorded and had processors meanwhile.
type Runner struct {
	PID     uint32 `json:"pid"`     // its number
	Command string `json:"command"` // its short name
	TimeNS  int64  `json:"time_ns"` // for which it ran
}

// Held is a control group of the workload that had used up its quota of processor time.
type Held struct {
	Group  string `json:"group"`   // its path in the hierarchy
	TimeNS int64  `json:"time_ns"` // for which it was held back, added up over processors
}

// MemoryLimit is a control group that reached its limit of memory (memory.max or memory.high, memory.limit_in_bytes of
// version 1). Something in it had to be reclaimed first, the page cache first of all.
type MemoryLimit struct {
	Group   string `json:"group"`   // its path in the hierarchy
	Bytes   int64  `json:"bytes"`   // the limit
	Reached int64  `json:"reached"` // how often, while a recorded process was in it
}

// IOLimit is what a control group of the workload allowed at a device from a given time on (io.max, or blkio.throttle
// of version 1). Where all of its numbers are 0 the limit was lifted.
type IOLimit struct {
	Group  string `json:"group"`  // its path in the hierarchy
	Device string `json:"device"` // its name, or `major:minor` if nothing was recorded of it
	// when it was seen first, up to 0.1 s late; the first limit that is set after the first second of a recording up to
	// 1 s
	FromNS     int64 `json:"from_ns"`
	ReadBytes  int64 `json:"read_bytes_per_s"`  // 0: no limit
	WriteBytes int64 `json:"write_bytes_per_s"` // likewise
	Reads      int64 `json:"reads_per_s"`       // requests; likewise
	Writes     int64 `json:"writes_per_s"`      // likewise
}

// Limit is something the recording could not see.
type Limit struct {
	// of calls and processes `no_calls`, `no_async`, `no_uring`, `no_requested`, `no_paths`, `no_clones`, `no_faults`,
	// `no_fill`, `no_waits`, `no_wakers`, `no_throttling`, `no_processes`, `mmap_files` or `guarded_offsets`. Of requests
	// `no_requests`, `no_request_files`, `no_direct_files`, `no_bio_devices`, `no_merges`, `no_transactions`, `no_rpcs`,
	// `no_queue`, `no_errors`, `no_flushes` or `no_places`. Of all `no_durations`, `no_times`, `host_clocks` or `partial`
	Code string `json:"code"`
	Text string `json:"text"` // what, why, and what would change it
}

// Omitted counts what was left out to keep the profile bounded. The totals in `layers`, `calls` and `devices` include
// it.
type Omitted struct {
	Files      int64 `json:"files"`             // files
	FilesBytes int64 `json:"files_bytes"`       // bytes they moved
	Processes  int64 `json:"processes"`         // processes
	Copies     int64 `json:"copies"`            // copies
	CopyBytes  int64 `json:"copy_bytes"`        // bytes they copied
	Renames    int64 `json:"renames,omitempty"` // files that got another name, which are listed behind copies
	// the time on files that are left out, by mount, most time first
	Mounts []MountTime `json:"mounts,omitempty"`
}

// MountTime is the time in calls and page faults on files of a mount, added over threads.
type MountTime struct {
	Mount   string `json:"mount"`         // where it is mounted
	FSType  string `json:"fs_type"`       // its type
	TimeNS  int64  `json:"time_ns"`       // the time
	Names   int64  `json:"name_calls"`    // of these, calls on names and attributes
	NamesNS int64  `json:"name_calls_ns"` // their part of the time
}

// Recorder is what recording cost.
type Recorder struct {
	ProbeCPUNS   int64   `json:"probe_cpu_ns"`      // CPU time of the probes in all threads; -1 if not measured
	ProbeSampled bool    `json:"probe_sampled"`     // scaled up from samples
	ProbeRuns    uint64  `json:"probe_runs"`        // how often a probe ran
	ReaderCPUNS  int64   `json:"reader_cpu_ns"`     // CPU time of the recording process; -1 if not measured
	MaxRSSBytes  int64   `json:"max_rss_bytes"`     // its memory
	BufferBytes  int64   `json:"buffer_bytes"`      // kernel buffer
	BufferPeak   int64   `json:"buffer_peak_bytes"` // its fullest state
	ProbeShare   float64 `json:"probe_share"`       // of the CPU time of all CPUs during the recording
	DeviceBytes  int64   `json:"device_bytes"`      // moved by the recorder itself: writing the trace
}

// Lost says what the recording could not keep.
type Lost struct {
	Total  uint64            `json:"total"`  // events, all kinds
	Kinds  map[string]uint64 `json:"kinds"`  // events per kind
	Slices []LostSlice       `json:"slices"` // when; at most 1000, neighbours are joined where about as much was lost
}

// LostSlice is a stretch of time in which events of a kind were lost.
type LostSlice struct {
	FromNS int64  `json:"from_ns"` // beginning
	ToNS   int64  `json:"to_ns"`   // end
	Kind   string `json:"kind"`    // kind of event
	Count  uint64 `json:"count"`   // events
}

// Warning says which numbers not to trust, why, and what to do.
type Warning struct {
	// stable: "lost", "interrupted", "damaged", "limit:no_requests", "files_omitted", …
	Code    string   `json:"code"`
	Text    string   `json:"text"`            // what was seen, why it matters, what to do
	Affects []string `json:"affects"`         // JSON pointers of the parts of the profile it touches
	Count   uint64   `json:"count,omitempty"` // of what it warns of, where that can be counted
}
