// Package cause lists the causes that time is attributed to: code, title, condition, certainty and remedy of each.
// The list in docs/verdict.md is made from it.
package cause

// The codes of the causes.
const (
	DeviceBandwidth = "device_bandwidth" // requests always waited at the device
	DeviceLatency   = "device_latency"   // one wait for the device after another
	SlowingDown     = "slowing_down"     // the device became slower in the middle
	Fragmentation   = "fragmentation"    // the file lies in many pieces
	Readahead       = "readahead"        // data was not read ahead
	MemoryPressure  = "memory_pressure"  // what had been read did not stay in memory
	CacheDropped    = "cache_dropped"    // what had been read was dropped from memory
	Compression     = "compression"      // the file system compressed
	CopyUp          = "copy_up"          // an overlay copied the file before its first change
	ProgramStart    = "program_start"    // the program and its libraries had to be read
	Settling        = "settling"         // after the last write: the file system's journal, the drive's cache
	MappedReads     = "mapped_reads"     // likewise, in page faults of mapped files
	PartialWrites   = "partial_writes"   // blocks were read because a part of them was written
	BlockingSubmit  = "blocking_submit"  // io_submit did what it was to begin
	LimitAbove      = "limit_above"      // held back above the device
	OtherUsers      = "other_users"      // others used the device
	Sync            = "sync"             // waiting for data to be safe, again and again
	DirtyLimit      = "dirty_limit"      // held back because too much data waited to be written
	SmallCalls      = "small_calls"      // data in tiny pieces, call after call
	Discards        = "discards"         // the device was told which blocks are free
	PageCache       = "page_cache"       // copying to and from memory
	Names           = "names"            // calls on names, attributes and allocation
	Fork            = "fork"             // page tables were copied
	OwnCPU          = "own_cpu"          // the program computed
	WakeUp          = "wake_up"          // its I/O was done, and the processor had to be woken
	CPUContention   = "cpu_contention"   // ready to run, but others had the processors
	CPUQuota        = "cpu_quota"        // ready to run, but its control group had used up its quota
	StolenCPU       = "stolen_cpu"       // ready to run, but the host of the virtual machine ran others
	UserSpaceFS     = "user_space_fs"    // a file system that is a process
	NetworkFS       = "network_fs"       // a file system on another machine
	OtherEnd        = "other_end"        // the other end of a pipe or a socket
	UnderWay        = "under_way"        // both ends of a connection waited for what one had sent
	BlockedInCall   = "blocked_in_call"  // a lock, the file system's journal
	ThreadLock      = "thread_lock"      // threads of a process waited for one another
	Stopped         = "stopped"          // a signal had stopped it
	Traced          = "traced"           // a debugger had
	Frozen          = "frozen"           // its control group was frozen
	FrozenFS        = "frozen_fs"        // the file system that it writes to was
	ThinkTime       = "think_time"       // nobody did anything
	OutsideOfCalls  = "outside_of_calls" // outside of recorded calls; no more is recorded
)

// How sure a cause is.
const (
	Measured = "measured" // the recording shows where the time went, through whoever was waited for
	Likely   = "likely"   // it fits what was recorded; how often that was true is counted
	Open     = "open"     // not known: only more than was recorded would tell
)

// Title names a cause in the field's terms.
func Title(code string) string { return Of(code).Title }
