package profile

// Copy is a file whose data became the data of another file.
type Copy struct {
	Method      Method `json:"method"`
	Source      string `json:"source"`
	Destination string `json:"destination"` // its last name
	Bytes       int64  `json:"bytes"`       // of the source that the destination now has
	// a clone of a file whose size was not seen: Bytes and SourceSize are 0 and say nothing
	SizeUnknown bool    `json:"size_unknown,omitempty"`
	SourceSize  int64   `json:"source_size_bytes"`
	Share       float64 `json:"copied_share"` // of the source; 1 for an empty one
	SourceAt    int64   `json:"source_offset"`
	DestAt      int64   `json:"destination_offset"`
	// "certain", "traced", "checked", "likely" or "same_size": see docs/copies.md
	Certainty string `json:"certainty"`
	// samples of both files were compared after the recording, and are the same
	Checked     bool `json:"checked,omitempty"`
	Rivals      int  `json:"rivals,omitempty"`      // other files that would fit as the source just as well
	Interrupted bool `json:"interrupted,omitempty"` // the copying ended early: this many bytes so far
	// "call": one call names both files; "memory": written from the memory it was read into; "flow": counts, offsets and
	// order agree; "framed": through a stream with other bytes; "mapped": both sizes and the mapping agree
	Evidence  string   `json:"evidence"`
	Because   string   `json:"because"` // the evidence in words
	Via       string   `json:"via,omitempty"`
	Processes []uint32 `json:"processes"`
	Threads   int      `json:"threads"` // that called; at least one per process

	StartNS          int64 `json:"start_ns"`
	WallNS           int64 `json:"wall_ns"`    // first call on the data to the last; Unknown if not told
	DurableNS        int64 `json:"durable_ns"` // from the start until its data was written back; Unknown if not seen
	BytesPerS        int64 `json:"bytes_per_s"`
	DurableBytesPerS int64 `json:"durable_bytes_per_s"` // Unknown if DurableNS is

	BufferBytes int64 `json:"buffer_bytes"` // most common length asked of a read call; 0 if there is none
	Read        *Flow `json:"read,omitempty"`
	Write       *Flow `json:"write,omitempty"`
	DeviceRead  *Flow `json:"device_read,omitempty"`  // requests that read the source
	DeviceWrite *Flow `json:"device_write,omitempty"` // requests that wrote the destination

	// between the end of a data call and the start of the next, none in flight
	Think        *Dist   `json:"think_ns,omitempty"`
	Gaps         *Gaps   `json:"gaps,omitempty"` // the same by what lies before and after
	ReadShare    float64 `json:"read_share"`     // of the wall time with a read in flight; these four are -1 if not told
	WriteShare   float64 `json:"write_share"`
	OverlapShare float64 `json:"overlap_share"` // with both
	ThinkShare   float64 `json:"think_share"`   // with neither

	DirectSource      bool  `json:"direct_source"` // O_DIRECT or F_NOCACHE
	DirectDestination bool  `json:"direct_destination"`
	Preallocated      bool  `json:"preallocated"`
	Sparse            bool  `json:"sparse"`
	HoleBytes         int64 `json:"hole_bytes"`
	SourceRemoved     bool  `json:"source_removed"` // deleted afterwards: a move
	Renamed           bool  `json:"renamed"`        // written under another name first
	MetadataCalls     int64 `json:"metadata_calls"` // on either file
	MetadataNS        int64 `json:"metadata_ns"`
	Syncs             int64 `json:"syncs"`
	SyncNS            int64 `json:"sync_ns"`

	DeviceReadBytes    int64    `json:"device_read_bytes"`
	DeviceWriteBytes   int64    `json:"device_write_bytes"`
	CacheHitShare      float64  `json:"cache_hit_share"`     // of Bytes, not read from the device; -1 if not known
	ReadAmplification  float64  `json:"read_amplification"`  // device bytes / Bytes; -1 if not known
	WriteAmplification float64  `json:"write_amplification"` // -1 if not known
	Bounds             []Bound  `json:"bounds,omitempty"`
	Marks              []string `json:"marks,omitempty"`
}

// CopyGroup is a directory tree, or several files, copied in one go.
type CopyGroup struct {
	Method          Method         `json:"method"` // of most files
	Methods         map[Method]int `json:"methods"`
	SourceRoot      string         `json:"source_root"`
	DestinationRoot string         `json:"destination_root"`
	Files           int            `json:"files"`
	Bytes           int64          `json:"bytes"`
	StartNS         int64          `json:"start_ns"`
	WallNS          int64          `json:"wall_ns"`
	DurableNS       int64          `json:"durable_ns"` // Unknown if it is for one of them
	BytesPerS       int64          `json:"bytes_per_s"`
	FilesPerS       float64        `json:"files_per_s"`
	Sizes           Dist           `json:"file_size_bytes"`
	PerFile         Dist           `json:"file_wall_ns"`
	Between         Dist           `json:"between_ns"` // end of one file's data to the start of the next
	MetadataCalls   int64          `json:"metadata_calls"`
	MetadataNS      int64          `json:"metadata_ns"`
	Syncs           int64          `json:"syncs"`
	Marks           []string       `json:"marks,omitempty"`
}

// AccessPattern is the order of accesses in one direction.
type AccessPattern struct {
	// "single", "sequential", "mostly_sequential", "interleaved", "strided", "mixed", "random"
	Class       string  `json:"class"`
	Accesses    int64   `json:"accesses"`          // first ones of a stream left out
	Consecutive float64 `json:"consecutive_share"` // began where the one before ended
	Sequential  float64 `json:"sequential_share"`  // began there or beyond
	Backward    float64 `json:"backward_share"`
	Stride      int64   `json:"stride_bytes"` // most common gap, if the class is "strided"
	StrideShare float64 `json:"stride_share"`
	Streams     int     `json:"streams"` // interleaved sequential streams
	Run         Dist    `json:"run_bytes"`
	WorkingSet  int64   `json:"working_set_bytes"` // distinct bytes
	Coarse      bool    `json:"estimated"`         // WorkingSet is estimated (to 1.6 %): too many separate extents
}

// WholePattern sums up what the workload is like, at the calls and at the
// devices.
type WholePattern struct {
	ReadMix     float64     `json:"read_mix"` // share of read bytes, at the calls
	DeviceMix   float64     `json:"device_read_mix"`
	ReadClass   string      `json:"read_class"` // class that holds most bytes, at the calls
	WriteClass  string      `json:"write_class"`
	CallDepth   Depth       `json:"call_depth"`   // data calls and asynchronous operations
	DeviceDepth Depth       `json:"device_depth"` // topmost devices
	Think       Dist        `json:"think_ns"`     // per thread, between its data calls
	Gaps        *Gaps       `json:"gaps,omitempty"`
	SyncCalls   int64       `json:"sync_calls"`
	WorkingSet  int64       `json:"working_set_bytes"` // of all files, calls and faults
	Cache       *Cache      `json:"cache,omitempty"`
	Modes       *CacheModes `json:"cache_modes,omitempty"`
	// UL figures over the topmost devices: bytes over the time with a read or a
	// write in flight, and mean time of one.
	BandwidthBusy int64 `json:"busy_bytes_per_s"`
	MeanAccess    int64 `json:"mean_access_ns"`
	// Distributions for comparing traces.
	InterArrival Dist `json:"device_inter_arrival_ns"`
	SeekDistance Dist `json:"device_seek_bytes"`
}

// Phase is a stretch of bytes moved at one level of speed.
type Phase struct {
	Series    string `json:"series"` // "call read", "call write", "device read", "device write"
	Device    string `json:"device,omitempty"`
	FromBytes int64  `json:"from_bytes"` // cumulative
	ToBytes   int64  `json:"to_bytes"`
	FromNS    int64  `json:"from_ns"`
	ToNS      int64  `json:"to_ns"`
	BytesPerS int64  `json:"bytes_per_s"` // median over chunks
	BusyRate  int64  `json:"busy_bytes_per_s"`
	Chunk     int64  `json:"chunk_bytes"`
	Chunks    int    `json:"chunks"`
	Modes     []Mode `json:"modes,omitempty"` // rates, if chunks of several speeds alternate
}

// Step is a change point between two phases.
type Step struct {
	Series    string  `json:"series"`
	Device    string  `json:"device,omitempty"`
	AtBytes   int64   `json:"at_bytes"`
	AtNS      int64   `json:"at_ns"`
	Before    int64   `json:"before_bytes_per_s"`
	After     int64   `json:"after_bytes_per_s"`
	Ratio     float64 `json:"ratio"` // after / before
	P         float64 `json:"p"`     // of the confirming test
	DeviceToo bool    `json:"device_too"`

	BeforeNS int64      `json:"before_ns_per_mb"`
	AfterNS  int64      `json:"after_ns_per_mb"`
	Parts    []StepPart `json:"parts"` // of these times, most difference first; at most 5, of a tenth of it and more

	Limit        string  `json:"limit,omitempty"` // of a control group, that was set or lowered at about that time
	OthersBefore int64   `json:"others_before_bytes_per_s"`
	OthersAfter  int64   `json:"others_after_bytes_per_s"`
	SizeBefore   int64   `json:"size_before_bytes"` // mean of the operations
	SizeAfter    int64   `json:"size_after_bytes"`
	DirectBefore float64 `json:"direct_before"` // share of the bytes that went past the page cache
	DirectAfter  float64 `json:"direct_after"`
}

// StepPart is what one label of the time stack has of the time of the same bytes, before and after a step.
type StepPart struct {
	Label    string `json:"label"`
	Text     string `json:"text"` // for people
	BeforeNS int64  `json:"before_ns_per_mb"`
	AfterNS  int64  `json:"after_ns_per_mb"`
}

// SizeTime is the regression of the time per file on its size.
type SizeTime struct {
	What         string   `json:"what"` // "copy", "read", "write"
	Files        int      `json:"files"`
	OLS          Line     `json:"ols"`
	TheilSen     Line     `json:"theil_sen"`
	TrimmedRate  int64    `json:"trimmed_mean_bytes_per_s"` // 20 % from each end
	TrimmedLow   int64    `json:"trimmed_mean_bytes_per_s_low"`
	TrimmedHigh  int64    `json:"trimmed_mean_bytes_per_s_high"`
	MedianRate   int64    `json:"median_bytes_per_s"`
	RateModes    []Mode   `json:"rate_modes,omitempty"`
	Warnings     []string `json:"warnings,omitempty"`
	PerFileCost  int64    `json:"per_file_ns"` // Theil–Sen intercept
	PerByteShare float64  `json:"per_byte_share"`
}

// Line is a fitted line: time = Intercept + size / Rate.
type Line struct {
	Rate        int64 `json:"bytes_per_s"`
	RateLow     int64 `json:"bytes_per_s_low"` // 95 % interval
	RateHigh    int64 `json:"bytes_per_s_high"`
	InterceptNS int64 `json:"intercept_ns"`
	// Half the width of the 95 % interval of InterceptNS; least squares only.
	InterceptMargin int64 `json:"intercept_margin_ns"`
}

// Launch is the start of a program.
type Launch struct {
	PID     uint32   `json:"pid"`
	Exe     string   `json:"exe"`
	Args    []string `json:"args,omitempty"`
	StartNS int64    `json:"start_ns"` // first read of its execve, otherwise its exec
	WallNS  int64    `json:"wall_ns"`  // until End
	// "quiet" (no reads for 1 s), "output" (wrote 1 MB), "child" (ran another program), "exec", "exit", "limit" (60 s) or
	// "recording"
	Until      string       `json:"until"`
	DiskNS     int64        `json:"disk_ns"` // a thread blocked on the disk and none of the workload running
	BlockedNS  int64        `json:"blocked_ns"`
	CPUNS      int64        `json:"cpu_ns"` // Unknown if not recorded
	ReadCalls  int64        `json:"read_calls"`
	ReadBytes  int64        `json:"read_bytes"`
	Faults     int64        `json:"faults"`
	FaultBytes int64        `json:"fault_bytes"`
	Device     *Flow        `json:"device_read,omitempty"`
	Kinds      []LaunchKind `json:"kinds"`
	State      string       `json:"state"` // "cold", "warm", "mixed", "unknown"
	// what an infinitely fast drive would save at most: DiskNS, and the waking up
	SavingNS int64    `json:"upper_saving_ns"`
	BestNS   int64    `json:"best_wall_ns"` // WallNS - SavingNS
	Marks    []string `json:"marks,omitempty"`
}

// LaunchKind is what a launch read of one kind of file.
type LaunchKind struct {
	Kind        string `json:"kind"` // "program", "library", "data", "system"
	Files       int    `json:"files"`
	Bytes       int64  `json:"bytes"`        // by calls
	DeviceBytes int64  `json:"device_bytes"` // by calls and faults
}

// Scrub is a series of jumps through one large file.
type Scrub struct {
	Path        string   `json:"path"`
	PID         uint32   `json:"pid"`
	StartNS     int64    `json:"start_ns"`
	WallNS      int64    `json:"wall_ns"`
	Jumps       int64    `json:"jumps"`
	PerJump     Dist     `json:"jump_read_bytes"` // read after a jump, until the next
	Distance    Dist     `json:"jump_distance_bytes"`
	FirstByte   Dist     `json:"first_read_ns"` // duration of the first read after a jump
	JumpTime    Dist     `json:"jump_time_ns"`  // in reads after a jump, until the next
	Calls       Dist     `json:"call_size_bytes"`
	DeviceBytes int64    `json:"device_bytes"`
	State       string   `json:"state"`
	Marks       []string `json:"marks,omitempty"`
}

// TimeStack gives every instant of the recording one label. Slices add up to
// TotalNS exactly; without "draining" they add up to the wall time.
type TimeStack struct {
	TotalNS int64        `json:"total_ns"`
	WallNS  int64        `json:"wall_ns"`
	Slices  []StackSlice `json:"slices"` // all labels, in the order in which they win
	// WakingNS is the part of the label ready in which threads whose I/O was done ran again within 50 µs: waking a
	// processor may take that long, even if nobody else had it.
	WakingNS int64 `json:"waking_ns"`
	// ThreadNS are thread times, not wall times: they may exceed it.
	ThreadNS map[string]int64 `json:"thread_ns"`
	Marks    []string         `json:"marks,omitempty"`
}

// StackSlice is the time under one label.
type StackSlice struct {
	// Label is one of device_read, device_write, device_both, device_other,
	// queued, throttled, sync, page_cache, metadata, other_call, cpu, ready, io_wait, lock,
	// waiting, outside, draining.
	Label string  `json:"label"`
	Group string  `json:"group"` // "device", "call", "outside", "after"
	NS    int64   `json:"ns"`
	Share float64 `json:"share"` // of TotalNS
	Text  string  `json:"text"`  // for people
}

// Bound is what a simple model says is the best that was possible.
type Bound struct {
	Code     string  `json:"code"` // "serial", "overlapped", "little", "per_file"
	Text     string  `json:"text"`
	Rate     int64   `json:"bytes_per_s"`
	TimeNS   int64   `json:"time_ns"`
	Measured int64   `json:"measured_bytes_per_s"`
	Reached  float64 `json:"reached"` // measured / bound
	Formula  string  `json:"formula"`
}

// Sentence is an observation with the numbers it rests on.
type Sentence struct {
	Code     string     `json:"code"`
	Text     string     `json:"text"`
	Subject  string     `json:"subject"` // JSON pointer of what it is about
	Evidence []Evidence `json:"evidence"`
	Marks    []string   `json:"marks,omitempty"`
}

// Evidence points at a number of the profile.
type Evidence struct {
	Pointer string  `json:"pointer"` // JSON pointer (RFC 6901) into the profile
	Value   float64 `json:"value"`
}
