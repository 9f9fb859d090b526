package profile

// Copy is a file whose data became the data of another file.
type Copy struct {
	// one of read_write, pread_pwrite, copy_file_range, sendfile, splice, reflink, clonefile, mmap, io_uring, libaio,
	// rename, hardlink.
	Method      Method `json:"method"`
	Source      string `json:"source"`      // path of the source
	Destination string `json:"destination"` // its last name
	Bytes       int64  `json:"bytes"`       // of the source that the destination now has
	// a clone of a file whose size was not seen: `bytes` and `source_size_bytes` are 0 and say nothing
	SizeUnknown bool  `json:"size_unknown,omitempty"`
	SourceSize  int64 `json:"source_size_bytes"` // size of the source
	// bytes / source_size_bytes, at most 1; 1 for an empty source
	Share    float64 `json:"copied_share"`
	SourceAt int64   `json:"source_offset"`      // where in the source the copied bytes begin
	DestAt   int64   `json:"destination_offset"` // where in the destination they begin
	// `certain`, `traced`, `checked`, `likely` or `same_size`: see [copies](copies.md)
	Certainty string `json:"certainty"`
	// samples of both files were compared after the recording, and are the same
	Checked bool `json:"checked,omitempty"`
	Rivals  int  `json:"rivals,omitempty"` // other files that would fit as the source just as well
	// the copy ended early: `bytes` is what was copied until then
	Interrupted bool `json:"interrupted,omitempty"`
	// "call": one call names both files. "memory": written from the memory it was read into. "flow": counts, offsets
	// and order agree. "framed": through a stream with other bytes. "mapped": both sizes and the mapping agree.
	// "content": only that both hold the same
	Evidence string `json:"evidence"`
	Because  string `json:"because"`       // the evidence in words
	Via      string `json:"via,omitempty"` // `pipe` or `socket` the data went through
	// files of their own that its parts lay in between the source and the destination, in their order; at most 16
	Parts     []string `json:"parts,omitempty"`
	PartFiles int      `json:"part_files,omitempty"` // how many these are
	Processes []uint32 `json:"processes"`            // who read, passed on and wrote
	Threads   int      `json:"threads"`              // that called; at least one per process

	StartNS int64 `json:"start_ns"` // first call on the data
	// first call on the data to the last; -1 if the recording does not have it (limit `no_durations`, and fewer than
	// 100 calls that began at times that are known)
	WallNS int64 `json:"wall_ns"`
	// from the start until its data was written back; -1 if not seen
	DurableNS        int64 `json:"durable_ns"`
	BytesPerS        int64 `json:"bytes_per_s"`         // bytes / wall_ns; -1 if that is
	DurableBytesPerS int64 `json:"durable_bytes_per_s"` // -1 if `durable_ns` is
	// calls that moved data, reads and writes; -1 where there are fewer than ten, or none is needed
	CallsPerS float64 `json:"calls_per_s"`

	// most common length asked of a read call; 0 if there was no call
	BufferBytes int64 `json:"buffer_bytes"`
	Read        *Flow `json:"read,omitempty"` // calls that read the source
	// calls that wrote the destination; a call that names both files counts in both
	Write       *Flow `json:"write,omitempty"`
	DeviceRead  *Flow `json:"device_read,omitempty"`  // requests that read the source
	DeviceWrite *Flow `json:"device_write,omitempty"` // requests that wrote the destination

	// between the end of a data call and the start of the next, none in flight
	Think *Dist `json:"think_ns,omitempty"`
	Gaps  *Gaps `json:"gaps,omitempty"` // the same by what comes before and after
	// of the wall time with a read in flight; this and the next three are -1 if the recording has no times or durations
	ReadShare    float64 `json:"read_share"`
	WriteShare   float64 `json:"write_share"`   // likewise writing
	OverlapShare float64 `json:"overlap_share"` // with both
	ThinkShare   float64 `json:"think_share"`   // with neither

	DirectSource      bool  `json:"direct_source"`      // O_DIRECT or F_NOCACHE
	DirectDestination bool  `json:"direct_destination"` // likewise
	Preallocated      bool  `json:"preallocated"`       // fallocate on the destination
	Sparse            bool  `json:"sparse"`             // the destination has holes
	HoleBytes         int64 `json:"hole_bytes"`         // bytes that are holes
	SourceRemoved     bool  `json:"source_removed"`     // deleted afterwards: a move
	Renamed           bool  `json:"renamed"`            // written under another name first
	MetadataCalls     int64 `json:"metadata_calls"`     // on either file
	MetadataNS        int64 `json:"metadata_ns"`        // time in them
	Syncs             int64 `json:"syncs"`              // fsync and the like on the destination
	SyncNS            int64 `json:"sync_ns"`            // time in them

	DeviceReadBytes  int64 `json:"device_read_bytes"`  // bytes of the source that devices read
	DeviceWriteBytes int64 `json:"device_write_bytes"` // bytes of the destination that devices wrote
	// share of `bytes` not read from the device; -1 if not known
	CacheHitShare      float64 `json:"cache_hit_share"`
	ReadAmplification  float64 `json:"read_amplification"`  // device bytes / `bytes`; -1 if not known
	WriteAmplification float64 `json:"write_amplification"` // -1 if not known
	Bounds             []Bound `json:"bounds,omitempty"`    // what simple models allow for this copy
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// CopyGroup is a directory tree, or several files, copied in one go.
type CopyGroup struct {
	Method           Method         `json:"method"`              // of most files
	Methods          map[Method]int `json:"methods"`             // files per method
	SourceRoot       string         `json:"source_root"`         // directory that the paths have in common
	DestinationRoot  string         `json:"destination_root"`    // likewise
	Files            int            `json:"files"`               // files copied
	Bytes            int64          `json:"bytes"`               // of all files
	StartNS          int64          `json:"start_ns"`            // when it began
	WallNS           int64          `json:"wall_ns"`             // first call on data to the last
	DurableNS        int64          `json:"durable_ns"`          // -1 if it is for one of them
	BytesPerS        int64          `json:"bytes_per_s"`         // bytes / wall_ns
	DurableBytesPerS int64          `json:"durable_bytes_per_s"` // bytes / durable_ns; -1 if that is
	FilesPerS        float64        `json:"files_per_s"`         // files / wall_ns
	// distribution of file sizes, without those that are not known
	Sizes         Dist  `json:"file_size_bytes"`
	PerFile       Dist  `json:"file_wall_ns"`   // wall time per file
	Between       Dist  `json:"between_ns"`     // end of one file's data to the start of the next
	MetadataCalls int64 `json:"metadata_calls"` // on names, attributes and allocation of these files
	MetadataNS    int64 `json:"metadata_ns"`    // time in them
	Syncs         int64 `json:"syncs"`          // calls of fsync and the like
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// AccessPattern is the order of accesses in one direction.
type AccessPattern struct {
	// "single", "sequential", "mostly_sequential", "interleaved", "strided", "mixed", "random"
	Class       string  `json:"class"`
	Accesses    int64   `json:"accesses"`          // first ones of a stream left out
	Consecutive float64 `json:"consecutive_share"` // began where the one before ended
	Sequential  float64 `json:"sequential_share"`  // began there or beyond
	Backward    float64 `json:"backward_share"`    // began before the access before it ended
	// began within the access before, beyond its beginning: what lies there is moved again
	Overlapping float64 `json:"overlapping_share,omitempty"`
	// went on in another place than the one before, where an earlier one was
	Turns  float64 `json:"turns_share,omitempty"`
	Stride int64   `json:"stride_bytes"` // most common gap, if the class is "strided"
	// share of that gap among accesses that were not consecutive
	StrideShare float64 `json:"stride_share"`
	Streams     int     `json:"streams"`           // interleaved sequential streams
	Run         Dist    `json:"run_bytes"`         // bytes per run of consecutive accesses
	WorkingSet  int64   `json:"working_set_bytes"` // distinct bytes
	// `working_set_bytes` is estimated (to 1.6 %): too many separate extents
	Coarse bool `json:"estimated"`
}

// WholePattern sums up what the workload is like, at the calls and at the
// devices.
type WholePattern struct {
	ReadMix     float64     `json:"read_mix"`              // share of read bytes, at the calls
	DeviceMix   float64     `json:"device_read_mix"`       // likewise at the topmost devices
	ReadClass   string      `json:"read_class"`            // class that holds most bytes, at the calls
	WriteClass  string      `json:"write_class"`           // likewise for writes
	CallDepth   Depth       `json:"call_depth"`            // data calls and asynchronous operations
	DeviceDepth Depth       `json:"device_depth"`          // topmost devices
	Think       Dist        `json:"think_ns"`              // per thread, between its data calls
	Gaps        *Gaps       `json:"gaps,omitempty"`        // the same by what comes before and after
	SyncCalls   int64       `json:"sync_calls"`            // fsync and the like
	WorkingSet  int64       `json:"working_set_bytes"`     // of all files, calls and faults
	Cache       *Cache      `json:"cache,omitempty"`       // how much of what was read came from memory
	Modes       *CacheModes `json:"cache_modes,omitempty"` // bytes per way of going about the page cache
	// as UL's storage benchmarks do: bytes over the time with a read or a write in flight, topmost devices
	BandwidthBusy int64 `json:"busy_bytes_per_s"`
	MeanAccess    int64 `json:"mean_access_ns"`          // likewise: mean time of a request
	InterArrival  Dist  `json:"device_inter_arrival_ns"` // between the issues of two requests at topmost devices
	// distance from the end of one request to the start of the next on a device
	SeekDistance Dist `json:"device_seek_bytes"`

	// data of files, by direction, at calls and at topmost devices
	ReadCalls     Pieces `json:"-"`
	WriteCalls    Pieces `json:"-"`
	ReadRequests  Pieces `json:"-"`
	WriteRequests Pieces `json:"-"`
}

// Pieces is in how many operations data of files was moved, and in how few it could have been: files end.
type Pieces struct {
	Files int64 // of which something was moved
	Count int64 // operations that moved something, for each file
	Least int64 // if each were of 64 KiB, or of all of a file that is smaller
}

// Saved is how many fewer operations there would be.
func (p *Pieces) Saved() int64 { return p.Count - p.Least }

// Phase is a stretch of bytes moved at one level of speed.
type Phase struct {
	Series    string `json:"series"`           // "call read", "call write", "device read", "device write"
	Device    string `json:"device,omitempty"` // name of the device; missing for calls
	FromBytes int64  `json:"from_bytes"`       // cumulative
	ToBytes   int64  `json:"to_bytes"`         // likewise
	FromNS    int64  `json:"from_ns"`          // when it began
	ToNS      int64  `json:"to_ns"`            // when it ended
	BytesPerS int64  `json:"bytes_per_s"`      // median over chunks
	BusyRate  int64  `json:"busy_bytes_per_s"` // median rate over the time with an operation in flight
	Chunk     int64  `json:"chunk_bytes"`      // size of the equal chunks the rate was taken of
	Chunks    int    `json:"chunks"`           // how many
	Operation int64  `json:"operation_bytes"`  // mean size of its operations
	Modes     []Mode `json:"modes,omitempty"`  // rates, if chunks of several speeds alternate
}

// Step is a change point between two phases.
type Step struct {
	Series  string  `json:"series"`             // as in [Phase](#phase)
	Device  string  `json:"device,omitempty"`   // name of the device; missing for calls
	AtBytes int64   `json:"at_bytes"`           // cumulative bytes before it
	AtNS    int64   `json:"at_ns"`              // when
	Before  int64   `json:"before_bytes_per_s"` // median rate of the phase before
	After   int64   `json:"after_bytes_per_s"`  // and of the phase after
	Ratio   float64 `json:"ratio"`              // after / before
	P       float64 `json:"p"`                  // of the confirming test
	// the device itself changed its speed: the rate over its busy time (of calls: that of a device with a step at that
	// time)
	DeviceToo bool `json:"device_too"`

	BeforeNS int64 `json:"before_ns_per_mb"` // time of each megabyte in the phase before
	AfterNS  int64 `json:"after_ns_per_mb"`  // and in the phase after
	// of these times, most difference first; at most 5, of a tenth of it and more
	Parts []StepPart `json:"parts"`

	// of a control group, that was set or lowered at about that time
	Limit        string `json:"limit,omitempty"`
	OthersBefore int64  `json:"others_before_bytes_per_s"` // moved by others in the phase before
	OthersAfter  int64  `json:"others_after_bytes_per_s"`  // and in the phase after
	SizeBefore   int64  `json:"size_before_bytes"`         // mean of the operations in the phase before
	SizeAfter    int64  `json:"size_after_bytes"`          // and in the phase after
	// share of the bytes that went past the page cache in the phase before
	DirectBefore float64 `json:"direct_before"`
	DirectAfter  float64 `json:"direct_after"` // and in the phase after
}

// StepPart is the time of one label of the time stack for the same bytes, before and after a step.
type StepPart struct {
	Label    string `json:"label"`            // as in [StackSlice](#stackslice)
	Text     string `json:"text"`             // for people
	BeforeNS int64  `json:"before_ns_per_mb"` // time of each megabyte in the phase before
	AfterNS  int64  `json:"after_ns_per_mb"`  // and in the phase after
}

// SizeTime is the regression of the time per file on its size.
type SizeTime struct {
	What        string   `json:"what"`                          // "copy", "read", "write"
	Files       int      `json:"files"`                         // how many
	OLS         Line     `json:"ols"`                           // ordinary least squares
	TheilSen    Line     `json:"theil_sen"`                     // median of slopes; robust
	TrimmedRate int64    `json:"trimmed_mean_bytes_per_s"`      // 20 % from each end
	TrimmedLow  int64    `json:"trimmed_mean_bytes_per_s_low"`  // 95 % interval (Tukey and McLaughlin)
	TrimmedHigh int64    `json:"trimmed_mean_bytes_per_s_high"` // likewise
	MedianRate  int64    `json:"median_bytes_per_s"`            // median of the rates of the files
	RateModes   []Mode   `json:"rate_modes,omitempty"`          // modes of those rates, if there are several
	Warnings    []string `json:"warnings,omitempty"`            // why not to trust the lines
	PerFileCost int64    `json:"per_file_ns"`                   // Theil–Sen intercept
	// share of the time that goes with the bytes; the rest is cost per file
	PerByteShare float64 `json:"per_byte_share"`
}

// Line is a fitted line: time = `intercept_ns` + size / `bytes_per_s`.
type Line struct {
	Rate        int64 `json:"bytes_per_s"`      // 1 / slope; -1 if the slope is not positive
	RateLow     int64 `json:"bytes_per_s_low"`  // 95 % interval
	RateHigh    int64 `json:"bytes_per_s_high"` // likewise
	InterceptNS int64 `json:"intercept_ns"`     // time of a file without bytes
	// half the width of its 95 % interval; -1 for Theil–Sen, whose intercept has no interval
	InterceptMargin int64 `json:"intercept_margin_ns"`
}

// Launch is the start of a program.
type Launch struct {
	PID  uint32   `json:"pid"`            // process number
	Exe  string   `json:"exe"`            // program
	Args []string `json:"args,omitempty"` // command line
	// when execve first read for it from a device (headers of the program and its interpreter, file names), otherwise
	// its exec
	StartNS int64 `json:"start_ns"`
	WallNS  int64 `json:"wall_ns"` // to its end (`until`)
	// "quiet" (no reads for 1 s), "output" (wrote 1 MB), "child" (ran another program), "exec", "exit", "limit" (60 s) or
	// "recording"
	Until string `json:"until"`
	// a thread blocked on the disk and no thread of the workload running; for the command also the requests of its own
	// execve, before its first recorded instant
	DiskNS    int64 `json:"disk_ns"`
	BlockedNS int64 `json:"blocked_ns"` // time its threads were blocked on I/O, added over threads
	// of the process if it ended, otherwise time any thread of the workload was running or ready to; -1 if not recorded
	CPUNS      int64        `json:"cpu_ns"`
	ReadCalls  int64        `json:"read_calls"`            // read calls
	ReadBytes  int64        `json:"read_bytes"`            // bytes they read
	Faults     int64        `json:"faults"`                // page faults that had to wait
	FaultBytes int64        `json:"fault_bytes"`           // bytes they brought in
	Device     *Flow        `json:"device_read,omitempty"` // requests that read for it
	Kinds      []LaunchKind `json:"kinds"`                 // what was read
	State      string       `json:"state"`                 // `cold`, `warm`, `mixed` or `unknown`
	// what an infinitely fast drive would save at most: `disk_ns`, and the waking up
	SavingNS int64 `json:"upper_saving_ns"`
	BestNS   int64 `json:"best_wall_ns"` // `wall_ns` - `upper_saving_ns`
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// LaunchKind is what a launch read of one kind of file.
type LaunchKind struct {
	Kind        string `json:"kind"`         // "program", "library", "data", "system"
	Files       int    `json:"files"`        // files
	Bytes       int64  `json:"bytes"`        // by calls
	DeviceBytes int64  `json:"device_bytes"` // by calls and faults
}

// Scrub is a series of jumps through one large file.
type Scrub struct {
	Path    string `json:"path"`     // path of the file
	PID     uint32 `json:"pid"`      // process that began
	StartNS int64  `json:"start_ns"` // when it began
	WallNS  int64  `json:"wall_ns"`  // to the end of the last read
	// reads at least 256 KiB away from the one before and 64 KiB from the ends of the 16 streams read last
	Jumps       int64  `json:"jumps"`
	PerJump     Dist   `json:"jump_read_bytes"`     // read after a jump, until the next
	Distance    Dist   `json:"jump_distance_bytes"` // how far
	FirstByte   Dist   `json:"first_read_ns"`       // duration of the first read after a jump
	JumpTime    Dist   `json:"jump_time_ns"`        // in reads after a jump, until the next
	Calls       Dist   `json:"call_size_bytes"`     // sizes of the read calls
	DeviceBytes int64  `json:"device_bytes"`        // read from the device
	State       string `json:"state"`               // `cold`, `warm`, `mixed` or `unknown`
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// TimeStack gives every instant of the recording one label. Slices add up to `total_ns` exactly; without "draining"
// they add up to the wall time. A recording that does not say how long calls and requests took (limit `no_durations`)
// has no slices. Times of processes, launches and groups of copies that would follow from that are -1 then. Where there
// is a [Path](#path) the slices are its segments: at each instant what the workload waited for, or did. Elsewhere the
// first label that fits any activity wins.
type TimeStack struct {
	TotalNS int64        `json:"total_ns"` // until the data was written back, or recording ended
	WallNS  int64        `json:"wall_ns"`  // until the command returned
	Slices  []StackSlice `json:"slices"`   // all labels, in the order in which they win
	// the same time, with what kind of call waited; missing where the critical path is not recorded
	Parts []StackPart `json:"parts,omitempty"`
	// the part of the label `ready` in which threads whose I/O was done ran again within 50 µs. It may take that long
	// to wake a processor that no other thread used
	WakingNS int64            `json:"waking_ns"`
	ThreadNS map[string]int64 `json:"thread_ns"` // thread times, not wall times: they may exceed `wall_ns`
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// StackSlice is the time under one label.
type StackSlice struct {
	// one of device_read, device_write, device_both, device_other, queued, throttled, sync, page_cache, metadata,
	// other_call, cpu, ready, io_wait, lock, waiting, outside, draining
	Label string  `json:"label"`
	Group string  `json:"group"` // "device", "call", "outside", "after"
	NS    int64   `json:"ns"`    // time
	Share float64 `json:"share"` // of `total_ns`
	Text  string  `json:"text"`  // for people
}

// StackPart is time under a label.
type StackPart struct {
	Label string `json:"label"` // as in [StackSlice](#stackslice)
	// what kind of call waited: `sync` for one that makes data durable, `names` for one on names, attributes or
	// allocation; missing for others, and where that makes no difference
	Within string `json:"within,omitempty"`
	NS     int64  `json:"ns"` // time
}

// Bound is what a simple model says is the best that was possible.
type Bound struct {
	Code   string `json:"code"`        // "serial", "overlapped", "little", "per_file"
	Text   string `json:"text"`        // what the model assumes
	Rate   int64  `json:"bytes_per_s"` // best possible rate
	TimeNS int64  `json:"time_ns"`     // that rate as a time
	// rate that was measured; until the device had written it, if that was after the last call
	Measured int64   `json:"measured_bytes_per_s"`
	Reached  float64 `json:"reached"` // measured / bound
	Formula  string  `json:"formula"` // the formula with its numbers
}

// Sentence is an observation with the numbers it rests on.
type Sentence struct {
	Code     string     `json:"code"`     // stable short name
	Text     string     `json:"text"`     // the sentence
	Subject  string     `json:"subject"`  // JSON pointer of what it is about
	Evidence []Evidence `json:"evidence"` // the numbers it rests on
	// what to do in place of work that need not be done: that helps whatever takes the time in it
	Instead string `json:"instead,omitempty"`
	// the numbers of `text` that stand nowhere else in the profile, by name, as those of a [reason](#reason)
	Figures map[string]float64 `json:"figures,omitempty"`
	// codes of the [warnings](#warning) that touch these numbers
	Marks []string `json:"marks,omitempty"`
}

// Evidence points at a number of the profile.
type Evidence struct {
	Pointer string  `json:"pointer"` // JSON pointer (RFC 6901) into the profile
	Value   float64 `json:"value"`   // the number there
}
